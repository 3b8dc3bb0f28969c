import type { MemberCtx } from '#api/context.ts'
import { readMember } from '#api/db/queries/members.ts'
import { openPlans } from '#api/domain/entitlements/plan-coverage.ts'
import { failure } from '#api/domain/failure.ts'
import type { Me } from '#contract/accounts.ts'

export const getMe = async ({ customer, actor, db, clock }: MemberCtx) => {
  const found = await readMember(db, customer.id, actor.memberId)
  if (!found) return failure('SESSION_EXPIRED')
  return { ...found.member, usePlan: openPlans(found.plans, clock.now()) } satisfies Me
}
