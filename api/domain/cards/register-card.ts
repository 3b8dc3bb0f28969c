import type { Member } from '#api/context.ts'
import { activeCards, type CardRow, findCard, insertCard, updateCard } from '#api/db/queries/cards.ts'
import { standingSubscription } from '#api/db/queries/subscriptions.ts'
import { newId } from '#api/db/uuid.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { buyerOf, checkBuyer } from '#api/domain/payments/buyer.ts'
import { atProvider, merchantOf, type PaymentEnv } from '#api/domain/payments/env.ts'
import { asked, vaultOf } from '#api/domain/subscriptions/vault.ts'
import type { CardConfirmed } from '#contract/cards.ts'
import type { CardId } from '#contract/ids.ts'
import { returnPath } from './return-path.ts'
import { settleCard } from './settle-card.ts'
import { viewCard } from './view-card.ts'

type MemberEnv = PaymentEnv & { actor: Member }

/** More than anybody needs; a stop for who tries stolen numbers. */
const mostCards = 10

/** Begins to register a card: answers the provider's page. `returnUrl` is where the browser comes back to, with `card`. */
export const registerCard = async (
  env: MemberEnv,
  input: { returnUrl: string; replaces?: CardId | undefined; locale: string },
): Promise<{ id: CardId; redirectUrl: string } | Failure> => {
  const { memberId } = env.actor
  const missing = await checkBuyer(env)
  if (missing) return missing
  const begun = await env.inTransaction(async ({ db, customer, clock }) => {
    const own = await activeCards(db, customer.id, memberId)
    if (input.replaces && !own.some(({ id }) => id === input.replaces)) return failure('NOT_FOUND')
    if (!input.replaces && own.length >= mostCards) return failure('CONFLICT')
    const card = await insertCard(db, {
      ...{ customerId: customer.id, id: newId(), memberId, provider: env.provider.name },
      ...{ replacesId: input.replaces ?? null, createdAt: clock.now().toISOString() },
    })
    return { card }
  })
  if (isFailure(begun)) return begun
  const id = begun.card.id as CardId
  const redirectUrl = await openRegistration(env, begun.card, {
    ...{ returnUrl: returnPath(input.returnUrl, { card: id }), locale: input.locale },
  })
  return redirectUrl === null ? failure('PROVIDER_UNAVAILABLE') : { id, redirectUrl }
}

/** The provider's page for a card that has been written down; null while the provider does not answer. */
export const openRegistration = async (
  env: MemberEnv,
  card: CardRow,
  input: { returnUrl: string; locale: string },
): Promise<string | null> => {
  const buyer = await buyerOf(env)
  const said = await asked(env, { cardId: card.id }, () =>
    vaultOf(atProvider(env, card)).register(merchantOf(env), { reference: card.id as CardId, buyer, ...input }),
  )
  if (!said) return null
  const { providerRef, redirectUrl } = said.answer
  await env.inTransaction(({ db }) => updateCard(db, card, { providerRef }))
  return redirectUrl
}

/** The browser has come back: how the registration stands. */
export const confirmCard = async (env: MemberEnv, id: CardId): Promise<{ confirmed: CardConfirmed } | Failure> => {
  const own = await env.inTransaction(({ db, customer }) => findCard(db, customer.id, id))
  if (own?.memberId !== env.actor.memberId || own.status === 'REMOVED') return failure('NOT_FOUND')
  const card = await settleCard(env, id)
  if (card?.status !== 'ACTIVE') {
    const status = card?.status === 'READY' ? 'WAITING' : 'FAILED'
    return { confirmed: { status, failure: card?.failure ?? null, card: null } }
  }
  return env.inTransaction(async (ctx) => {
    const standing = await standingSubscription(ctx.db, ctx.customer.id, env.actor.memberId)
    return { confirmed: { status: 'ACTIVE', failure: null, card: viewCard(ctx, card, standing?.cardId ?? null) } }
  })
}
