import { receiptMail } from '#api/modules/billing/mails/payments.ts'
import { type ProviderPayment, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { restoreEntitlements } from '#api/modules/entitlements/entitlements.ts'
import { queueMemberMail } from '#api/modules/identity/profile.ts'
import { removeBoughtFromCart } from '#api/modules/orders/cart.ts'
import { itemsOf, type OrderItemRow, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { changeOrder, grantOrder, nextOrderState, recordOrderEvent } from '#api/modules/orders/orders.ts'
import type { Ctx } from '#api/platform/context.ts'
import { emit } from '#api/platform/events.ts'
import { countPayment } from '#api/platform/telemetry/telemetry.ts'
import type { PaymentId } from '#contract/ids.ts'
import type { PaymentStatus } from './billing.schema.ts'
import { depositReversed, publishDeposit } from './deposits.ts'
import {
  type Answer,
  atProvider,
  type Closure,
  failOrder,
  merchantOf,
  type PaymentCtx,
  paymentMayBecome,
  type Settlement,
  stateOf,
  verdictOf,
} from './payment-states.ts'
import { findPayment, lockPayment, type PaymentRow, updatePayment } from './payments.queries.ts'
import { refundPayment } from './refund-payments.ts'
import { recordUnappliedDeposits, recordUnappliedPayment } from './refund-states.ts'
import { closeReversals } from './refunds.queries.ts'

/**
 * Mails the receipt of a paid order. An order that is paid again after a reversal gets another
 * receipt. `again` names a further receipt that staff send. Returns whether a mail was queued.
 */
export const mailReceipt = async (ctx: Ctx, order: OrderRow, items: readonly OrderItemRow[], again = '') => {
  if (order.paidAt === null) return false
  const { currency, totalAmount } = order
  return queueMemberMail(ctx, order.memberId, {
    template: receiptMail,
    data: {
      code: order.code,
      items: items.map((item) => ({
        title: item.productTitle,
        option: item.optionName,
        price: { amount: item.priceAmount, currency },
      })),
      total: { amount: totalAmount, currency },
      paidAt: order.paidAt,
      // A receipt that is sent again may be older than the period of refunds.
      refundDays: totalAmount > 0 && !again ? ctx.customer.settings.order.refundDays : null,
      complimentary: order.complimentary,
    },
    once: `receipt:${order.id}:${order.paidAt}${again}`,
  })
}

/**
 * Completes a paid order in the transaction that holds its lock: status, rights, timeline, receipt
 * and cart. Rights suspended by a reversed deposit are restored. `paidAt` is now, except of a sale
 * that was paid before it is recorded.
 */
export const completeOrder = async (ctx: Ctx, order: OrderRow, detail: string | null, paidAt?: Date) => {
  const now = ctx.clock.now()
  const items = await itemsOf(ctx.db, ctx.customer.id, [order.id])
  const paid = {
    status: 'PAYMENT_COMPLETE' as const,
    paidAt: (paidAt ?? now).toISOString(),
    expiresAt: null,
    depositDeadline: null,
  }
  await changeOrder(ctx, order, paid, { type: 'PAID', amount: order.totalAmount, detail })
  await grantOrder(ctx, order.memberId, items)
  await restoreEntitlements(
    ctx,
    items.map((item) => item.id),
  )
  await closeReversals(ctx.db, ctx.customer.id, order.id, now)
  await removeBoughtFromCart(ctx, order, items)
  await mailReceipt(ctx, { ...order, ...paid }, items)
  const { code: orderCode, memberId, totalAmount, currency, complimentary } = order
  await emit(ctx, 'orderPaid', {
    orderCode,
    memberId,
    total: { amount: totalAmount, currency },
    paidAt: paid.paidAt,
    complimentary,
    items: items.map(({ productId, optionId, optionType, priceAmount }) => ({
      productId,
      optionId,
      optionType,
      price: { amount: priceAmount, currency },
    })),
  })
}

/**
 * `unapplied`: money has arrived that must be refunded. STALE: the answer predates the last
 * decision, and the provider must be queried again.
 */
interface Decision {
  settlement: Settlement | 'STALE'
  unapplied: boolean
}

/** Applies a provider's answer to a payment and its order. Requires the order's lock. */
const settleUnderLock = async (
  ctx: Ctx,
  answer: Answer,
  source: SettleSource,
  closure: Closure | undefined,
): Promise<Decision> => {
  const { db, customer } = ctx
  const locked = await lockPayment(db, customer.id, answer.reference)
  if (!locked) return { settlement: 'UNKNOWN_PAYMENT', unapplied: false }
  const { order, payment } = locked
  const settlement = await checkAnswer(ctx, order, payment, answer, source, closure)
  if (settlement === 'STALE') return { settlement, unapplied: false }
  const deposits = payment.method === 'BANK' && (await recordUnappliedDeposits(ctx, order.id, payment.id, answer))
  return {
    settlement: deposits && settlement === 'OPEN' ? 'UNAPPLIED' : settlement,
    unapplied: deposits || settlement === 'UNAPPLIED',
  }
}

const checkAnswer = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  answer: Answer,
  source: SettleSource,
  closure: Closure | undefined,
): Promise<Settlement | 'STALE'> => {
  const verdict = verdictOf(answer, payment)
  const before = payment.status
  const old = payment.settledAt !== null && answer.queriedAt.getTime() <= Date.parse(payment.settledAt)
  if (before === 'PAID') {
    if (payment.method === 'CARD' || verdict === 'PAID') return 'SETTLED_BEFORE'
    return old ? 'STALE' : depositReversed(ctx, order, payment, answer)
  }
  switch (verdict) {
    case 'WAITING':
      if (answer.status === 'PROCESSING') await move(ctx, payment, 'PROCESSING', answer)
      return payment.method === 'BANK' && answer.status === 'READY' ? 'OPEN' : 'WAITING'
    case 'FAILED': {
      if (!paymentMayBecome(before, answer.status)) return 'SETTLED_BEFORE'
      const failure = closure ?? answer.failure ?? 'DECLINED'
      await move(ctx, payment, answer.status, { ...answer, failure })
      await endUnpaid(ctx, order, failure)
      return 'FAILED'
    }
    case 'AMOUNT_MISMATCH':
      ctx.log.error({ paymentId: payment.id, source, answer }, 'A payment has a different amount than requested')
      return unapplied(ctx, order, payment, answer, 'AMOUNT_MISMATCH')
    case 'PAID':
      if (nextOrderState(stateOf(order), 'PAID') === null || !paymentMayBecome(before, 'PAID')) {
        return unapplied(ctx, order, payment, answer, 'LATE')
      }
      // A deposit that was reversed may be paid again, but not by an older answer.
      if (old) return 'STALE'
      await move(ctx, payment, 'PAID', answer)
      await completeOrder(ctx, order, paidWith(payment, answer))
      if (payment.method === 'BANK') await publishDeposit(ctx, order, { amount: payment.amount, byStaff: false })
      ctx.log.info({ paymentId: payment.id, order: order.code, source }, 'An order is paid')
      return 'COMPLETED'
    default:
      return verdict satisfies never
  }
}

const paidWith = (payment: PaymentRow, { card }: ProviderPayment) => {
  if (card) return `${card.issuer} ${card.lastFour}`
  return payment.account ? `${payment.account.bank} ${payment.account.number}` : null
}

const move = (ctx: Ctx, payment: PaymentRow, status: PaymentStatus, answer: ProviderPayment) =>
  paymentMayBecome(payment.status, status)
    ? updatePayment(ctx.db, payment, {
        status,
        failure: status === 'PAID' || status === 'PROCESSING' ? null : answer.failure,
        ...(answer.card ? { cardIssuer: answer.card.issuer, cardLastFour: answer.card.lastFour } : {}),
        ...(status === 'PROCESSING' ? {} : { settledAt: ctx.clock.now().toISOString() }),
      })
    : payment

/**
 * Handles a payment that ended unpaid. If the member chose another method, the order continues;
 * otherwise it fails as far as its state allows.
 */
export const endUnpaid = async (ctx: Ctx, order: OrderRow, failure: string) => {
  if (failure !== 'METHOD_CHANGED') return failOrder(ctx, order, failure)
  await recordOrderEvent(ctx, order, { type: 'METHOD_CHANGED' })
}

/**
 * Money that the order cannot accept never reopens it. A refund case is opened in the same
 * transaction.
 */
const unapplied = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  answer: ProviderPayment,
  reason: 'LATE' | 'AMOUNT_MISMATCH',
): Promise<Settlement> => {
  if (answer.refunded >= answer.amount.amount) return 'SETTLED_BEFORE'
  await recordUnappliedPayment(ctx, order, payment, answer.amount, reason)
  await move(ctx, payment, 'FAILED', { ...answer, failure: reason })
  await failOrder(ctx, order, reason)
  return 'UNAPPLIED'
}

