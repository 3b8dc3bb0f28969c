import type { ProviderEvent, WebhookRefusal } from '#api/modules/billing/providers/provider.ts'
import { ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { lockOrder, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { OrderId, PaymentId } from '#contract/ids.ts'
import type { EventOutcome } from './billing.schema.ts'
import { expiredDeposits, expiredDrafts } from './due-orders.queries.ts'
import {
  atProvider,
  type Closure,
  calculateNextCheck,
  failOrder,
  merchantOf,
  type PaymentCtx,
  type Settlement,
} from './payment-states.ts'
import {
  accountsDueForCheck,
  closeProviderEvent,
  findPayment,
  lockPayment,
  openPayments,
  stalePayments,
  storeProviderEvent,
  updatePayment,
} from './payments.queries.ts'
import { refundDue } from './refund-payments.ts'
import { applyAnswer, endUnpaid, settle } from './settle-payment.ts'

/**
 * Closes a payment that must no longer be paid, at the provider first. A payment that was paid in
 * the meantime is settled as paid. `why` becomes the order's failure.
 */
export const closePayment = async (paymentCtx: PaymentCtx, paymentId: PaymentId, why: Closure): Promise<Settlement> => {
  const unsettled = await paymentCtx.inTransaction((tx) => findPayment(tx.db, tx.customer.id, paymentId))
  if (!unsettled) return 'UNKNOWN_PAYMENT'
  const ctx = atProvider(paymentCtx, unsettled)
  const queriedAt = ctx.clock.now()
  try {
    const answer = await ctx.provider.cancel(merchantOf(ctx), paymentId)
    if (answer) {
      const closedByStore = answer.failure === 'CLOSED_BY_STORE' || answer.failure === 'DEPOSIT_EXPIRED'
      return await applyAnswer(ctx, { ...answer, queriedAt }, 'RECONCILE', closedByStore ? why : undefined)
    }
  } catch (error) {
    if (error instanceof ProviderUnavailable) return 'WAITING'
    throw error
  }
  // The provider does not know the payment: the process stopped between storing and sending it.
  return ctx.inTransaction(async (tx) => {
    const locked = await lockPayment(tx.db, tx.customer.id, paymentId)
    if (locked?.payment.status !== 'READY') return 'SETTLED_BEFORE'
    const { order, payment } = locked
    await updatePayment(tx.db, payment, {
      status: 'CANCELLED',
      failure: why,
      settledAt: tx.clock.now().toISOString(),
    })
    await endUnpaid(tx, order, why)
    return 'FAILED'
  })
}

/** Seconds a buyer has on the provider's page before the store queries the provider itself. */
const staleSeconds = 60
const batchSize = 200
/** Banks reverse deposits late, so accounts are queried for some time after they were settled. */
const accountBatchSize = 100
const accountDays = 30
/**
 * Milliseconds. A deposit whose event was lost is found within an hour, unless there are more
 * accounts than one hour's passes can query.
 */
const accountInterval = 3_600_000

/**
 * Synchronizes one tenant's payments with the provider: queries payments and accounts that have
 * been open for a while, closes expired drafts and deposits (or completes them if they were paid),
 * and pays due refunds. Safe to run at any time and in several processes. A payment that throws is
 * logged. The payment that has waited longest comes first; the interval grows for a payment that
 * does not change, so it does not delay others.
 */
export const reconcile = async (ctx: PaymentCtx): Promise<void> => {
  const now = ctx.clock.now()
  const drafts = await ctx.inTransaction((tx) => expiredDrafts(tx.db, tx.customer.id, now, batchSize))
  for (const { id } of drafts) await runIsolated(ctx, { orderId: id }, () => close(ctx, id, 'ABANDONED'))
  const deposits = await ctx.inTransaction((tx) => expiredDeposits(tx.db, tx.customer.id, now, batchSize))
  for (const { id } of deposits) await runIsolated(ctx, { orderId: id }, () => close(ctx, id, 'DEPOSIT_EXPIRED'))

  const before = new Date(now.getTime() - staleSeconds * 1000)
  const stale = await ctx.inTransaction((tx) => stalePayments(tx.db, tx.customer.id, before, now, batchSize))
  for (const payment of stale) await checkPayment(ctx, payment)
  const since = new Date(now.getTime() - accountDays * dayMilliseconds)
  const accounts = await ctx.inTransaction((tx) =>
    accountsDueForCheck(tx.db, tx.customer.id, since, now, accountBatchSize),
  )
  for (const payment of accounts) await checkPayment(ctx, payment, accountInterval)
  await refundDue(ctx)
}

const checkPayment = async (ctx: PaymentCtx, payment: { id: PaymentId; createdAt: string }, longest?: number) => {
  await runIsolated(ctx, { paymentId: payment.id }, () => settle(ctx, payment.id, 'RECONCILE'))
  await scheduleNextQuery(ctx, payment, longest)
}

/** Schedules the next query of a payment, whatever the result of this one. */
const scheduleNextQuery = (
  ctx: PaymentCtx,
  { id, createdAt }: { id: PaymentId; createdAt: string },
  longest?: number,
) =>
  ctx.inTransaction(async ({ db, customer, clock }) => {
    const nextCheckAt = calculateNextCheck(clock.now(), createdAt, longest)
    await updatePayment(db, { customerId: customer.id, id }, { nextCheckAt })
  })

const close = async (ctx: PaymentCtx, orderId: OrderId, why: 'ABANDONED' | 'DEPOSIT_EXPIRED') => {
  const open = await ctx.inTransaction((tx) => openPayments(tx.db, tx.customer.id, [orderId]))
  for (const payment of open) {
    const settlement = await runIsolated(ctx, { paymentId: payment.id }, () => closePayment(ctx, payment.id, why))
    if (settlement === null || settlement === 'WAITING') await scheduleNextQuery(ctx, payment)
  }
  if (open.length > 0) return
  await ctx.inTransaction(async (tx) => {
    const order = await lockOrder(tx.db, tx.customer.id, orderId)
    const open = order ? await openPayments(tx.db, tx.customer.id, [order.id]) : []
    if (order && open.length === 0 && isOver(order, tx.clock.now())) await failOrder(tx, order, why)
  })
}

/** Checked again under the lock: a reversal may have extended the deadline. */
const isOver = ({ status, expiresAt, depositDeadline }: OrderRow, now: Date) => {
  const end = status === null ? expiresAt : status === 'DEPOSIT_WAITING' ? depositDeadline : null
  return end !== null && Date.parse(end) <= now.getTime()
}

/** Runs `work` and returns its result. Logs an exception and returns null. */
const runIsolated = async <Answer>(ctx: PaymentCtx, about: Record<string, string>, work: () => Promise<Answer>) => {
  try {
    return await work()
  } catch (error) {
    ctx.log.error({ err: error, ...about }, 'A payment could not be reconciled')
    return null
  }
}

export type ReceivedEvent =
  | { code: 'RECEIVED' }
  /** Stored without an outcome: the provider should send the event again. */
  | { code: 'TRY_AGAIN' }
  | WebhookRefusal

/**
 * Settles a provider reference that is not a payment of an order. Returns `WAITING` if nothing is
 * decided yet.
 */
export type SettleReference = (ctx: PaymentCtx, reference: PaymentId) => Promise<EventOutcome | 'WAITING'>

/**
 * Handles a provider's event. The event is stored once by its own id and only triggers a query of
 * the payment at the provider. Duplicate, reordered and outdated events therefore change nothing.
 */
export const receiveEvent = async (
  ctx: PaymentCtx,
  { headers, body }: { headers: Headers; body: string },
  settleOther: SettleReference,
): Promise<ReceivedEvent> => {
  const event = await ctx.provider.verifyWebhook(headers, body, ctx.clock.now())
  if ('code' in event) return event.code === 'IGNORED' ? { code: 'RECEIVED' } : event
  const outcome = await ctx.inTransaction((tx) =>
    storeProviderEvent(tx.db, tx.customer.id, {
      provider: ctx.provider.name,
      eventId: event.id,
      type: event.type,
      payload: event,
      receivedAt: tx.clock.now(),
    }),
  )
  if (outcome !== 'NEW' && outcome !== null) return { code: 'RECEIVED' }
  return settleEvent(ctx, event, settleOther)
}

const settleEvent = async (
  ctx: PaymentCtx,
  event: ProviderEvent,
  settleOther: SettleReference,
): Promise<ReceivedEvent> => {
  const payment = await settle(ctx, event.reference, 'WEBHOOK')
  const settlement = payment === 'UNKNOWN_PAYMENT' ? await settleOther(ctx, event.reference) : payment
  if (settlement === 'WAITING') return { code: 'TRY_AGAIN' }
  await ctx.inTransaction((tx) =>
    closeProviderEvent(tx.db, tx.customer.id, { provider: ctx.provider.name, eventId: event.id }, settlement),
  )
  return { code: 'RECEIVED' }
}
