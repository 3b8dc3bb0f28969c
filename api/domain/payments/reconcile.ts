import { expiredDrafts, lockOrder } from '#api/db/queries/orders.ts'
import { openPayments, stalePayments } from '#api/db/queries/payments.ts'
import type { PaymentId } from '#contract/ids.ts'
import { closePayment } from './close-payment.ts'
import type { PaymentEnv } from './env.ts'
import { failOrder } from './fail-order.ts'
import { giveBack } from './give-back.ts'
import { settle } from './settle.ts'

/** A person is given this long on the provider's page before we ask by ourselves. */
const staleSeconds = 60
const atOnce = 200

/**
 * Brings one tenant's payments in line with the provider: asks about those under way for a while, closes drafts whose time is over
 * (paid meanwhile: completes them), and gives back what came too late. Safe to run at any time and in several processes.
 */
export const reconcile = async (env: PaymentEnv): Promise<void> => {
  const now = env.clock.now()
  const stale = await env.inTransaction((ctx) =>
    stalePayments(ctx.db, ctx.customer.id, new Date(now.getTime() - staleSeconds * 1000), atOnce),
  )
  for (const { id } of stale) await settle(env, id as PaymentId, 'RECONCILE')

  const expired = await env.inTransaction((ctx) => expiredDrafts(ctx.db, ctx.customer.id, now, atOnce))
  for (const draft of expired) {
    const open = await env.inTransaction((ctx) => openPayments(ctx.db, ctx.customer.id, [draft.id]))
    for (const payment of open) await closePayment(env, payment.id as PaymentId, 'ABANDONED')
    if (open.length > 0) continue
    await env.inTransaction(async (ctx) => {
      const order = await lockOrder(ctx.db, ctx.customer.id, draft.id)
      const begun = order ? await openPayments(ctx.db, ctx.customer.id, [order.id]) : []
      if (order && begun.length === 0) await failOrder(ctx, order, 'ABANDONED')
    })
  }
  await giveBack(env)
}
