import type { MemberCtx } from '#api/context.ts'
import { changeMember, findMember } from '#api/db/queries/members.ts'
import { closeResets } from '#api/db/queries/password-resets.ts'
import { failure } from '#api/domain/failure.ts'
import { queueMemberMail } from '#api/domain/mail/queue-mail.ts'
import { passwordChangedMail } from '#api/mail/templates/password-changed.ts'
import type { Locale } from '#contract/enumerations.ts'
import { lowerEmail } from './email.ts'
import { endOtherSessions } from './end-session.ts'
import { invalid } from './field-words.ts'

export interface NewHash {
  /** The one that was verified: whoever changed it meanwhile wins. */
  from: string
  to: string
}

/** What a new password is refused for, in the reader's language. */
export const checkChange = (
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  email: string,
  language: Locale,
) => {
  if (newPassword === currentPassword) return invalid(language, 'newPassword', 'passwordIsOld')
  if (lowerEmail(newPassword) === lowerEmail(email)) return invalid(language, 'newPassword', 'passwordIsEmail')
  return undefined
}

/** Keeps the new password, ends every other session and every reset under way, and tells the owner by mail. */
export const changePassword = async (ctx: MemberCtx, { from, to }: NewHash) => {
  const { customer, actor, db, clock } = ctx
  const member = await findMember(db, customer.id, actor.memberId, { lock: true })
  if (!member) return failure('SESSION_EXPIRED')
  if (member.passwordHash !== from) return failure('CONFLICT')
  const now = clock.now()
  await changeMember(db, customer.id, actor.memberId, { passwordHash: to })
  await closeResets(db, customer.id, actor.memberId, now)
  await endOtherSessions(ctx)
  await queueMemberMail(ctx, actor.memberId, { template: passwordChangedMail, data: { at: now.toISOString() } })
  return undefined
}
