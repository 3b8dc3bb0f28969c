import { partnershipUntil } from '#api/db/queries/entitlements.ts'
import type { RightsCtx } from './rights.ts'

/** What a member's plans open: products with PLAN or PURCHASE_OR_PLAN access. */
export interface PlanCoverage {
  covers: boolean
  until: string | null
}

const none: PlanCoverage = { covers: false, until: null }

/**
 * What the asking person's plans cover now. A partnership, granted by the operator, covers every product on a plan. Subscriptions
 * with a scope of their own answer here too, and nowhere else.
 */
export const planCoverage = async (ctx: RightsCtx): Promise<PlanCoverage> => {
  if (ctx.actor.kind !== 'USER') return none
  const until = await partnershipUntil(ctx.db, ctx.customer.id, ctx.actor.memberId)
  return until !== null && Date.parse(until) > ctx.clock.now().getTime() ? { covers: true, until } : none
}
