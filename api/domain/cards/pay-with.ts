import type { Ctx } from '#api/context.ts'
import type { CardRow } from '#api/db/queries/cards.ts'
import { appendSubscriptionEvent, standingSubscription, updateSubscription } from '#api/db/queries/subscriptions.ts'
import type { MemberId } from '#contract/ids.ts'

/**
 * Pays a member's subscription with another card from now on, under the payer's lock. An overdue renewal is tried again with it at
 * the next sweep. With `inPlaceOf`, only where that card has paid so far.
 */
export const payWith = async (ctx: Ctx, card: CardRow, inPlaceOf?: string) => {
  const standing = await standingSubscription(ctx.db, ctx.customer.id, card.memberId as MemberId)
  if (!standing || standing.cardId === card.id || (inPlaceOf && standing.cardId !== inPlaceOf)) return
  const now = ctx.clock.now()
  const overdue = standing.status === 'PENDING' && standing.nextAttemptAt !== null
  await updateSubscription(ctx.db, standing, {
    cardId: card.id,
    ...(overdue ? { nextAttemptAt: now.toISOString() } : {}),
  })
  if (standing.activatedAt !== null)
    await appendSubscriptionEvent(ctx.db, standing, { type: 'CARD_CHANGED', detail: card.lastFour, at: now })
}
