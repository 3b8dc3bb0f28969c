import type { MemberCtx } from '#api/context.ts'
import { activeCards } from '#api/db/queries/cards.ts'
import { standingSubscription } from '#api/db/queries/subscriptions.ts'
import type { Card } from '#contract/cards.ts'
import { viewCard } from './view-card.ts'

/** The member's cards, the default first. */
export const listCards = async (ctx: MemberCtx): Promise<Card[]> => {
  const rows = await activeCards(ctx.db, ctx.customer.id, ctx.actor.memberId)
  const standing = await standingSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  return rows.map((row) => viewCard(ctx, row, standing?.cardId ?? null))
}
