import { type CreatedPayment, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { depositsDueBetween } from '#api/modules/orders/due-orders.queries.ts'
import { appendOrderEvent, itemsOf, lockOrder, updateOrder } from '#api/modules/orders/orders.queries.ts'
import { nextOrderState } from '#api/modules/orders/orders.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import type { PaymentId } from '#contract/ids.ts'
import { merchantOf, notifyDepositIssued, type PaymentEnv, remindOfDeposit, stateOf } from './payment-states.ts'
import { findPayment, openPayments, type PaymentRow, updatePayment } from './payments.queries.ts'
import { takeOutOfCart } from './settle-payment.ts'

/**
 * Stores the account that a provider has issued: the order now waits for its deposit. If the order
 * ended in the meantime, the account is closed again before the member sees it. Safe to repeat.
 */
export const issueDeposit = async (
  env: PaymentEnv,
  payment: PaymentRow,
  created: CreatedPayment,
): Promise<{ payment: PaymentRow } | Failure> => {
  const issued = await env.inTransaction((ctx) => issue(ctx, payment.id, created))
  if (!isFailure(issued)) return issued
  try {
    await env.providerNamed(payment.provider).cancel(merchantOf(env), payment.id)
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
  const { db, customer, clock } = ctx
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
  const kept = await updatePayment(db, payment, { providerRef: created.providerRef, account, dueAt })
  const change = { status: waiting, expiresAt: null, depositDeadline: dueAt }
  await updateOrder(db, order, change)
  const detail = `${bank} ${number}`
  await appendOrderEvent(db, order, { type: 'DEPOSIT_ISSUED', amount: payment.amount, detail, at: clock.now() })
  const items = await itemsOf(db, customer.id, [order.id])
  await takeOutOfCart(ctx, order, items)
  await notifyDepositIssued(ctx, { ...order, ...change }, kept, items)
  return { payment: kept }
}

const hoursBefore = 24
/**
 * Hours. A deadline this close to the issue of the account needs no reminder, because the first
 * mail stated it.
 */
const leastHoursOld = 12

/**
 * Sends a reminder for deposits due within a day, once per deadline. Returns the number of deposits
 * examined.
 */
export const remindDeposits = async (ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>, atOnce: number): Promise<number> => {
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + hoursBefore * 3_600_000)
  const due = await depositsDueBetween(ctx.db, ctx.customer.id, { from: now, until, leastHoursOld, limit: atOnce })
  for (const order of due) {
    const payments = await openPayments(ctx.db, ctx.customer.id, [order.id])
    await remindOfDeposit(ctx, order, payments.find(({ method }) => method === 'BANK') ?? null)
  }
  return due.length
}
