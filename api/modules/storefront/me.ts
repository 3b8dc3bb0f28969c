import { openPlans } from '#api/modules/entitlements/plan-coverage.ts'
import { failure, type MemberCtx } from '#api/platform/context.ts'
import type { Me } from '#contract/identity.ts'
import { readMember } from './me.queries.ts'

/**
 * Returns the signed-in member with the size of the cart and whether plans are open to them. Fails
 * with SESSION_EXPIRED if the member no longer exists.
 */
export const getMe = async ({ customer, actor, db, clock }: MemberCtx) => {
  const found = await readMember(db, customer.id, actor.memberId)
  if (!found) return failure('SESSION_EXPIRED')
  return { ...found.member, usePlan: openPlans(found.plans, clock.now()) } satisfies Me
}
