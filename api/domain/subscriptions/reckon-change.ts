import type { Ctx } from '#api/context.ts'
import { findPlan, type PlanRow } from '#api/db/queries/plans.ts'
import { type SubscriptionRow, standingSubscription } from '#api/db/queries/subscriptions.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { kindOfChange } from '#api/domain/plans/change-kind.ts'
import { plansClosed } from '#api/domain/plans/list-plans.ts'
import { dayOfMonth, periodEnd } from '#api/domain/plans/period.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { MemberId, PlanId } from '#contract/ids.ts'
import { costOfRest, creditOf } from './prorate.ts'

/** What changing to a plan would mean now. `periodEnd` is when the next charge comes, `charge` what is charged at once. */
export interface Change {
  subscription: SubscriptionRow
  plan: PlanRow
  kind: 'CURRENT' | 'UPGRADE' | 'DOWNGRADE'
  credit: number
  charge: number
  periodStart: Date
  periodEnd: Date
}

/**
 * Reckons a change of plan. An upgrade within one cycle keeps its period: the rest of it is paid at the new price, less what is left of
 * what was paid. One from months to a year begins its year now. In a trial nothing has been paid: a plan with a trial goes on with it,
 * another begins now at its price. A subscription that is overdue, or about to end, has to be settled or taken back first.
 */
export const reckonChange = async (ctx: Ctx, memberId: MemberId, planId: PlanId): Promise<Change | Failure> => {
  const { db, customer, clock } = ctx
  const closed = plansClosed(ctx)
  if (closed) return closed
  const subscription = await standingSubscription(db, customer.id, memberId)
  if (!subscription?.activatedAt || !subscription.periodStart || !subscription.periodEnd) return failure('NOT_FOUND')
  const plan = await findPlan(db, customer.id, planId)
  const current = await findPlan(db, customer.id, subscription.planId as PlanId)
  if (!plan || !current) return failure('NOT_FOUND')
  const now = clock.now()
  const [start, end] = [new Date(subscription.periodStart), new Date(subscription.periodEnd)]
  const kind = kindOfChange({ ...subscription, plan: current }, plan)
  const unchanged = { subscription, plan, kind, credit: 0, charge: 0, periodStart: start, periodEnd: end }
  if (kind === 'CURRENT') return unchanged
  if (!plan.onSale) return failure('PLAN_NOT_ON_SALE')
  if (subscription.status !== 'PROCEEDING' || subscription.cancelAt !== null || end <= now) return failure('CONFLICT')
  if (kind === 'DOWNGRADE') return unchanged

  const inTrial = subscription.trialEndsAt !== null && Date.parse(subscription.trialEndsAt) > now.getTime()
  if (inTrial && plan.trialDays > 0) return unchanged
  const period = { start: start.getTime(), end: end.getTime() }
  const credit = inTrial ? 0 : creditOf(subscription.priceAmount, period, now.getTime())
  if (!inTrial && plan.cycle === subscription.cycle) {
    const charge = Math.max(0, costOfRest(plan.priceAmount, period, now.getTime()) - credit)
    return { ...unchanged, credit, charge }
  }
  const { timeZone } = customer.settings.base
  const begun = periodEnd(now, plan.cycle as PlanCycle, dayOfMonth(now, timeZone), timeZone)
  const charge = Math.max(0, plan.priceAmount - credit)
  return { ...unchanged, credit, charge, periodStart: now, periodEnd: begun }
}
