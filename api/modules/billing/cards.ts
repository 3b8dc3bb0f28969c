import { type CardVault, type ProviderCard, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import { findCurrentSubscription } from '#api/modules/plans/subscriptions.queries.ts'
import { changeSubscription } from '#api/modules/plans/subscriptions.ts'
import { offsetAt } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, isFailure, type MemberCtx } from '#api/platform/context.ts'
import { encrypt } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { Card, CardConfirmed } from '#contract/billing.ts'
import type { CardId, MemberId } from '#contract/ids.ts'
import {
  activeCards,
  type CardRow,
  findCard,
  insertCard,
  lockPayer,
  removeActiveCards,
  setDefaultCard,
  updateCard,
} from './cards.queries.ts'
import {
  atProvider,
  buyerOf,
  checkBuyer,
  type MemberPaymentCtx,
  merchantOf,
  type PaymentCtx,
  returnPath,
} from './payment-states.ts'

/**
 * Charges the member's subscription to another card from now on. Requires the payer's lock. The
 * next sweep retries an overdue renewal with it. With `inPlaceOf`, the card changes only if that
 * card has paid so far.
 */
const assignSubscriptionCard = async (ctx: Ctx, card: CardRow, inPlaceOf?: string) => {
  const subscription = await findCurrentSubscription(ctx.db, ctx.customer.id, card.memberId)
  if (!subscription || subscription.cardId === card.id || (inPlaceOf && subscription.cardId !== inPlaceOf)) return
  const overdue = subscription.status === 'PENDING' && subscription.nextAttemptAt !== null
  const change = { cardId: card.id, ...(overdue ? { nextAttemptAt: ctx.clock.now().toISOString() } : {}) }
  const started = subscription.activatedAt !== null
  const event = { type: 'CARD_CHANGED', detail: card.lastFour } as const
  await changeSubscription(ctx, subscription, change, started ? event : undefined)
}

/**
 * Returns the provider's card vault.
 *
 * @throws if the provider stores no cards and therefore supports no subscriptions.
 */
export const vaultOf = ({ provider }: PaymentCtx): CardVault => {
  if (!provider.cards) throw new ProviderUnavailable(`${provider.name} keeps no cards`)
  return provider.cards
}

/** Returns the provider's answer, or null if the provider is unavailable. */
export const callProvider = async <Answer>(
  ctx: PaymentCtx,
  about: Record<string, string>,
  request: () => Promise<Answer>,
): Promise<{ answer: Answer } | null> => {
  try {
    return { answer: await request() }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    ctx.log.warn({ ...about, provider: ctx.provider.name }, 'The payment provider did not answer')
    return null
  }
}

/**
 * Queries a registration at the provider and applies the result once, however many callers race. A
 * replacement card takes over the default flag and the subscription; a member's first card becomes
 * the default. Returns the card, or null if it does not exist.
 */
export const settleCard = async (ctx: PaymentCtx, id: CardId): Promise<CardRow | null> => {
  const card = await ctx.inTransaction((tx) => findCard(tx.db, tx.customer.id, id))
  if (card?.status !== 'READY') return card
  const result = await callProvider(ctx, { cardId: id }, () =>
    vaultOf(atProvider(ctx, card)).query(merchantOf(ctx), id),
  )
  if (!result?.answer || result.answer.status === 'READY') return card
  const { answer } = result
  return ctx.inTransaction(async (tx) => {
    await lockPayer(tx.db, card.memberId)
    const waiting = await findCard(tx.db, tx.customer.id, id)
    return waiting?.status === 'READY' ? applyRegistration(tx, waiting, answer, ctx.encryptionSecret) : waiting
  })
}

const applyRegistration = async (
  ctx: Ctx,
  card: CardRow,
  answer: ProviderCard,
  encryptionSecret: string,
): Promise<CardRow> => {
  if (!answer.card) return updateCard(ctx.db, card, { status: 'FAILED', failure: answer.failure ?? 'CARD_DECLINED' })
  const { token, ...shown } = answer.card
  const others = await activeCards(ctx.db, ctx.customer.id, card.memberId)
  const replaced = others.find(({ id }) => id === card.replacesId)
  const updated = await updateCard(ctx.db, card, {
    ...shown,
    status: 'ACTIVE',
    token: encrypt(encryptionSecret, token),
  })
  if (replaced) {
    await assignSubscriptionCard(ctx, updated, replaced.id)
    await updateCard(ctx.db, replaced, removedColumns(ctx))
  }
  return replaced?.isDefault || others.length === 0 ? setDefaultCard(ctx.db, updated) : updated
}

