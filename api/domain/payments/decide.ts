import type { Ctx } from '#api/context.ts'
import { appendOrderEvent, lockOrder, type OrderRow } from '#api/db/queries/orders.ts'
import { findPayment, type PaymentRow, updatePayment } from '#api/db/queries/payments.ts'
import { nextOrderState } from '#api/domain/orders/states.ts'
import { noteUndueDeposits, noteUnduePayment } from '#api/domain/refunds/undue.ts'
import type { ProviderPayment } from '#api/payments/port.ts'
import { completeOrder } from './complete-order.ts'
import { depositReversed } from './deposit-reversed.ts'
import { failOrder, stateOf } from './fail-order.ts'
import type { Answer, Settlement, SettleSource } from './settle.ts'
import { type Closure, type PaymentStatus, paymentMayBecome, verdictOf } from './states.ts'

/** `undue`: money has come that goes back. STALE: the provider was asked before the last decision, and has to be asked again. */
export interface Decision {
  settlement: Settlement | 'STALE'
  undue: boolean
}

/** What an answer of the provider makes of a payment and its order, under the order's lock. */
export const decide = async (
  ctx: Ctx,
  answer: Answer,
  source: SettleSource,
  closure: Closure | undefined,
): Promise<Decision> => {
  const { db, customer } = ctx
  const known = await findPayment(db, customer.id, answer.reference)
  const order = known && (await lockOrder(db, customer.id, known.orderId))
  // Read again under the lock: whoever held it before may have settled this very payment.
  const payment = order && (await findPayment(db, customer.id, answer.reference))
  if (!order || !payment) return { settlement: 'UNKNOWN_PAYMENT', undue: false }
  const settlement = await judge(ctx, order, payment, answer, source, closure)
  if (settlement === 'STALE') return { settlement, undue: false }
  const deposits = payment.method === 'BANK' && (await noteUndueDeposits(ctx, order.id, payment.id, answer))
  return {
    settlement: deposits && settlement === 'OPEN' ? 'UNDUE' : settlement,
    undue: deposits || settlement === 'UNDUE',
  }
}

const judge = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  answer: Answer,
  source: SettleSource,
  closure: Closure | undefined,
): Promise<Settlement | 'STALE'> => {
  const verdict = verdictOf(answer, payment)
  const before = payment.status as PaymentStatus
  const old = payment.settledAt !== null && answer.askedAt.getTime() <= Date.parse(payment.settledAt)
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
      ctx.log.error({ paymentId: payment.id, source, answer }, 'A payment came with another amount than was asked for')
      return undue(ctx, order, payment, answer, 'AMOUNT_MISMATCH')
    case 'PAID':
      if (nextOrderState(stateOf(order), 'PAID') === null || !paymentMayBecome(before, 'PAID')) {
        return undue(ctx, order, payment, answer, 'LATE')
      }
      // A deposit that has been reversed once may be paid again, but not by an answer from before.
      if (old) return 'STALE'
      await move(ctx, payment, 'PAID', answer)
      await completeOrder(ctx, order, paidWith(payment, answer))
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
  paymentMayBecome(payment.status as PaymentStatus, status)
    ? updatePayment(ctx.db, payment, {
        status,
        failure: status === 'PAID' || status === 'PROCESSING' ? null : answer.failure,
        ...(answer.card ? { cardIssuer: answer.card.issuer, cardLastFour: answer.card.lastFour } : {}),
        ...(status === 'PROCESSING' ? {} : { settledAt: ctx.clock.now().toISOString() }),
      })
    : payment

/** A payment has ended unpaid. Where another method was chosen the order goes on; else it has failed, as far as its state allows. */
export const endUnpaid = async (ctx: Ctx, order: OrderRow, failure: string) => {
  if (failure !== 'METHOD_CHANGED') return failOrder(ctx, order, failure)
  await appendOrderEvent(ctx.db, order, { type: 'METHOD_CHANGED', at: ctx.clock.now() })
}

/** Money that the order cannot take never opens it again: a refund case is opened in the same transaction. */
const undue = async (
  ctx: Ctx,
  order: OrderRow,
  payment: PaymentRow,
  answer: ProviderPayment,
  reason: 'LATE' | 'AMOUNT_MISMATCH',
): Promise<Settlement> => {
  if (answer.refunded >= answer.amount.amount) return 'SETTLED_BEFORE'
  await noteUnduePayment(ctx, order, payment, answer.amount, reason)
  await move(ctx, payment, 'FAILED', { ...answer, failure: reason })
  await failOrder(ctx, order, reason)
  return 'UNDUE'
}
