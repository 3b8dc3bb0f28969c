import type { MemberPlans } from '#api/db/queries/plans.ts'
import type { HeldRights } from '#api/db/queries/rights.ts'
import { isOpen, knownEnd } from '#api/domain/plans/access.ts'
import type { ProductId } from '#contract/ids.ts'

/** What a member's plans open, of products with PLAN or PURCHASE_OR_PLAN access: each with the end known of, null where it renews. */
export type PlanCoverage = Map<ProductId, { until: string | null }>

/** Whether a partnership holds, and whether a subscription opens its plan. */
export const openPlans = (held: MemberPlans, now: Date) => ({
  partnership: held.partnershipUntil !== null && Date.parse(held.partnershipUntil) > now.getTime(),
  regular: held.subscription !== null && isOpen(held.subscription, now),
})

/**
 * Which of some products a member's plans cover at a moment. A partnership, granted by the operator, covers every product on a plan; a
 * subscription what is in its plan's scope, until its period, or the grace after a failed renewal, is over.
 */
export const planCoverage = (
  { plans, inScope }: Pick<HeldRights, 'plans' | 'inScope'>,
  ids: readonly ProductId[],
  now: Date,
): PlanCoverage => {
  const { partnership, regular } = openPlans(plans, now)
  const { plan, subscription, partnershipUntil } = plans
  const subscribed = !regular || !plan ? [] : (inScope ?? ids)
  const covered: PlanCoverage = new Map()
  if (partnership) for (const id of ids) covered.set(id, { until: partnershipUntil })
  for (const id of subscribed) {
    const until = later(covered.get(id)?.until, subscription && knownEnd(subscription))
    covered.set(id, { until })
  }
  return covered
}

/** The later of two ends; null is no end at all, undefined none known yet. */
const later = (one: string | null | undefined, other: string | null) =>
  one === undefined ? other : one === null || other === null ? null : Date.parse(one) > Date.parse(other) ? one : other
