import { findCurrentSubscription } from '#api/modules/plans/subscriptions.queries.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CardConfirmed } from '#contract/billing.ts'
import type { CardId, MemberId } from '#contract/ids.ts'
import { activeCards, type CardRow, findCard, insertCard, updateCard } from './cards.queries.ts'
import { callProvider, settleCard, vaultOf, viewCard } from './cards.ts'
import { atProvider, buyerOf, checkBuyer, type MemberPaymentCtx, merchantOf, returnPath } from './payment-states.ts'

/** Stores a card that the member still has to register on the provider's page. */
export const createRegistration = (
  { db, customer, clock }: Ctx,
  { memberId, provider, replaces }: { memberId: MemberId; provider: string; replaces?: CardId | undefined },
): Promise<CardRow> =>
  insertCard(db, {
    customerId: customer.id,
    id: newId(),
    memberId,
    provider,
    replacesId: replaces ?? null,
    createdAt: clock.now().toISOString(),
  })

/**
 * Closes a registration that the member has left. They may still complete it on the provider's
 * page, so it is queried again.
 */
export const failRegistration = (ctx: Ctx, card: CardRow, failure: 'ABANDONED' | 'SUPERSEDED') =>
  updateCard(ctx.db, card, { status: 'FAILED', failure, nextCheckAt: ctx.clock.now().toISOString() })

/** Limits how many stolen card numbers one account can test. */
const maxCards = 10

/**
 * Starts a card registration and returns the provider's page. The provider redirects the browser to
 * `returnUrl` with the parameter `card`.
 */
export const registerCard = async (
  ctx: MemberPaymentCtx,
  input: { returnUrl: string; replaces?: CardId | undefined; locale: string },
): Promise<{ id: CardId; redirectUrl: string } | Failure> => {
  const { memberId } = ctx.actor
  const missing = await checkBuyer(ctx)
  if (missing) return missing
  const registration = await ctx.inTransaction(async (tx) => {
    const { db, customer } = tx
    const active = await activeCards(db, customer.id, memberId)
    if (input.replaces && !active.some(({ id }) => id === input.replaces)) return failure('NOT_FOUND')
    if (!input.replaces && active.length >= maxCards) return failure('CONFLICT')
    return { card: await createRegistration(tx, { memberId, provider: ctx.provider.name, replaces: input.replaces }) }
  })
  if (isFailure(registration)) return registration
  const id = registration.card.id
  const redirectUrl = await openRegistration(ctx, registration.card, {
    returnUrl: returnPath(input.returnUrl, { card: id }),
    locale: input.locale,
  })
  return redirectUrl === null ? failure('PROVIDER_UNAVAILABLE') : { id, redirectUrl }
}

/**
 * Returns the provider's page for a stored registration, or null if the provider is unavailable.
 */
export const openRegistration = async (
  ctx: MemberPaymentCtx,
  card: CardRow,
  input: { returnUrl: string; locale: string },
): Promise<string | null> => {
  const buyer = await buyerOf(ctx)
  const result = await callProvider(ctx, { cardId: card.id }, () =>
    vaultOf(atProvider(ctx, card)).register(merchantOf(ctx), { reference: card.id, buyer, ...input }),
  )
  if (!result) return null
  const { providerRef, redirectUrl } = result.answer
  await ctx.inTransaction(({ db }) => updateCard(db, card, { providerRef }))
  return redirectUrl
}

/** Settles a registration after the browser has returned and reports its status. */
export const confirmCard = async (
  ctx: MemberPaymentCtx,
  id: CardId,
): Promise<{ confirmed: CardConfirmed } | Failure> => {
  const storedCard = await ctx.inTransaction(({ db, customer }) => findCard(db, customer.id, id))
  if (storedCard?.memberId !== ctx.actor.memberId || storedCard.status === 'REMOVED') return failure('NOT_FOUND')
  const card = await settleCard(ctx, id)
  if (card?.status !== 'ACTIVE') {
    const status = card?.status === 'READY' ? 'WAITING' : 'FAILED'
    return { confirmed: { status, failure: card?.failure ?? null, card: null } }
  }
  return ctx.inTransaction(async (tx) => {
    const subscription = await findCurrentSubscription(tx.db, tx.customer.id, ctx.actor.memberId)
    return { confirmed: { status: 'ACTIVE', failure: null, card: viewCard(tx, card, subscription?.cardId ?? null) } }
  })
}