/** What triggered the settlement: the returning browser, a webhook or the reconciliation. */
export type SettleSource = 'RETURN' | 'WEBHOOK' | 'RECONCILE'

/** The number of queries after which outdated answers are given up. */
const attempts = 5

/**
 * Settles a payment. This is the only way a payment changes an order. The provider is queried
 * outside any transaction; the answer is applied under the order's lock, so that one of several
 * concurrent callers settles the payment and the others find it settled. The content of a webhook
 * is never trusted.
 */
export const settle = async (
  paymentCtx: PaymentCtx,
  paymentId: PaymentId,
  source: SettleSource,
): Promise<Settlement> => {
  const payment = await paymentCtx.inTransaction((tx) => findPayment(tx.db, tx.customer.id, paymentId))
  if (!payment) return 'UNKNOWN_PAYMENT'
  // A charged card remains charged. A deposit may be reversed, and more deposits may follow.
  if (payment.status === 'PAID' && payment.method === 'CARD') return 'SETTLED_BEFORE'
  const ctx = atProvider(paymentCtx, payment)
  const answer = await queryProvider(ctx, paymentId)
  return answer ? applyAnswer(ctx, answer, source) : 'WAITING'
}

/**
 * Applies an answer of `ctx.provider`, the payment's own provider. Callers that have just received
 * an answer use it directly.
 */
export const applyAnswer = async (
  ctx: PaymentCtx,
  answer: Answer,
  source: SettleSource,
  closure?: Closure,
): Promise<Settlement> => {
  let latest: Answer | null = answer
  for (let attempt = 0; latest && attempt < attempts; attempt++) {
    const current: Answer = latest
    const { settlement, unapplied } = await ctx.inTransaction((tx) => settleUnderLock(tx, current, source, closure))
    if (unapplied) await refundPayment(ctx, answer.reference)
    if (settlement !== 'STALE') {
      if (settlement !== 'SETTLED_BEFORE') countPayment('order', ctx.provider.name, settlement)
      return settlement
    }
    latest = await queryProvider(ctx, answer.reference)
  }
  return 'WAITING'
}

const queryProvider = async (ctx: PaymentCtx, paymentId: PaymentId): Promise<Answer | null> => {
  const queriedAt = ctx.clock.now()
  try {
    const answer = await ctx.provider.query(merchantOf(ctx), paymentId)
    return answer && { ...answer, queriedAt }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn({ paymentId, provider: ctx.provider.name }, 'The payment provider did not answer')
    return null
  }
}
