import type { MemberCtx } from '#api/context.ts'
import { readMember } from '#api/db/queries/members.ts'
import { failure } from '#api/domain/failure.ts'
import type { Me } from '#contract/accounts.ts'

export const getMe = async ({ customer, actor, db, clock }: MemberCtx) => {
  const member = await readMember(db, customer.id, actor.memberId)
  if (!member) return failure('SESSION_EXPIRED')
  const { partnershipUntil, ...rest } = member
  const partnership = partnershipUntil !== null && Date.parse(partnershipUntil) > clock.now().getTime()
  return { ...rest, usePlan: { partnership, regular: false } } satisfies Me
}
