import { appendOrderEvent } from '#api/db/queries/orders.ts'
import { closeRefundCase, openRefundCases } from '#api/db/queries/payments.ts'
import { ProviderUnavailable } from '#api/payments/port.ts'
import type { PaymentId } from '#contract/ids.ts'
import { merchantOf, type PaymentEnv } from './env.ts'

const casesAtOnce = 100

/**
 * Gives undue money back and closes its case. The provider is told the total to give back, so that a repeat gives nothing twice; one
 * that does not answer leaves the case open for the next reconciliation. `only` limits it to one payment.
 */
export const giveBack = async (env: PaymentEnv, only?: PaymentId): Promise<void> => {
  const cases = await env.inTransaction((ctx) => openRefundCases(ctx.db, ctx.customer.id, casesAtOnce))
  for (const refund of cases) {
    const paymentId = refund.paymentId as PaymentId
    if (only && paymentId !== only) continue
    const answer = await env.provider.refund(merchantOf(env), paymentId, refund.amount).catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) return null
      throw error
    })
    if (answer?.code !== 'REFUNDED') {
      env.log.warn({ paymentId, answer }, 'A payment could not be given back yet')
      continue
    }
    await env.inTransaction(async (ctx) => {
      if (!(await closeRefundCase(ctx.db, ctx.customer.id, paymentId, ctx.clock.now()))) return
      const order = { customerId: ctx.customer.id, id: refund.orderId }
      const event = { type: 'REFUNDED', amount: refund.amount, detail: refund.reason, at: ctx.clock.now() } as const
      await appendOrderEvent(ctx.db, order, event)
    })
  }
}
