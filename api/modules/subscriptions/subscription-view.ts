import type * as z from 'zod/mini'
import { findCard } from '#api/modules/billing/cards.queries.ts'
import { viewCard } from '#api/modules/billing/cards.ts'
import { memberPlans, readPlans } from '#api/modules/plans/plans.queries.ts'
import { isSuspended, nextChargeOf, openPlans } from '#api/modules/plans/plans.ts'
import {
  findCurrentSubscription,
  readSubscriptionEvents,
  type SubscriptionRow,
} from '#api/modules/plans/subscriptions.queries.ts'
import { planFacts, planViewer, viewPlan } from '#api/modules/storefront/plans.ts'
import type { CatalogStores } from '#api/modules/storefront/search.ts'
import { type Ctx, type Failure, isFailure, type MemberCtx } from '#api/platform/context.ts'
import { translateRow } from '#api/platform/i18n/translations.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type { storeSubscriptionExport, storeSubscriptionPage } from '#contract/admin/subscriptions.ts'
import type { PlanId } from '#contract/ids.ts'
import type { Page, PagingQuery } from '#contract/paging.ts'
import type { Subscription, SubscriptionAnswer, SubscriptionEvent } from '#contract/subscriptions.ts'
import type { Translations } from '#contract/translations.ts'
import { findPendingCharge, latestCharge } from './charges.queries.ts'
import {
  readPlanNames,
  readSubscriptionPage,
  type SubscriptionPageFilter,
  type SubscriptionPageRow,
} from './store-subscriptions.queries.ts'

/** Returns the member's current regular subscription and their partnership, if any. */
export const getSubscription = async (ctx: MemberCtx, stores: CatalogStores): Promise<SubscriptionAnswer> => {
  const { db, customer, actor } = ctx
  const subscription = await findCurrentSubscription(db, customer.id, actor.memberId)
  // An attempt abandoned on the provider's page does not count as a subscription.
  const has =
    subscription && (subscription.activatedAt !== null || (await findPendingCharge(db, subscription)) !== null)
  const plans = await memberPlans(db, customer.id, actor.memberId)
  const { partnership } = openPlans(plans, ctx.clock.now())
  return {
    regular: has ? await viewSubscription(ctx, stores, subscription) : null,
    partnership:
      partnership && plans.partnershipUntil ? { name: plans.partnershipName, until: plans.partnershipUntil } : null,
  }
}

/** Returns a subscription with its upcoming changes. */
export const viewSubscription = async (
  ctx: Ctx,
  stores: CatalogStores,
  row: SubscriptionRow,
): Promise<Subscription | null> => {
  const all = await planFacts(ctx, stores)
  const viewer = await planViewer(ctx)
  const planOf = (id: PlanId | null) => {
    const facts = all.find((plan) => plan.row.id === id)
    return facts ? viewPlan(ctx, facts, all, viewer) : null
  }
  const plan = planOf(row.planId)
  if (!plan) return null
  const { currency } = row
  const card = row.cardId === null ? null : await findCard(ctx.db, ctx.customer.id, row.cardId)
  return {
    id: row.id,
    plan,
    status: row.status,
    price: { amount: row.priceAmount, currency },
    cycle: row.cycle,
    startedAt: row.activatedAt,
    trialEndsAt: row.trialEndsAt,
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    nextCharge: nextChargeOf(row),
    cancelAt: row.cancelAt,
    paused: pauseOf(ctx, row),
    nextPlan: planOf(row.nextPlanId),
    overdue: await viewOverdue(ctx, row),
    card: card?.status === 'ACTIVE' ? viewCard(ctx, card, row.cardId) : null,
  }
}

const pauseOf = ({ clock }: Pick<Ctx, 'clock'>, row: SubscriptionRow): Subscription['paused'] => {
  const { pausedAt: since, resumeAt, periodEnd } = row
  return since === null ? null : { since, resumeAt, accessUntil: isSuspended(row, clock.now()) ? null : periodEnd }
}

const viewOverdue = async (ctx: Ctx, row: SubscriptionRow): Promise<Subscription['overdue']> => {
  if (row.graceUntil === null) return null
  const last = await latestCharge(ctx.db, row)
  const { attempts, nextAttemptAt, graceUntil } = row
  return { failure: last?.failure ?? null, attempts, nextAttemptAt, graceUntil }
}

