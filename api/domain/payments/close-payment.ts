import { lockOrder } from '#api/db/queries/orders.ts'
import { findPayment, updatePayment } from '#api/db/queries/payments.ts'
import { ProviderUnavailable } from '#api/payments/port.ts'
import type { PaymentId } from '#contract/ids.ts'
import { merchantOf, type PaymentEnv } from './env.ts'
import { failOrder } from './fail-order.ts'
import { apply, type Settlement } from './settle.ts'

/**
 * Closes a payment that must not be paid any more, at the provider first: one that was paid meanwhile is settled as paid instead.
 * `why` becomes the order's failure.
 */
export const closePayment = async (
  env: PaymentEnv,
  paymentId: PaymentId,
  why: 'ABANDONED' | 'SUPERSEDED',
): Promise<Settlement> => {
  try {
    const answer = await env.provider.cancel(merchantOf(env), paymentId)
    if (answer) return await apply(env, answer, 'RECONCILE', answer.failure === 'CLOSED_BY_STORE' ? why : undefined)
  } catch (error) {
    if (error instanceof ProviderUnavailable) return 'WAITING'
    throw error
  }
  // The provider has never heard of it: we stopped between writing it down and asking for it.
  return env.inTransaction(async (ctx) => {
    const payment = await findPayment(ctx.db, ctx.customer.id, paymentId)
    const order = payment && (await lockOrder(ctx.db, ctx.customer.id, payment.orderId))
    if (!order || payment.status !== 'READY') return 'SETTLED_BEFORE'
    await updatePayment(ctx.db, payment, {
      status: 'CANCELLED',
      failure: why,
      settledAt: ctx.clock.now().toISOString(),
    })
    await failOrder(ctx, order, why)
    return 'FAILED'
  })
}
