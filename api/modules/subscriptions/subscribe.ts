import { activeCards, type CardRow, findCard, lockPayer } from '#api/modules/billing/cards.queries.ts'
import { createRegistration, expiryOf, failRegistration, openRegistration } from '#api/modules/billing/cards.ts'
import { checkBuyer, type PaymentCtx, returnPath } from '#api/modules/billing/payment-states.ts'
import { recordConsent } from '#api/modules/identity/profile.ts'
import { findPlan, type PlanRow } from '#api/modules/plans/plans.queries.ts'
import {
  findCurrentSubscription,
  findSubscription,
  hasHadTrial,
  type SubscriptionRow,
} from '#api/modules/plans/subscriptions.queries.ts'
import { createSubscription } from '#api/modules/plans/subscriptions.ts'
import { isPlanOffered, plansClosed } from '#api/modules/storefront/plans.ts'
import type { CatalogStores } from '#api/modules/storefront/search.ts'
import { type Ctx, type Failure, failure, isFailure, type Member } from '#api/platform/context.ts'
import type { CardId, MemberId, PaymentId, PlanId, SubscriptionId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { SubscribeConfirmed } from '#contract/subscriptions.ts'
import { findPendingCharge, latestCharge } from './charges.queries.ts'
import { runCharge } from './charges.ts'
import { endSubscription } from './ending.ts'
import { advance, startSubscription } from './renewals.ts'
import { viewSubscription } from './subscription-view.ts'

/**
 * Saves the member's consent to recurring charges: the plan, its price and cycle, and the trial.
 */
export const saveRecurringConsent = async (
  ctx: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  memberId: MemberId,
  plan: PlanRow,
  trialDays: number,
) => {
  const terms = [
    plan.code,
    `${plan.priceAmount} ${plan.currency}`,
    plan.cycle,
    ...(trialDays ? [`trial ${trialDays}`] : []),
  ]
  await recordConsent(ctx, memberId, { type: 'RECURRING', granted: true, version: terms.join(' · ') })
}

interface Subscribe {
  id: PlanId
  /** The card to charge at once. Without one, the browser registers a card first. */
  cardId?: CardId | undefined
  returnUrl: string
  expectedPrice: Money
  /** The trial that the member was shown, in days; 0 without one. */
  expectedTrialDays?: number | undefined
  locale: string
}

interface StartedSubscription {
  subscription: SubscriptionRow
  /** The card that still has to be registered. */
  register: CardRow | null
  charge: PaymentId | null
}

/**
 * Starts a subscription and returns the URL for the browser: to the provider's page for a card, or
 * back with the subscription id. A member has at most one regular subscription. An attempt
 * abandoned on the provider's page is replaced by the next one.
 */
export const subscribe = async (
  ctx: PaymentCtx & { actor: Member },
  stores: CatalogStores,
  input: Subscribe,
): Promise<{ subscriptionId: SubscriptionId; redirectUrl: string } | Failure> => {
  const missing = input.cardId ? null : await checkBuyer(ctx)
  if (missing) return missing
  const begun = await ctx.inTransaction((tx) => begin(tx, ctx, stores, input))
  if (isFailure(begun)) return begun
  const subscriptionId = begun.subscription.id
  const path = returnPath(input.returnUrl, { subscription: subscriptionId })
  if (begun.register) {
    const page = await openRegistration(ctx, begun.register, { returnUrl: path, locale: input.locale })
    return page === null ? failure('PROVIDER_UNAVAILABLE') : { subscriptionId, redirectUrl: page }
  }
  if (begun.charge) await runCharge(ctx, begun.charge)
  return { subscriptionId, redirectUrl: path }
}

const begin = async (
  ctx: Ctx,
  { actor: { memberId }, provider }: PaymentCtx & { actor: Member },
  stores: CatalogStores,
  input: Subscribe,
): Promise<StartedSubscription | Failure> => {
  const { db, customer } = ctx
  const closed = plansClosed(ctx)
  if (closed) return closed
  await lockPayer(db, memberId)
  const plan = await findPlan(db, customer.id, input.id)
  if (!plan) return failure('NOT_FOUND')
  if (!(await isPlanOffered(ctx, stores, plan.id))) return failure('PLAN_NOT_ON_SALE')
  const price = { amount: plan.priceAmount, currency: plan.currency }
  if (price.amount !== input.expectedPrice.amount || price.currency !== input.expectedPrice.currency)
    return failure('PRICE_CHANGED', { data: { price } })
  const current = await findCurrentSubscription(db, customer.id, memberId)
  if (current && (current.activatedAt !== null || (await findPendingCharge(db, current))))
    return failure('SUBSCRIBED_ALREADY')
  const trialDays = (await hasHadTrial(db, customer.id, memberId)) ? 0 : plan.trialDays
  if (trialDays !== (input.expectedTrialDays ?? trialDays)) return failure('PRICE_CHANGED', { data: { price } })
  const card = input.cardId ? await usableCard(ctx, memberId, input.cardId) : null
  if (isRefusal(card)) return card.refusal
  if (current) await abandonSubscription(ctx, current)

  const register = card ? null : await createRegistration(ctx, { memberId, provider: provider.name })
  const cardId = (card ?? register)?.id ?? null
  const subscription = await createSubscription(ctx, { memberId, plan, cardId, trialDays })
  await saveRecurringConsent(ctx, memberId, plan, trialDays)
  if (register) return { subscription, register, charge: null }
  return { subscription, register: null, ...(await startSubscription(ctx, subscription, provider.name)) }
}

type Refusal = { refusal: Failure }
const isRefusal = (card: CardRow | Refusal | null): card is Refusal => card !== null && 'refusal' in card

const usableCard = async (ctx: Ctx, memberId: Member['memberId'], id: CardId): Promise<CardRow | Refusal> => {
  const active = await activeCards(ctx.db, ctx.customer.id, memberId)
  const card = active.find((candidate) => candidate.id === id)
  if (!card) return { refusal: failure('NOT_FOUND') }
  const past = expiryOf(card, ctx.clock.now(), ctx.customer.settings.base.timeZone) === 'PAST'
  return past ? { refusal: failure('CARD_REFUSED', { data: { failure: 'CARD_EXPIRED' } }) } : card
}

/** Ends a subscription abandoned before its first charge, and the registration of its card. */
const abandonSubscription = async (ctx: Ctx, subscription: SubscriptionRow) => {
  await endSubscription(ctx, subscription, 'REPLACED')
  const card = subscription.cardId && (await findCard(ctx.db, ctx.customer.id, subscription.cardId))
  if (card && card.status === 'READY') await failRegistration(ctx, card, 'SUPERSEDED')
}

/** Advances a subscription after the browser has returned, and reports its status. */
export const confirmSubscription = async (
  ctx: PaymentCtx & { actor: Member },
  stores: CatalogStores,
  id: SubscriptionId,
): Promise<{ confirmed: SubscribeConfirmed } | Failure> => {
  const started = await ctx.inTransaction(({ db, customer }) => findSubscription(db, customer.id, id))
  if (started?.memberId !== ctx.actor.memberId) return failure('NOT_FOUND')
  const row = (await advance(ctx, id)) ?? started
  return ctx.inTransaction(async (tx) => {
    if (row.activatedAt !== null) {
      const subscription = row.endedAt === null ? await viewSubscription(tx, stores, row) : null
      return { confirmed: { result: 'ACTIVE' as const, failure: null, subscription } }
    }
    if (row.endedAt === null) return { confirmed: { result: 'WAITING' as const, failure: null, subscription: null } }
    const charge = await latestCharge(tx.db, row)
    const card = row.cardId === null ? null : await findCard(tx.db, tx.customer.id, row.cardId)
    const why = charge?.failure ?? card?.failure ?? reasonOf(row)
    return { confirmed: { result: 'FAILED' as const, failure: why, subscription: null } }
  })
}

const reasonOf = ({ endReason }: SubscriptionRow) => (endReason === 'REPLACED' ? 'SUPERSEDED' : 'ABANDONED')