/** The columns of a removed card. The token remains until the provider has deleted the card. */
const removedColumns = ({ clock }: Pick<Ctx, 'clock'>) => ({
  status: 'REMOVED' as const,
  isDefault: false,
  removedAt: clock.now().toISOString(),
})

/** Months since the year 0 in the calendar of a time zone. */
export const monthAt = (time: Date, timeZone: string): number => {
  const local = new Date(time.getTime() + offsetAt(time, timeZone))
  return local.getUTCFullYear() * 12 + local.getUTCMonth()
}

/** A card is valid until the end of its month. SOON means this month or the next. */
export const expiryOf = (
  card: { expiryMonth: number | null; expiryYear: number | null },
  now: Date,
  timeZone: string,
): Card['expiry'] => {
  if (card.expiryMonth === null || card.expiryYear === null) return 'GOOD'
  const monthsLeft = card.expiryYear * 12 + card.expiryMonth - 1 - monthAt(now, timeZone)
  if (monthsLeft < 0) return 'PAST'
  return monthsLeft <= 1 ? 'SOON' : 'GOOD'
}

/**
 * A card as its owner sees it. `payingCardId` is the card that pays for the current subscription.
 */
export const viewCard = (
  { customer, clock }: Pick<Ctx, 'customer' | 'clock'>,
  row: CardRow,
  payingCardId: CardId | null,
): Card => ({
  id: row.id,
  issuer: row.issuer ?? '',
  lastFour: row.lastFour ?? '',
  expiryMonth: row.expiryMonth,
  expiryYear: row.expiryYear,
  isDefault: row.isDefault,
  expiry: expiryOf(row, clock.now(), customer.settings.base.timeZone),
  paysSubscription: row.id === payingCardId,
  createdAt: row.createdAt,
})

/** Locks the payer and returns the member's cards with the requested one. */
const lockCards = async ({ db, customer, actor }: MemberCtx, id: CardId) => {
  await lockPayer(db, actor.memberId)
  const cards = await activeCards(db, customer.id, actor.memberId)
  return { card: cards.find((card) => card.id === id), others: cards.filter((one) => one.id !== id) }
}

/** Makes a card the default. The current subscription is charged to it as well. */
export const makeDefault = async (ctx: MemberCtx, id: CardId): Promise<Card | Failure> => {
  const { card } = await lockCards(ctx, id)
  if (!card) return failure('NOT_FOUND')
  const chosen = await setDefaultCard(ctx.db, card)
  await assignSubscriptionCard(ctx, chosen)
  const subscription = await findCurrentSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  return viewCard(ctx, chosen, subscription?.cardId ?? null)
}

/**
 * Removes a card. Another card of the member replaces it. Fails if the card is the last one and a
 * subscription depends on it.
 */
export const removeCard = async (ctx: MemberCtx, id: CardId): Promise<Failure | undefined> => {
  const { card, others } = await lockCards(ctx, id)
  if (!card) return failure('NOT_FOUND')
  const [successor] = others
  const subscription = await findCurrentSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  if (!successor && subscription) return failure('CARD_NEEDED')
  await updateCard(ctx.db, card, removedColumns(ctx))
  if (successor) await replaceRemovedCard(ctx, card, successor)
  return undefined
}

/** The successor of a removed card pays its subscription, and becomes the default in its place. */
const replaceRemovedCard = async (ctx: Ctx, card: CardRow, successor: CardRow) => {
  await assignSubscriptionCard(ctx, successor, card.id)
  if (card.isDefault) await setDefaultCard(ctx.db, successor)
}

/** Returns the member's cards, the default first. */
export const listCards = async (ctx: MemberCtx): Promise<Card[]> => {
  const rows = await activeCards(ctx.db, ctx.customer.id, ctx.actor.memberId)
  const subscription = await findCurrentSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  return rows.map((row) => viewCard(ctx, row, subscription?.cardId ?? null))
}

/** Removes all cards of a member who leaves the store. Requires the payer's lock. */
export const removeAllCards = async (ctx: Ctx, memberId: MemberId) => {
  await removeActiveCards(ctx.db, ctx.customer.id, memberId, removedColumns(ctx))
}

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
