import type { Ctx } from '#api/context.ts'
import { activeCards, type CardRow, findCard, lockPayer, setDefaultCard, updateCard } from '#api/db/queries/cards.ts'
import { atProvider, merchantOf, type PaymentEnv } from '#api/domain/payments/env.ts'
import { asked, vaultOf } from '#api/domain/subscriptions/vault.ts'
import type { ProviderCard } from '#api/payments/port.ts'
import { seal } from '#api/seal.ts'
import type { CardId, MemberId } from '#contract/ids.ts'
import { payWith } from './pay-with.ts'

/**
 * Asks the provider how a registration stands and applies it, once however many ask. A registered card that replaces another takes over
 * its default and its subscription; a member's first card is their default. Answers the card; null for one that does not exist.
 */
export const settleCard = async (env: PaymentEnv, id: CardId): Promise<CardRow | null> => {
  const card = await env.inTransaction((ctx) => findCard(ctx.db, ctx.customer.id, id))
  if (card?.status !== 'READY') return card
  const said = await asked(env, { cardId: id }, () => vaultOf(atProvider(env, card)).query(merchantOf(env), id))
  if (!said?.answer || said.answer.status === 'READY') return card
  const { answer } = said
  return env.inTransaction(async (ctx) => {
    await lockPayer(ctx.db, card.memberId)
    const waiting = await findCard(ctx.db, ctx.customer.id, id)
    return waiting?.status === 'READY' ? apply(ctx, waiting, answer, env.sealSecret) : waiting
  })
}

const apply = async (ctx: Ctx, card: CardRow, answer: ProviderCard, sealSecret: string): Promise<CardRow> => {
  if (!answer.card) return updateCard(ctx.db, card, { status: 'FAILED', failure: answer.failure ?? 'CARD_DECLINED' })
  const { token, ...shown } = answer.card
  const others = await activeCards(ctx.db, ctx.customer.id, card.memberId as MemberId)
  const replaced = others.find(({ id }) => id === card.replacesId)
  const kept = await updateCard(ctx.db, card, { ...shown, status: 'ACTIVE', token: seal(sealSecret, token) })
  if (replaced) {
    await payWith(ctx, kept, replaced.id)
    await updateCard(ctx.db, replaced, removed(ctx))
  }
  return replaced?.isDefault || others.length === 0 ? setDefaultCard(ctx.db, kept) : kept
}

/** What is written on a registration that is not waited for any more: it may be finished on the provider's page all the same. */
export const givenUp = ({ clock }: Pick<Ctx, 'clock'>, failure: 'ABANDONED' | 'SUPERSEDED') => ({
  ...{ status: 'FAILED', failure, askAt: clock.now().toISOString() },
})

/** What is written on a card that is taken away: its token stays until the provider has forgotten it. */
export const removed = ({ clock }: Pick<Ctx, 'clock'>) => ({
  ...{ status: 'REMOVED', isDefault: false, removedAt: clock.now().toISOString() },
})
