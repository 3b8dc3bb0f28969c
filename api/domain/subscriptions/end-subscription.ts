import type { Ctx } from '#api/context.ts'
import { activeCards, lockPayer, updateCard } from '#api/db/queries/cards.ts'
import {
  appendSubscriptionEvent,
  closeQuotes,
  type SubscriptionRow,
  standingSubscription,
  updateSubscription,
} from '#api/db/queries/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'

export type EndReason = 'CANCELLED' | 'UNPAID' | 'FIRST_CHARGE_FAILED' | 'REFUNDED' | 'WITHDRAWN' | 'REPLACED'

/** Ends a subscription now, under its payer's lock. One that never began leaves no line in the history. */
export const end = async (ctx: Ctx, subscription: SubscriptionRow, reason: EndReason) => {
  const now = ctx.clock.now()
  await closeQuotes(ctx.db, subscription, now)
  if (subscription.activatedAt !== null)
    await appendSubscriptionEvent(ctx.db, subscription, { type: 'ENDED', detail: reason, at: now })
  return updateSubscription(ctx.db, subscription, {
    endedAt: now.toISOString(),
    endReason: reason,
    nextAttemptAt: null,
  })
}

/**
 * Ends a member's subscription at once, whatever is under way: a charge that is paid later is given back. Answers whether there was
 * one. A member who leaves the store leaves their cards as well: they are removed here, and at the provider by the next sweep.
 * With `only`, another subscription than that one goes on.
 */
export const endSubscription = async (
  ctx: Ctx,
  memberId: MemberId,
  reason: Extract<EndReason, 'WITHDRAWN' | 'REFUNDED'>,
  only?: string,
): Promise<boolean> => {
  await lockPayer(ctx.db, memberId)
  const found = await standingSubscription(ctx.db, ctx.customer.id, memberId)
  const standing = only === undefined || found?.id === only ? found : null
  if (standing) await end(ctx, standing, reason)
  if (reason === 'WITHDRAWN') {
    const removed = { status: 'REMOVED', isDefault: false, removedAt: ctx.clock.now().toISOString() }
    for (const card of await activeCards(ctx.db, ctx.customer.id, memberId)) await updateCard(ctx.db, card, removed)
  }
  return standing !== null
}
