import type { Ctx, MemberCtx } from '#api/context.ts'
import { findCard } from '#api/db/queries/cards.ts'
import { memberPlans } from '#api/db/queries/plans.ts'
import { chargeUnderWay, latestCharge } from '#api/db/queries/subscription-charges.ts'
import { type SubscriptionRow, standingSubscription } from '#api/db/queries/subscriptions.ts'
import { viewCard } from '#api/domain/cards/view-card.ts'
import type { CatalogStores } from '#api/domain/catalog/search-products.ts'
import { openPlans } from '#api/domain/entitlements/plan-coverage.ts'
import { planFacts, planViewer, viewPlan } from '#api/domain/plans/view-plan.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { CardId, SubscriptionId } from '#contract/ids.ts'
import type { Subscription, SubscriptionAnswer } from '#contract/plans.ts'

/** What the member has: the regular subscription that stands, and the partnership that was granted. */
export const getSubscription = async (ctx: MemberCtx, stores: CatalogStores): Promise<SubscriptionAnswer> => {
  const { db, customer, actor } = ctx
  const standing = await standingSubscription(db, customer.id, actor.memberId)
  // A try that was left on the provider's page is nothing one has.
  const has = standing && (standing.activatedAt !== null || (await chargeUnderWay(db, standing)) !== null)
  const held = await memberPlans(db, customer.id, actor.memberId)
  const { partnership } = openPlans(held, ctx.clock.now())
  return {
    regular: has ? await viewSubscription(ctx, stores, standing) : null,
    partnership:
      partnership && held.partnershipUntil ? { name: held.partnershipName, until: held.partnershipUntil } : null,
  }
}

/** A subscription with everything that is going to happen to it. */
export const viewSubscription = async (
  ctx: Ctx,
  stores: CatalogStores,
  row: SubscriptionRow,
): Promise<Subscription | null> => {
  const all = await planFacts(ctx, stores)
  const viewer = await planViewer(ctx)
  const planOf = (id: string | null) => {
    const facts = all.find((one) => one.row.id === id)
    return facts ? viewPlan(ctx, facts, all, viewer) : null
  }
  const plan = planOf(row.planId)
  if (!plan) return null
  const { currency } = row
  const card = row.cardId === null ? null : await findCard(ctx.db, ctx.customer.id, row.cardId as CardId)
  return {
    id: row.id as SubscriptionId,
    plan,
    status: row.status as Subscription['status'],
    price: { amount: row.priceAmount, currency },
    cycle: row.cycle as PlanCycle,
    startedAt: row.activatedAt,
    trialEndsAt: row.trialEndsAt,
    periodStart: row.periodStart,
    periodEnd: row.periodEnd,
    nextCharge: nextChargeOf(row),
    cancelAt: row.cancelAt,
    nextPlan: planOf(row.nextPlanId),
    overdue: await overdueOf(ctx, row),
    card: card?.status === 'ACTIVE' ? viewCard(ctx, card, row.cardId) : null,
  }
}

const nextChargeOf = (row: SubscriptionRow): Subscription['nextCharge'] => {
  const at = row.nextAttemptAt ?? row.periodEnd
  if (row.activatedAt === null || row.cancelAt !== null || row.endedAt !== null || at === null) return null
  return { at, amount: { amount: row.nextPriceAmount ?? row.priceAmount, currency: row.currency } }
}

const overdueOf = async (ctx: Ctx, row: SubscriptionRow): Promise<Subscription['overdue']> => {
  if (row.graceUntil === null) return null
  const last = await latestCharge(ctx.db, row)
  const { attempts, nextAttemptAt, graceUntil } = row
  return { failure: last?.failure ?? null, attempts, nextAttemptAt, graceUntil }
}
