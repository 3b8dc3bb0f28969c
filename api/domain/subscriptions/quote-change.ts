import type { MemberCtx } from '#api/context.ts'
import { lockPayer } from '#api/db/queries/cards.ts'
import { insertQuote } from '#api/db/queries/subscriptions.ts'
import { newId } from '#api/db/uuid.ts'
import type { CatalogStores } from '#api/domain/catalog/search-products.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import { planFacts, planViewer, viewPlan } from '#api/domain/plans/view-plan.ts'
import type { PlanId, QuoteId } from '#contract/ids.ts'
import type { Quote } from '#contract/plans.ts'
import { reckonChange } from './reckon-change.ts'

/** How long the price of an upgrade holds. */
export const quoteMilliseconds = 15 * 60_000

/** What a change of plan would cost now. The price of an upgrade is written down and holds for a quarter of an hour. */
export const quoteChange = async (ctx: MemberCtx, stores: CatalogStores, planId: PlanId): Promise<Quote | Failure> => {
  const { db, customer, clock, actor } = ctx
  await lockPayer(db, actor.memberId)
  const change = await reckonChange(ctx, actor.memberId, planId)
  if (isFailure(change)) return change
  const { subscription, plan, kind, periodStart, periodEnd } = change
  if (kind === 'CURRENT')
    return failure('VALIDATION_FAILED', { errors: { planId: ['Choose a plan other than your current one.'] } })
  const all = await planFacts(ctx, stores)
  const facts = all.find(({ row }) => row.id === plan.id)
  if (!facts) return failure('NOT_FOUND')

  const now = clock.now()
  const { currency } = subscription
  const money = (amount: number) => ({ amount, currency })
  const upgrade = kind === 'UPGRADE'
  const id = upgrade ? newId<QuoteId>() : null
  const expiresAt = new Date(Math.min(now.getTime() + quoteMilliseconds, Date.parse(subscription.periodEnd ?? '')))
  if (id) {
    await insertQuote(db, {
      ...{ customerId: customer.id, id, subscriptionId: subscription.id, memberId: actor.memberId, planId: plan.id },
      ...{ priceAmount: plan.priceAmount, creditAmount: change.credit, chargeAmount: change.charge, currency },
      ...{ periodStart: periodStart.toISOString(), periodEnd: periodEnd.toISOString() },
      ...{ expiresAt: expiresAt.toISOString(), createdAt: now.toISOString() },
    })
  }
  return {
    id,
    kind,
    plan: viewPlan(ctx, facts, all, await planViewer(ctx)),
    credit: money(change.credit),
    charge: money(change.charge),
    effectiveAt: (upgrade ? now : periodEnd).toISOString(),
    nextCharge: { at: periodEnd.toISOString(), amount: money(plan.priceAmount) },
    expiresAt: upgrade ? expiresAt.toISOString() : null,
    now: now.toISOString(),
  }
}
