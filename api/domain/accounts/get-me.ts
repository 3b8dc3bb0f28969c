import type { MemberCtx } from '#api/context.ts'
import { readMember } from '#api/db/queries/members.ts'
import { memberPlans } from '#api/db/queries/plans.ts'
import { openPlans } from '#api/domain/entitlements/plan-coverage.ts'
import { failure } from '#api/domain/failure.ts'
import type { Me } from '#contract/accounts.ts'

export const getMe = async ({ customer, actor, db, clock }: MemberCtx) => {
  const member = await readMember(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  const plans = await memberPlans(db, customer.id, actor.memberId)
  return { ...member, usePlan: openPlans(plans, clock.now()) } satisfies Me
}
