import type { MemberPlans } from '#api/modules/plans/plans.queries.ts'
import { isOpen, scheduledEnd } from '#api/modules/plans/plans.ts'
import type { ProductId } from '#contract/ids.ts'
import type { HeldRights } from './entitlements.queries.ts'

/**
 * The products with PLAN or PURCHASE_OR_PLAN access that a member's plans cover, each with its
 * announced end. Null if the plan renews.
 */
export type PlanCoverage = Map<ProductId, { until: string | null }>

/** Whether a partnership is active, and whether a subscription grants access to its plan. */
export const openPlans = (plans: MemberPlans, now: Date) => ({
  partnership: plans.partnershipUntil !== null && Date.parse(plans.partnershipUntil) > now.getTime(),
  regular: plans.subscription !== null && isOpen(plans.subscription, now),
})

/**
 * Returns which of the given products a member's plans cover. A partnership, granted by an
 * operator, covers every product on a plan. A subscription covers its plan's scope until the
 * period, or the grace period after a failed renewal, ends.
 */
export const planCoverage = (
  { plans, inScope }: Pick<HeldRights, 'plans' | 'inScope'>,
  ids: readonly ProductId[],
  now: Date,
): PlanCoverage => {
  const { partnership, regular } = openPlans(plans, now)
  const { plan, subscription, partnershipUntil } = plans
  const scope = inScope && new Set(inScope)
  const subscribed = !regular || !plan ? [] : ids.filter((id) => scope?.has(id) ?? true)
  const covered: PlanCoverage = new Map()
  if (partnership) for (const id of ids) covered.set(id, { until: partnershipUntil })
  for (const id of subscribed) {
    const until = later(covered.get(id)?.until, subscription && scheduledEnd(subscription))
    covered.set(id, { until })
  }
  return covered
}

/** Returns the later of two ends. Null means no end, undefined means none known yet. */
const later = (one: string | null | undefined, other: string | null) =>
  one === undefined ? other : one === null || other === null ? null : Date.parse(one) > Date.parse(other) ? one : other
