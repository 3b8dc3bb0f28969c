import type { Member, MemberCtx } from '#api/context.ts'
import { findPaymentOf } from '#api/db/queries/payments.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { getOrder } from '#api/domain/orders/get-order.ts'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import type { PaymentEnv } from './env.ts'
import { settle } from './settle.ts'

/** The browser has come back: settles the payment and answers the order as it stands. */
export const confirmPayment = async (
  env: PaymentEnv & { actor: Member },
  id: PaymentId,
): Promise<{ order: Order } | Failure> => {
  const { memberId } = env.actor
  const own = await env.inTransaction((ctx) => findPaymentOf(ctx.db, ctx.customer.id, memberId, id))
  if (!own) return failure('NOT_FOUND')
  const open = own.payment.status === 'READY' || own.payment.status === 'PROCESSING'
  if (open) await settle(env, id, 'RETURN')
  const order = await env.inTransaction((ctx) => getOrder(ctx as MemberCtx, own.order.code as OrderCode))
  return 'failure' in order ? order : { order }
}
