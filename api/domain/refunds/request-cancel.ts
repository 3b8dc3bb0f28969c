import type { MemberCtx } from '#api/context.ts'
import { findOrder, lockOrder, type OrderRow } from '#api/db/queries/orders.ts'
import { openPayments } from '#api/db/queries/payments.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { getOrder } from '#api/domain/orders/get-order.ts'
import { closePayment } from '#api/domain/payments/close-payment.ts'
import type { MemberPaymentEnv } from '#api/domain/payments/env.ts'
import { failOrder } from '#api/domain/payments/fail-order.ts'
import type { RefundAccount } from '#api/payments/port.ts'
import type { OrderCode, OrderItemId, PaymentId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { Order } from '#contract/orders.ts'
import { returnMoney } from './return-money.ts'
import { writeRequest } from './write-request.ts'

export interface CancelWish {
  code: OrderCode
  reason: string
  itemIds?: OrderItemId[] | undefined
  refundAccount?: RefundAccount | undefined
  expectedAmount?: Money | undefined
}

/**
 * Cancels an order that waits for its deposit, or asks for money back. What goes back by rule is given back before this answers,
 * where the provider lets it; everything else stands on the desk.
 */
export const requestCancel = async (env: MemberPaymentEnv, wish: CancelWish): Promise<Order | Failure> => {
  const order = await env.inTransaction((ctx) => findOrder(ctx.db, ctx.customer.id, env.actor.memberId, wish.code))
  if (!order) return failure('NOT_FOUND')
  if (order.status === 'DEPOSIT_WAITING') {
    const refusal = await cancelDeposit(env, order)
    if (refusal) return refusal
  } else {
    const written = await env.inTransaction((ctx) => writeRequest(ctx, order.id, wish, env.sealSecret))
    if (isFailure(written)) return written
    if (written.accepted) await returnMoney(env, written.paymentId)
  }
  return env.inTransaction((ctx) => getOrder(ctx as MemberCtx, wish.code))
}

/** The provider is asked first: money that has just come is not lost, and the order is paid then. */
const cancelDeposit = async (env: MemberPaymentEnv, { id, code }: OrderRow): Promise<Failure | null> => {
  const open = await env.inTransaction((ctx) => openPayments(ctx.db, ctx.customer.id, [id]))
  for (const payment of open) {
    const closed = await closePayment(env, payment.id as PaymentId, 'CANCELLED_BY_MEMBER')
    if (closed === 'WAITING') return failure('PROVIDER_UNAVAILABLE')
  }
  return env.inTransaction(async (ctx) => {
    const order = await lockOrder(ctx.db, ctx.customer.id, id)
    const begun = await openPayments(ctx.db, ctx.customer.id, [id])
    if (order?.status === 'DEPOSIT_WAITING' && begun.length === 0) {
      await failOrder(ctx, order, 'CANCELLED_BY_MEMBER')
      return null
    }
    return order?.status === 'CANCEL_COMPLETE' ? null : failure('CANCEL_NOT_POSSIBLE', { data: { code } })
  })
}
