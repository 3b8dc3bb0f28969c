import { depositIssuedMail, depositReminderMail } from '#api/modules/billing/mails/deposits.ts'
import { type CreatedPayment, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { queueMemberMail } from '#api/modules/identity/member-mail.ts'
import { removeBoughtFromCart } from '#api/modules/orders/cart.ts'
import { itemsOf, lockOrder, type OrderItemRow, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, nextOrderState } from '#api/modules/orders/orders.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import type { PaymentId } from '#contract/ids.ts'
import { depositsDueBetween } from './due-orders.queries.ts'
import { merchantOf, type PaymentCtx, stateOf } from './payment-states.ts'
import { findPayment, openPayments, type PaymentRow, updatePayment } from './payments.queries.ts'

/**
 * Stores the account that a provider has issued: the order now waits for its deposit. If the order
 * ended in the meantime, the account is closed again before the member sees it. Safe to repeat.
 */
export const issueDeposit = async (
  ctx: PaymentCtx,
  payment: PaymentRow,
  created: CreatedPayment,
): Promise<{ payment: PaymentRow } | Failure> => {
  const issued = await ctx.inTransaction((tx) => issue(tx, payment.id, created))
  if (!isFailure(issued)) return issued
  try {
    await ctx.providerNamed(payment.provider).cancel(merchantOf(ctx), payment.id)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
  }
  return issued
}

const issue = async (
  ctx: Ctx,
  paymentId: PaymentId,
  created: CreatedPayment,
): Promise<{ payment: PaymentRow } | Failure> => {
  const { db, customer } = ctx
  const known = await findPayment(db, customer.id, paymentId)
  const order = known && (await lockOrder(db, customer.id, known.orderId))
  const payment = order && (await findPayment(db, customer.id, paymentId))
  if (!order || !payment || !created.account) return failure('ORDER_NOT_PAYABLE')
  if (payment.account) return { payment }
  const waiting = order.status === 'DEPOSIT_WAITING' ? order.status : nextOrderState(stateOf(order), 'DEPOSIT_ISSUED')
  if (payment.status !== 'READY' || waiting === null) return failure('ORDER_NOT_PAYABLE')

  const { bank, number, holder } = created.account
  const dueAt = created.account.dueAt.toISOString()
  const account = { bank, number, holder, dueAt }
  const updated = await updatePayment(db, payment, { providerRef: created.providerRef, account, dueAt })
  const change = { status: waiting, expiresAt: null, depositDeadline: dueAt }
  const detail = `${bank} ${number}`
  await changeOrder(ctx, order, change, { type: 'DEPOSIT_ISSUED', amount: payment.amount, detail })
  const items = await itemsOf(db, customer.id, [order.id])
  await removeBoughtFromCart(ctx, order, items)
  await notifyDepositIssued(ctx, { ...order, ...change }, updated, items)
  return { payment: updated }
}

const totalOf = (order: OrderRow) => ({ amount: order.totalAmount, currency: order.currency })

/** Mails the account to pay into, the exact amount and the deadline. */
const notifyDepositIssued = async (ctx: Ctx, order: OrderRow, payment: PaymentRow, items: readonly OrderItemRow[]) => {
  if (!payment.account) return
  await queueMemberMail(ctx, order.memberId, {
    template: depositIssuedMail,
    data: {
      code: order.code,
      titles: items.map((item) => item.productTitle),
      amount: totalOf(order),
      account: payment.account,
    },
    once: `deposit:${payment.id}`,
  })
}

/** Mails a reminder a day before the deadline. */
const remindOfDeposit = async (
  ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>,
  order: OrderRow,
  payment: PaymentRow | null,
) => {
  if (!order.depositDeadline) return
  await queueMemberMail(ctx, order.memberId, {
    template: depositReminderMail,
    data: {
      code: order.code,
      amount: totalOf(order),
      account: payment?.account ?? null,
      dueAt: order.depositDeadline,
    },
    once: `deposit-reminder:${order.id}:${Math.floor(Date.parse(order.depositDeadline) / 1000)}`,
  })
}

const hoursBefore = 24
/**
 * Hours. A deadline this close to the issue of the account needs no reminder, because the first
 * mail stated it.
 */
const minHoursOld = 12

/**
 * Sends a reminder for deposits due within a day, once per deadline. Returns the number of deposits
 * examined.
 */
export const remindDeposits = async (
  ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>,
  batchSize: number,
): Promise<number> => {
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + hoursBefore * 3_600_000)
  const due = await depositsDueBetween(ctx.db, ctx.customer.id, { from: now, until, minHoursOld, limit: batchSize })
  for (const order of due) {
    const payments = await openPayments(ctx.db, ctx.customer.id, [order.id])
    await remindOfDeposit(ctx, order, payments.find(({ method }) => method === 'BANK') ?? null)
  }
  return due.length
}
