import { type CardVault, type ProviderCard, ProviderUnavailable } from '#api/modules/billing/providers/provider.ts'
import {
  appendSubscriptionEvent,
  findCurrentSubscription,
  updateSubscription,
} from '#api/modules/plans/subscriptions.queries.ts'
import { offsetAt } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, isFailure, type Member, type MemberCtx } from '#api/platform/context.ts'
import { encrypt } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { Card, CardConfirmed } from '#contract/cards.ts'
import type { CardId } from '#contract/ids.ts'
import {
  activeCards,
  type CardRow,
  findCard,
  insertCard,
  lockPayer,
  setDefaultCard,
  updateCard,
} from './cards.queries.ts'
import { atProvider, buyerOf, checkBuyer, merchantOf, type PaymentEnv } from './payment-states.ts'

/**
 * Charges the member's subscription to another card from now on. Requires the payer's lock. The
 * next sweep retries an overdue renewal with it. With `inPlaceOf`, the card changes only if that
 * card has paid so far.
 */
export const payWith = async (ctx: Ctx, card: CardRow, inPlaceOf?: string) => {
  const standing = await findCurrentSubscription(ctx.db, ctx.customer.id, card.memberId)
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

/**
 * Returns the provider's card vault.
 *
 * @throws if the provider stores no cards and therefore supports no subscriptions.
 */
export const vaultOf = ({ provider }: PaymentEnv): CardVault => {
  if (!provider.cards) throw new ProviderUnavailable(`${provider.name} keeps no cards`)
  return provider.cards
}

/** Returns the provider's answer, or null if the provider is unavailable. */
export const callProvider = async <Answer>(
  env: PaymentEnv,
  about: Record<string, string>,
  ask: () => Promise<Answer>,
): Promise<{ answer: Answer } | null> => {
  try {
    return { answer: await ask() }
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
    env.log.warn({ ...about, provider: env.provider.name }, 'The payment provider did not answer')
    return null
  }
}

/**
 * Queries a registration at the provider and applies the result once, however many callers race. A
 * replacement card takes over the default flag and the subscription; a member's first card becomes
 * the default. Returns the card, or null if it does not exist.
 */
export const settleCard = async (env: PaymentEnv, id: CardId): Promise<CardRow | null> => {
  const card = await env.inTransaction((ctx) => findCard(ctx.db, ctx.customer.id, id))
  if (card?.status !== 'READY') return card
  const said = await callProvider(env, { cardId: id }, () => vaultOf(atProvider(env, card)).query(merchantOf(env), id))
  if (!said?.answer || said.answer.status === 'READY') return card
  const { answer } = said
  return env.inTransaction(async (ctx) => {
    await lockPayer(ctx.db, card.memberId)
    const waiting = await findCard(ctx.db, ctx.customer.id, id)
    return waiting?.status === 'READY' ? apply(ctx, waiting, answer, env.encryptionSecret) : waiting
  })
}

const apply = async (ctx: Ctx, card: CardRow, answer: ProviderCard, encryptionSecret: string): Promise<CardRow> => {
  if (!answer.card) return updateCard(ctx.db, card, { status: 'FAILED', failure: answer.failure ?? 'CARD_DECLINED' })
  const { token, ...shown } = answer.card
  const others = await activeCards(ctx.db, ctx.customer.id, card.memberId)
  const replaced = others.find(({ id }) => id === card.replacesId)
  const kept = await updateCard(ctx.db, card, { ...shown, status: 'ACTIVE', token: encrypt(encryptionSecret, token) })
  if (replaced) {
    await payWith(ctx, kept, replaced.id)
    await updateCard(ctx.db, replaced, removed(ctx))
  }
  return replaced?.isDefault || others.length === 0 ? setDefaultCard(ctx.db, kept) : kept
}

/**
 * The columns of a failed registration. The member may still complete it on the provider's page.
 */
export const failedRegistration = ({ clock }: Pick<Ctx, 'clock'>, failure: 'ABANDONED' | 'SUPERSEDED') => ({
  status: 'FAILED' as const,
  failure,
  askAt: clock.now().toISOString(),
})

/** The columns of a removed card. The token remains until the provider has deleted the card. */
export const removed = ({ clock }: Pick<Ctx, 'clock'>) => ({
  status: 'REMOVED' as const,
  isDefault: false,
  removedAt: clock.now().toISOString(),
})

/** Months since the year 0 in the calendar of a time zone. */
export const monthAt = (moment: Date, timeZone: string): number => {
  const local = new Date(moment.getTime() + offsetAt(moment, timeZone))
  return local.getUTCFullYear() * 12 + local.getUTCMonth()
}

/** A card is valid until the end of its month. SOON means this month or the next. */
export const expiryOf = (
  card: { expiryMonth: number | null; expiryYear: number | null },
  now: Date,
  timeZone: string,
): Card['expiry'] => {
  if (card.expiryMonth === null || card.expiryYear === null) return 'GOOD'
  const left = card.expiryYear * 12 + card.expiryMonth - 1 - monthAt(now, timeZone)
  return left < 0 ? 'PAST' : left <= 1 ? 'SOON' : 'GOOD'
}

/**
 * A card as its owner sees it. `payingCardId` is the card that pays for the current subscription.
 */
export const viewCard = (
  { customer, clock }: Pick<Ctx, 'customer' | 'clock'>,
  row: CardRow,
  payingCardId: string | null,
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
const find = async ({ db, customer, actor }: MemberCtx, id: CardId) => {
  await lockPayer(db, actor.memberId)
  const cards = await activeCards(db, customer.id, actor.memberId)
  return { card: cards.find((one) => one.id === id), others: cards.filter((one) => one.id !== id) }
}

/** Makes a card the default. The current subscription is charged to it as well. */
export const makeDefault = async (ctx: MemberCtx, id: CardId): Promise<Card | Failure> => {
  const { card } = await find(ctx, id)
  if (!card) return failure('NOT_FOUND')
  const chosen = await setDefaultCard(ctx.db, card)
  await payWith(ctx, chosen)
  const standing = await findCurrentSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  return viewCard(ctx, chosen, standing?.cardId ?? null)
}

/**
 * Removes a card. Another card of the member replaces it. Fails if the card is the last one and a
 * subscription depends on it.
 */
export const removeCard = async (ctx: MemberCtx, id: CardId): Promise<Failure | undefined> => {
  const { card, others } = await find(ctx, id)
  if (!card) return failure('NOT_FOUND')
  const [heir] = others
  const standing = await findCurrentSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  if (!heir && standing) return failure('CARD_NEEDED')
  await updateCard(ctx.db, card, removed(ctx))
  if (heir) await inherit(ctx, card, heir)
  return undefined
}

const inherit = async (ctx: Ctx, card: CardRow, heir: CardRow) => {
  await payWith(ctx, heir, card.id)
  if (card.isDefault) await setDefaultCard(ctx.db, heir)
}

/** Returns the member's cards, the default first. */
export const listCards = async (ctx: MemberCtx): Promise<Card[]> => {
  const rows = await activeCards(ctx.db, ctx.customer.id, ctx.actor.memberId)
  const standing = await findCurrentSubscription(ctx.db, ctx.customer.id, ctx.actor.memberId)
  return rows.map((row) => viewCard(ctx, row, standing?.cardId ?? null))
}

/** Returns the path to which the provider redirects the browser, with `about` in its query. */
export const returnPath = (path: string, about: Record<string, string>) => {
  const url = new URL(path, 'http://store.invalid')
  for (const [name, value] of Object.entries(about)) url.searchParams.set(name, value)
  return `${url.pathname}${url.search}${url.hash}`
}

type MemberEnv = PaymentEnv & { actor: Member }

/** Limits how many stolen card numbers one account can test. */
const mostCards = 10

/**
 * Starts a card registration and returns the provider's page. The provider redirects the browser to
 * `returnUrl` with the parameter `card`.
 */
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
      customerId: customer.id,
      id: newId(),
      memberId,
      provider: env.provider.name,
      replacesId: input.replaces ?? null,
      createdAt: clock.now().toISOString(),
    })
    return { card }
  })
  if (isFailure(begun)) return begun
  const id = begun.card.id
  const redirectUrl = await openRegistration(env, begun.card, {
    returnUrl: returnPath(input.returnUrl, { card: id }),
    locale: input.locale,
  })
  return redirectUrl === null ? failure('PROVIDER_UNAVAILABLE') : { id, redirectUrl }
}

