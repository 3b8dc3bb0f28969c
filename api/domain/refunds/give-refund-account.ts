import type { Ctx, MemberCtx } from '#api/context.ts'
import { openRequest, updateRequest } from '#api/db/queries/cancel-requests.ts'
import { findOrder, lockOrder, type OrderRow } from '#api/db/queries/orders.ts'
import { paidPayment } from '#api/db/queries/payments.ts'
import { changeUndueCase, undueCasesOf } from '#api/db/queries/undue-money.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { getOrder } from '#api/domain/orders/get-order.ts'
import type { MemberPaymentEnv, PaymentEnv } from '#api/domain/payments/env.ts'
import type { RefundAccount } from '#api/payments/port.ts'
import type { OrderCode, PaymentId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { sealAccount } from './account.ts'
import { returnMoney } from './return-money.ts'

/** A member says where money that waits to go back by bank is sent; it is sent at once, where the bank lets it. */
export const giveRefundAccount = async (
  env: MemberPaymentEnv,
  code: OrderCode,
  account: RefundAccount,
): Promise<Order | Failure> => {
  const own = await env.inTransaction((ctx) => findOrder(ctx.db, ctx.customer.id, env.actor.memberId, code))
  if (!own) return failure('NOT_FOUND')
  if (!(await sendToAccount(env, own, account))) return failure('CANCEL_NOT_POSSIBLE')
  return env.inTransaction((ctx) => getOrder(ctx as MemberCtx, code))
}

/** Keeps an account for everything of an order that waits for one, and sends it. False where nothing waits. */
export const sendToAccount = async (env: PaymentEnv, { id }: OrderRow, account: RefundAccount): Promise<boolean> => {
  const payments = await env.inTransaction((ctx) => keep(ctx, id, sealAccount(env.sealSecret, account)))
  for (const paymentId of payments) await returnMoney(env, paymentId)
  return payments.length > 0
}

const keep = async (ctx: Ctx, orderId: string, sealed: string): Promise<PaymentId[]> => {
  const { db, customer, clock } = ctx
  const now = clock.now().toISOString()
  const order = await lockOrder(db, customer.id, orderId)
  if (!order) return []
  const payments = new Set<PaymentId>()
  for (const { id, open, data } of await undueCasesOf(db, customer.id, orderId)) {
    if (!open || !data.needsAccount) continue
    await changeUndueCase(db, customer.id, id, { needsAccount: false, account: sealed, nextAttemptAt: now })
    payments.add(data.paymentId as PaymentId)
  }
  const request = await openRequest(db, customer.id, orderId)
  const paid = request && order.method === 'BANK' && request.refundAccount === null
  if (paid) {
    await updateRequest(db, request, { refundAccount: sealed, nextAttemptAt: now })
    const payment = await paidPayment(db, customer.id, orderId)
    if (payment) payments.add(payment.id as PaymentId)
  }
  return [...payments]
}
