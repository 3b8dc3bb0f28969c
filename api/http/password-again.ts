import { findMember } from '#api/db/queries/members.ts'
import { invalid } from '#api/domain/accounts/field-words.ts'
import { verifyPassword } from '#api/domain/accounts/password.ts'
import { failure } from '#api/domain/failure.ts'
import { type MemberCallContext, transact, unwrap } from './call-context.ts'
import { takeSharedTicket } from './limits.ts'
import { callerLanguage } from './locale.ts'

/** The member of this call, who has just given their password again; `field` is blamed for a wrong one. Wrong tries are counted. */
export const passwordAgain = async (call: MemberCallContext, field: string, password: string) => {
  const { customer, actor, deps } = call
  const ticket = await takeSharedTicket(deps.limits.passwords, customer.id, actor.sessionId)
  const member = await transact(
    call,
    async ({ db }) => (await findMember(db, customer.id, actor.memberId)) ?? failure('SESSION_EXPIRED'),
  )
  // Outside of a transaction: hashing takes longer than everything else together.
  if (!(await verifyPassword(password, member.passwordHash)))
    return unwrap(invalid(callerLanguage(call), field, 'wrongPassword'))
  await ticket.giveBack()
  return member
}
