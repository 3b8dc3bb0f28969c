import type { Ctx } from '#api/context.ts'
import { lockOrder, type OrderRow } from '#api/db/queries/orders.ts'
import { findPayment, openRefundCase, type PaymentRow, updatePayment } from '#api/db/queries/payments.ts'
import { nextOrderState } from '#api/domain/orders/states.ts'
import { type ProviderPayment, ProviderUnavailable } from '#api/payments/port.ts'
import type { PaymentId } from '#contract/ids.ts'
import { completeOrder } from './complete-order.ts'
import { merchantOf, type PaymentEnv } from './env.ts'
import { failOrder, stateOf } from './fail-order.ts'
import { giveBack } from './give-back.ts'
import { type PaymentStatus, paymentMayBecome, verdictOf } from './states.ts'

/** Who asked for the settlement: the browser that came back, the provider's message, or the reconciliation. */
export type SettleSource = 'RETURN' | 'WEBHOOK' | 'RECONCILE'

export type Settlement =
  | 'COMPLETED'
  | 'FAILED'
  /** Nothing has been decided at the provider, or it does not answer. */
  | 'WAITING'
  /** It had been settled before; nothing changed. */
  | 'SETTLED_BEFORE'
  /** Money came that the order cannot take: it is given back. */
  | 'UNDUE'
  | 'UNKNOWN_PAYMENT'

/**
 * Settles a payment: the one way in which money changes an order. The provider is asked how the payment stands, outside of any
 * transaction; what it says is then applied under the order's lock, so that however many ask at once, one of them settles and the
 * others find it done. A message is never believed by itself.
 */
export const settle = async (env: PaymentEnv, paymentId: PaymentId, source: SettleSource): Promise<Settlement> => {
  const known = await env.inTransaction((ctx) => findPayment(ctx.db, ctx.customer.id, paymentId))
  if (!known) return 'UNKNOWN_PAYMENT'
  if (known.status === 'PAID') return 'SETTLED_BEFORE'
  const answer = await ask(env, paymentId)
  return answer ? apply(env, answer, source) : 'WAITING'
}

/** Applies what the provider has said of a payment. Shared with those who have just spoken with it. */
export const apply = async (
  env: PaymentEnv,
  answer: ProviderPayment,
  source: SettleSource,
  failureWord?: string,
): Promise<Settlement> => {
  const settlement = await env.inTransaction((ctx) => decide(ctx, answer, source, failureWord))
  if (settlement === 'UNDUE') await giveBack(env, answer.reference)
  return settlement
}

const ask = async (env: PaymentEnv, paymentId: PaymentId): Promise<ProviderPayment | null> => {
  try {
    return await env.provider.query(merchantOf(env), paymentId)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    env.log.warn({ paymentId, provider: env.provider.name }, 'The payment provider did not answer')
    return null
  }
}

const decide = async (
  ctx: Ctx,
  answer: ProviderPayment,
  source: SettleSource,
  failureWord: string | undefined,
): Promise<Settlement> => {
  const { db, customer } = ctx
  const known = await findPayment(db, customer.id, answer.reference)
  const order = known && (await lockOrder(db, customer.id, known.orderId))
  // Read again under the lock: whoever held it before may have settled this very payment.
  const payment = order && (await findPayment(db, customer.id, answer.reference))
  if (!order || !payment) return 'UNKNOWN_PAYMENT'
  if (payment.status === 'PAID') return 'SETTLED_BEFORE'

  const verdict = verdictOf(answer, payment)
  switch (verdict) {
    case 'WAITING':
      if (answer.status === 'PROCESSING') await move(ctx, payment, 'PROCESSING', answer)
      return 'WAITING'
    case 'FAILED': {
      if (!paymentMayBecome(payment.status as PaymentStatus, answer.status)) return 'SETTLED_BEFORE'
      const failure = failureWord ?? answer.failure ?? 'DECLINED'
      await move(ctx, payment, answer.status, { ...answer, failure })
      await failOrder(ctx, order, failure)
      return 'FAILED'
    }
    case 'AMOUNT_MISMATCH':
      ctx.log.error({ paymentId: payment.id, source, answer }, 'A payment came with another amount than was asked for')
      return undue(ctx, order, payment, answer, 'AMOUNT_MISMATCH')
    case 'PAID':
      if (
        nextOrderState(stateOf(order), 'PAID') === null ||
        !paymentMayBecome(payment.status as PaymentStatus, 'PAID')
      ) {
        return undue(ctx, order, payment, answer, 'LATE')
      }
      await move(ctx, payment, 'PAID', answer)
      await completeOrder(ctx, order, answer.card ? `${answer.card.issuer} ${answer.card.lastFour}` : null)
      ctx.log.info({ paymentId: payment.id, order: order.code, source }, 'An order is paid')
      return 'COMPLETED'
    default:
      return verdict satisfies never
  }
}

const move = (ctx: Ctx, payment: PaymentRow, status: PaymentStatus, answer: ProviderPayment) =>
  paymentMayBecome(payment.status as PaymentStatus, status)
    ? updatePayment(ctx.db, payment, {
        status,
        failure: status === 'PAID' || status === 'PROCESSING' ? null : answer.failure,
        ...(answer.card ? { cardIssuer: answer.card.issuer, cardLastFour: answer.card.lastFour } : {}),
        ...(status === 'PROCESSING' ? {} : { settledAt: ctx.clock.now().toISOString() }),
      })
    : payment

/** Money that the order cannot take never opens it again: a refund case is opened in the same transaction. */
const undue = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  answer: ProviderPayment,
  reason: 'LATE' | 'AMOUNT_MISMATCH',
): Promise<Settlement> => {
  if (answer.refunded >= answer.amount.amount) return 'SETTLED_BEFORE'
  const { amount, currency } = answer.amount
  await openRefundCase(
    ctx.db,
    ctx.customer.id,
    order.memberId,
    `Give back a payment of order ${order.code}`,
    { kind: 'UNDUE_PAYMENT', reason, orderId: order.id, paymentId: payment.id, amount, currency },
    ctx.clock.now(),
  )
  await move(ctx, payment, 'FAILED', { ...answer, failure: reason })
  await failOrder(ctx, order, reason)
  return 'UNDUE'
}
