import { lockOrder } from '#api/db/queries/orders.ts'
import { findPayment, updatePayment } from '#api/db/queries/payments.ts'
import { ProviderUnavailable } from '#api/payments/port.ts'
import type { PaymentId } from '#contract/ids.ts'
import { endUnpaid } from './decide.ts'
import { atProvider, merchantOf, type PaymentEnv } from './env.ts'
import { apply, type Settlement } from './settle.ts'
import type { Closure } from './states.ts'

/**
 * Closes a payment that must not be paid any more, at the provider first: one that was paid meanwhile is settled as paid instead.
 * `why` becomes the order's failure.
 */
export const closePayment = async (given: PaymentEnv, paymentId: PaymentId, why: Closure): Promise<Settlement> => {
  const known = await given.inTransaction((ctx) => findPayment(ctx.db, ctx.customer.id, paymentId))
  if (!known) return 'UNKNOWN_PAYMENT'
  const env = atProvider(given, known)
  const askedAt = env.clock.now()
  try {
    const answer = await env.provider.cancel(merchantOf(env), paymentId)
    if (answer) {
      const ours = answer.failure === 'CLOSED_BY_STORE' || answer.failure === 'DEPOSIT_EXPIRED'
      return await apply(env, { ...answer, askedAt }, 'RECONCILE', ours ? why : undefined)
    }
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
    await endUnpaid(ctx, order, why)
    return 'FAILED'
  })
}