/** Returns the member's subscription events, newest first. */
export const listHistory = async (ctx: MemberCtx, { page, size }: PagingQuery): Promise<Page<SubscriptionEvent>> => {
  const { db, customer, actor } = ctx
  const range = { limit: size, offset: (page - 1) * size }
  const { rows, total } = await readSubscriptionEvents(db, customer.id, actor.memberId, range)
  const plans = new Map((await readPlans(db, customer.id)).map((plan) => [plan.id, plan]))
  const items = rows.map(({ at, type, planId, amount, detail, planName, planTranslations }) => {
    const present = plans.get(planId)
    const currency = present?.currency ?? customer.settings.base.currency
    // During an upgrade, processes of the previous release write events without a name.
    const named = planName
      ? { planName, translations: namesOf(planTranslations) }
      : { planName: present?.name ?? '', translations: namesOf(present?.translations ?? {}) }
    const plan = translateRow(ctx, named, ['planName'])
    return {
      at,
      type,
      detail,
      ...plan,
      amount: amount === null ? null : { amount, currency },
    }
  })
  return { items, total, page, size }
}

/** The plan's translated names, under the key that events use. */
const namesOf = (translations: Translations): Translations =>
  Object.fromEntries(Object.entries(translations).map(([locale, texts]) => [locale, { planName: texts?.name ?? '' }]))

type Filters = z.output<typeof storeSubscriptionExport>

/** Returns what a list of subscriptions is filtered by. */
export const subscriptionFilterOf = (
  { clock }: Pick<Ctx, 'clock'>,
  { state, plan, sort, q }: Filters,
): Omit<SubscriptionPageFilter, 'after' | 'size'> => ({
  state: state ?? null,
  plan: plan ?? null,
  sort,
  emailStart: q === '' ? null : q.toLowerCase(),
  now: clock.now(),
})

const viewRow = ({
  memberId,
  email,
  name,
  priceAmount,
  currency,
  nextChargeAt,
  nextPriceAmount,
  attempts,
  nextAttemptAt,
  graceUntil,
  failure,
  ...row
}: Omit<SubscriptionPageRow, 'keyset'>) => ({
  ...row,
  member: memberId === null || email === null || name === null ? null : { id: memberId, email, name },
  price: { amount: priceAmount, currency },
  nextCharge: nextChargeAt === null ? null : { at: nextChargeAt, amount: { amount: nextPriceAmount, currency } },
  overdue: graceUntil === null ? null : { failure, attempts, nextAttemptAt, graceUntil },
})

/**
 * A page of the subscriptions of all members that have started. Failure: VALIDATION_FAILED for an
 * invalid cursor.
 */
export const pageSubscriptions = async (
  ctx: Ctx,
  { cursor, size, ...filters }: Filters & { cursor?: string | undefined; size: number },
): Promise<z.output<typeof storeSubscriptionPage> | Failure> => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const filter = { ...subscriptionFilterOf(ctx, filters), after, size }
  const { items, nextCursor } = keysetPageOf(await readSubscriptionPage(ctx.db, ctx.customer.id, filter), size)
  return { items: items.map(viewRow), nextCursor }
}

/** The plans to filter subscriptions by. */
export const listPlanNames = async ({ db, customer }: Ctx) => ({ items: await readPlanNames(db, customer.id) })

/** A started subscription as staff see it, with what is overdue. */
export const viewStarted = async ({ db, customer, clock }: Ctx, row: SubscriptionRow) => {
  const plans = await readPlans(db, customer.id)
  const present = plans.find(({ id }) => id === row.planId)
  const next = plans.find(({ id }) => id === row.nextPlanId)
  const last = row.graceUntil === null ? null : await latestCharge(db, row)
  const { id, status, cycle, activatedAt, trialEndsAt, periodEnd, cancelAt, attempts, nextAttemptAt, graceUntil } = row
  return {
    id,
    plan: present?.name ?? '',
    planId: row.planId,
    status,
    cycle,
    price: { amount: row.priceAmount, currency: row.currency },
    startedAt: activatedAt,
    trialEndsAt,
    periodEnd,
    nextCharge: nextChargeOf(row),
    cancelAt,
    paused: pauseOf({ clock }, row),
    nextPlan: next ? { id: next.id, name: next.name } : null,
    otherPlans: plans
      .filter((plan) => plan.id !== row.planId && plan.currency === row.currency)
      .map((plan) => ({
        id: plan.id,
        name: plan.name,
        price: { amount: plan.priceAmount, currency: plan.currency },
        cycle: plan.cycle,
        onSale: plan.onSale,
      })),
    overdue: graceUntil === null ? null : { failure: last?.failure ?? null, attempts, nextAttemptAt, graceUntil },
  }
}