/**
 * Returns the provider's page for a stored registration, or null if the provider is unavailable.
 */
export const openRegistration = async (
  env: MemberEnv,
  card: CardRow,
  input: { returnUrl: string; locale: string },
): Promise<string | null> => {
  const buyer = await buyerOf(env)
  const said = await callProvider(env, { cardId: card.id }, () =>
    vaultOf(atProvider(env, card)).register(merchantOf(env), { reference: card.id, buyer, ...input }),
  )
  if (!said) return null
  const { providerRef, redirectUrl } = said.answer
  await env.inTransaction(({ db }) => updateCard(db, card, { providerRef }))
  return redirectUrl
}

/** Settles a registration after the browser has returned and reports its status. */
export const confirmCard = async (env: MemberEnv, id: CardId): Promise<{ confirmed: CardConfirmed } | Failure> => {
  const own = await env.inTransaction(({ db, customer }) => findCard(db, customer.id, id))
  if (own?.memberId !== env.actor.memberId || own.status === 'REMOVED') return failure('NOT_FOUND')
  const card = await settleCard(env, id)
  if (card?.status !== 'ACTIVE') {
    const status = card?.status === 'READY' ? 'WAITING' : 'FAILED'
    return { confirmed: { status, failure: card?.failure ?? null, card: null } }
  }
  return env.inTransaction(async (ctx) => {
    const standing = await findCurrentSubscription(ctx.db, ctx.customer.id, env.actor.memberId)
    return { confirmed: { status: 'ACTIVE', failure: null, card: viewCard(ctx, card, standing?.cardId ?? null) } }
  })
}
