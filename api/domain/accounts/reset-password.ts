import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { findCredentials } from '#api/db/queries/members.ts'
import { consumeReset, extendResets, findReset } from '#api/db/queries/password-resets.ts'
import { members, sessions } from '#api/db/schema/accounts.ts'
import { passwordResets } from '#api/db/schema/joining.ts'
import { newId } from '#api/db/uuid.ts'
import { failure } from '#api/domain/failure.ts'
import { queueMemberMail } from '#api/domain/mail/queue-mail.ts'
import { passwordChangedMail } from '#api/mail/templates/password-changed.ts'
import { passwordResetMail } from '#api/mail/templates/password-reset.ts'
import type { Locale } from '#contract/enumerations.ts'
import { lowerEmail } from './email.ts'
import { invalid } from './field-words.ts'

const keyMinutes = 10
const hashKey = (accessKey: string) => createHash('sha256').update(accessKey).digest('hex')

/**
 * Sends a member the way to a new password: a key of 256 bits, kept as a hash. Nobody's e-mail gets nothing. A mail of the last
 * minutes counts for every request meanwhile, whoever makes it: its key is good for longer instead.
 */
export const requestReset = async (ctx: Ctx, email: string, locale: Locale) => {
  const { customer, db, clock } = ctx
  const member = await findCredentials(db, customer.id, lowerEmail(email), { lock: 'alone' })
  if (!member) return
  const now = clock.now()
  const keyMilliseconds = keyMinutes * 60_000
  const expiresAt = new Date(now.getTime() + keyMilliseconds)
  if (
    await extendResets(db, customer.id, member.id, { now, since: new Date(now.getTime() - keyMilliseconds), expiresAt })
  )
    return
  const accessKey = randomBytes(32).toString('base64url')
  await db.insert(passwordResets).values({
    customerId: customer.id,
    id: newId(),
    memberId: member.id,
    keyHash: hashKey(accessKey),
    expiresAt: expiresAt.toISOString(),
    createdAt: now.toISOString(),
  })
  await queueMemberMail(ctx, member.id, {
    template: passwordResetMail,
    data: { accessKey, minutes: keyMinutes },
    locale,
  })
}

/** Whom a key opens a new password for. Asking uses nothing up: mail programs open links before people do. */
export const checkReset = async ({ customer, db, clock }: Ctx, accessKey: string) =>
  (await findReset(db, customer.id, hashKey(accessKey), clock.now())) ?? failure('NOT_FOUND')

/** Whether a password may be this account's; what may not is said in the reader's language. */
export const checkNewPassword = (password: string, email: string, language: Locale) =>
  lowerEmail(password) === lowerEmail(email) ? invalid(language, 'password', 'passwordIsEmail') : undefined

/** Sets the new password with a key, once, and ends every session. NOT_FOUND for a key that opens nothing any more. */
export const resetPassword = async (ctx: Ctx, accessKey: string, passwordHash: string) => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const memberId = await consumeReset(db, customer.id, hashKey(accessKey), now)
  if (!memberId) return failure('NOT_FOUND')
  const changed = await db
    .update(members)
    .set({ passwordHash })
    .where(and(eq(members.customerId, customer.id), eq(members.id, memberId), isNull(members.withdrawnAt)))
    .returning({ emailLower: members.emailLower })
  const [member] = changed
  if (!member) return failure('NOT_FOUND')
  await db.delete(sessions).where(and(eq(sessions.customerId, customer.id), eq(sessions.memberId, memberId)))
  await queueMemberMail(ctx, memberId, { template: passwordChangedMail, data: { at: now.toISOString() } })
  return member
}
