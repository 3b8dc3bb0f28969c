import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { passwordChangedMail, passwordResetMail } from '#api/modules/identity/mails/accounts.ts'
import { type Ctx, failure, type Member, type MemberCtx } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type CallContext, transactionsOf } from '#api/platform/http/procedures.ts'
import { callerLocale } from '#api/platform/i18n/translations.ts'
import type { Locale } from '#contract/enumerations.ts'
import {
  changeMember,
  closeResets,
  consumeReset,
  extendResets,
  findMember,
  findReset,
  insertReset,
  setPassword,
} from './identity.queries.ts'
import { queueMemberMail } from './member-mail.ts'
import { invalid, lowerEmail } from './profile.ts'
import { deleteSessions, findCredentials } from './sessions.queries.ts'
import { endOtherSessions } from './sessions.ts'

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

/** Equal passwords may be typed as different code points. */
const normalized = (password: string) => password.normalize('NFKC')

/** Returns the hash of a password as a PHC string with its own salt and cost. */
export const hashPassword = (password: string) => hash(normalized(password), cost)

/** Compared if no account has the email, so that the response takes as long as for a member. */
const placeholderHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Checks a password against the stored hash. Without a hash it takes as long and returns false. */
export const verifyPassword = async (password: string, storedHash: string | null) =>
  (await verify(storedHash ?? placeholderHash, normalized(password))) && storedHash !== null

/**
 * Verifies the password that a member entered again. Wrong attempts are counted.
 *
 * @returns the member's row. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for `field`
 * if the password is wrong.
 */
export const confirmPassword = async (
  call: CallContext,
  { memberId, sessionId }: Member,
  field: string,
  password: string,
) => {
  const { customer } = call
  const counted = await call.deps.limits.passwords.consume(customer.id, sessionId)
  if (counted.code === 'EXHAUSTED') return failure('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
  const member = await transactionsOf(call)(({ db }) => findMember(db, customer.id, memberId))
  if (!member) return failure('SESSION_EXPIRED')
  // Runs outside the transaction because hashing takes longer than all its queries.
  if (!(await verifyPassword(password, member.passwordHash))) return invalid(callerLocale(call), field, 'wrongPassword')
  await counted.release()
  return member
}

export interface NewHash {
  /** The verified hash. If the password was changed meanwhile, that change wins. */
  from: string
  to: string
}

/** Returns why a new password is refused, in the reader's language. */
export const checkChange = (
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  email: string,
  language: Locale,
) => {
  if (newPassword === currentPassword) return invalid(language, 'newPassword', 'passwordIsOld')
  if (lowerEmail(newPassword) === lowerEmail(email)) return invalid(language, 'newPassword', 'passwordIsEmail')
  return undefined
}

/**
 * Saves the new password, ends all other sessions and open resets, and notifies the owner by mail.
 * Failures: SESSION_EXPIRED, CONFLICT if the password was changed meanwhile.
 */
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

const keyMinutes = 10
const hashKey = (accessKey: string) => createHash('sha256').update(accessKey).digest('hex')

/**
 * Sends a member a reset link. Its key has 256 bits and is stored as a hash. An unknown email gets
 * no mail. If a recent mail exists, its key is extended instead of sending another one.
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
  await insertReset(db, {
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

/**
 * Returns whose password a key can reset. It does not use up the key, because mail programs open
 * links before people do.
 */
export const checkReset = async ({ customer, db, clock }: Ctx, accessKey: string) =>
  (await findReset(db, customer.id, hashKey(accessKey), clock.now())) ?? failure('NOT_FOUND')

/**
 * Checks whether a password is acceptable for an account. Messages are in the reader's language.
 */
export const checkNewPassword = (password: string, email: string, language: Locale) =>
  lowerEmail(password) === lowerEmail(email) ? invalid(language, 'password', 'passwordIsEmail') : undefined

/**
 * Sets a new password with a key, once, and ends every session. Failure: NOT_FOUND for an invalid
 * or expired key.
 */
export const resetPassword = async (ctx: Ctx, accessKey: string, passwordHash: string) => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const memberId = await consumeReset(db, customer.id, hashKey(accessKey), now)
  if (!memberId) return failure('NOT_FOUND')
  const member = await setPassword(db, customer.id, memberId, passwordHash)
  if (!member) return failure('NOT_FOUND')
  await deleteSessions(db, customer.id, memberId)
  await queueMemberMail(ctx, memberId, { template: passwordChangedMail, data: { at: now.toISOString() } })
  return member
}
