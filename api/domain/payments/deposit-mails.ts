import type { Ctx } from '#api/context.ts'
import type { OrderItemRow, OrderRow } from '#api/db/queries/orders.ts'
import type { PaymentRow } from '#api/db/queries/payments.ts'
import { queueMemberMail } from '#api/domain/mail/queue-mail.ts'
import { depositExpiredMail } from '#api/mail/templates/deposit-expired.ts'
import { depositIssuedMail } from '#api/mail/templates/deposit-issued.ts'
import { depositReminderMail } from '#api/mail/templates/deposit-reminder.ts'
import { depositReversedMail } from '#api/mail/templates/deposit-reversed.ts'
import type { MemberId } from '#contract/ids.ts'

const toBuyer = (order: OrderRow) => order.memberId as MemberId
const total = (order: OrderRow) => ({ amount: order.totalAmount, currency: order.currency })

/** The account to pay into, the exact amount and the deadline. */
export const tellDepositIssued = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  items: readonly OrderItemRow[],
) => {
  if (!payment.account) return
  await queueMemberMail(ctx, toBuyer(order), {
    template: depositIssuedMail,
    data: {
      code: order.code,
      titles: items.map((item) => item.productTitle),
      amount: total(order),
      account: payment.account,
    },
    once: `deposit:${payment.id}`,
  })
}

/** A day before the deadline. */
export const remindOfDeposit = async (
  ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>,
  order: OrderRow,
  payment: PaymentRow | null,
) => {
  if (!order.depositDeadline) return
  await queueMemberMail(ctx, toBuyer(order), {
    template: depositReminderMail,
    data: {
      code: order.code,
      amount: total(order),
      account: payment?.account ?? null,
      dueAt: order.depositDeadline,
    },
    once: `deposit-reminder:${order.id}:${Math.floor(Date.parse(order.depositDeadline) / 1000)}`,
  })
}

export const tellDepositExpired = (ctx: Ctx, order: OrderRow) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: depositExpiredMail,
    data: { code: order.code, amount: total(order) },
    once: `deposit-expired:${order.id}`,
  })

export const tellDepositReversed = (ctx: Ctx, order: OrderRow) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: depositReversedMail,
    data: { code: order.code, amount: total(order), dueAt: order.depositDeadline },
    once: `deposit-reversed:${order.id}:${order.depositDeadline}`,
  })
