import type { Ctx } from '#api/context.ts'
import type { CancelRequestRow } from '#api/db/queries/cancel-requests.ts'
import type { OrderItemRow, OrderRow } from '#api/db/queries/orders.ts'
import type { UndueMoney } from '#api/db/queries/undue-money.ts'
import { queueMemberMail } from '#api/domain/mail/queue-mail.ts'
import { refundAccountMail } from '#api/mail/templates/refund-account.ts'
import { refundDoneMail } from '#api/mail/templates/refund-done.ts'
import { refundRejectedMail } from '#api/mail/templates/refund-rejected.ts'
import { undueReturnedMail } from '#api/mail/templates/undue-returned.ts'
import type { MemberId } from '#contract/ids.ts'
import type { Owed } from './return-money.ts'

const toBuyer = (order: OrderRow) => order.memberId as MemberId

/** Undue money paid by bank needs an account to go back to; what was paid by card goes back by itself. */
export const tellUndueMoney = async (
  ctx: Ctx,
  order: OrderRow,
  { amount, currency, needsAccount, ...data }: UndueMoney,
) => {
  if (!needsAccount) return
  await queueMemberMail(ctx, toBuyer(order), {
    template: refundAccountMail,
    data: { code: order.code, amount: { amount, currency }, why: 'UNDUE' },
    once: `undue:${data.paymentId}:${data.depositId ?? 'whole'}`,
  })
}

/** Asks where a refund that the store began goes to: an order paid by bank has no account to refund to. */
export const tellAccountWanted = (ctx: Ctx, order: OrderRow, { id, amount }: CancelRequestRow) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: refundAccountMail,
    data: { code: order.code, amount: { amount, currency: order.currency }, why: 'REFUND' },
    once: `refund-account:${id}`,
  })

export const tellUndueReturned = (ctx: Ctx, order: OrderRow, caseId: string, { amount, currency }: UndueMoney) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: undueReturnedMail,
    data: { code: order.code, amount: { amount, currency } },
    once: `undue-returned:${caseId}`,
  })

/** Asks for another account; each refusal is a reason of its own. */
export const tellAccountRefused = (ctx: Ctx, order: OrderRow, { request, undue }: Owed) => {
  const amount = undue.reduce((sum, { data }) => sum + data.amount, request?.amount ?? 0)
  return queueMemberMail(ctx, toBuyer(order), {
    template: refundAccountMail,
    data: { code: order.code, amount: { amount, currency: order.currency }, why: 'REFUSED' },
  })
}

export const tellRefunded = (
  ctx: Ctx,
  order: OrderRow,
  refund: { requestId: string; amount: number; items: readonly OrderItemRow[] },
) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: refundDoneMail,
    data: {
      code: order.code,
      amount: { amount: refund.amount, currency: order.currency },
      titles: refund.items.map((item) => item.productTitle),
    },
    once: `refund:${refund.requestId}`,
  })

export const tellRejected = (ctx: Ctx, order: OrderRow, requestId: string, reason: string) =>
  queueMemberMail(ctx, toBuyer(order), {
    template: refundRejectedMail,
    data: { code: order.code, reason },
    once: `refund-rejected:${requestId}`,
  })
