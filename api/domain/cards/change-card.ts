import type { Ctx, MemberCtx } from '#api/context.ts'
import { activeCards, type CardRow, lockPayer, setDefaultCard, updateCard } from '#api/db/queries/cards.ts'
import { standingSubscription } from '#api/db/queries/subscriptions.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { Card } from '#contract/cards.ts'
import type { CardId } from '#contract/ids.ts'
import { payWith } from './pay-with.ts'
import { removed } from './settle-card.ts'
import { viewCard } from './view-card.ts'

/** The member's cards under their lock, and the one that is meant. */
const find = async ({ db, customer, actor }: MemberCtx, id: CardId) => {
  await lockPayer(db, actor.memberId)
  const cards = await activeCards(db, customer.id, actor.memberId)
  return { card: cards.find((one) => one.id === id), others: cards.filter((one) => one.id !== id) }
}

/** Makes a card the default: it pays from now on, the subscription that stands as well. */
export const makeDefault = async (ctx: MemberCtx, id: CardId): Promise<Card | Failure> => {
  const { card } = await find(ctx, id)
  if (!card) return failure('NOT_FOUND')
  const chosen = await setDefaultCard(ctx.db, card)
  await payWith(ctx, chosen)
  const standing = await standingSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  return viewCard(ctx, chosen, standing?.cardId ?? null)
}

/** Removes a card. Another of the member's takes its place; the last one of a subscription that stands is needed. */
export const removeCard = async (ctx: MemberCtx, id: CardId): Promise<Failure | undefined> => {
  const { card, others } = await find(ctx, id)
  if (!card) return failure('NOT_FOUND')
  const [heir] = others
  const standing = await standingSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  if (!heir && standing) return failure('CARD_NEEDED')
  await updateCard(ctx.db, card, removed(ctx))
  if (heir) await inherit(ctx, card, heir)
  return undefined
}

const inherit = async (ctx: Ctx, card: CardRow, heir: CardRow) => {
  await payWith(ctx, heir, card.id)
  if (card.isDefault) await setDefaultCard(ctx.db, heir)
}
