import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { passwordChangedMail, passwordResetMail } from '#api/modules/identity/mails/accounts.ts'
import { type Ctx, failure, type MemberCtx } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { Locale } from '#contract/enumerations.ts'
import {
  changeMember,
  closeResets,
  consumeReset,
  extendResets,
  findCredentials,
  findMember,
  findReset,
  insertReset,
  setPassword,
} from './identity.queries.ts'
import { queueMemberMail } from './member-mail.ts'
import { invalid, lowerEmail } from './profile.ts'
import { deleteSessions } from './sessions.queries.ts'
import { endOtherSessions } from './sessions.ts'

const derive = promisify(argon2)

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const tagLength = 32

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const header = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`

const hashWith = (password: string, nonce: Buffer, { memory, passes, parallelism }: typeof cost) =>
  derive('argon2id', { message: password.normalize('NFKC'), nonce, memory, passes, parallelism, tagLength })

/** Returns the hash of a password as a PHC string with its own salt and cost. */
export const hashPassword = async (password: string) => {
  const nonce = randomBytes(16)
  return `${header}$${base64(nonce)}$${base64(await hashWith(password, nonce, cost))}`
}

const shape = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Compared if no account has the email, so that the response takes as long as for a member. */
const placeholderHash = `${header}$${base64(Buffer.alloc(16))}$${base64(Buffer.alloc(tagLength))}`

/** Checks a password against the stored hash. Without a hash it takes as long and returns false. */
export const verifyPassword = async (password: string, storedHash: string | null) => {
  const [, memory, passes, parallelism, salt = '', hash = ''] = shape.exec(storedHash ?? placeholderHash) ?? []
  const due = Buffer.from(hash, 'base64')
  const given = await hashWith(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return due.length === given.length && timingSafeEqual(due, given) && storedHash !== null
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
