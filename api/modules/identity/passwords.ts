import { createHash, randomBytes } from 'node:crypto'
import { passwordChangedMail, passwordResetMail, welcomeMail } from '#api/modules/identity/mails/accounts.ts'
import { memberInvitationMail } from '#api/modules/identity/mails/membership.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import {
  type Ctx,
  type DetachedCtx,
  type Failure,
  failure,
  isFailure,
  type MemberCtx,
  type MemberDetachedCtx,
} from '#api/platform/context.ts'
import { atLeast, hashPassword, noPassword, verifyPassword } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { ResetSubmit } from '#contract/identity.ts'
import type { MemberId } from '#contract/ids.ts'
import {
  appendConsents,
  changeMember,
  closeResets,
  consumeReset,
  extendResets,
  findMember,
  findReset,
  insertReset,
  setPassword,
} from './identity.queries.ts'
import { countMail, type IdentityLimits, type MailLimitDeps, mailMilliseconds } from './identity-limits.ts'
import {
  consentsOf,
  invalid,
  lowerEmail,
  pageVersion,
  queueMemberMail,
  refusePassword,
  refuseWithoutConsents,
} from './profile.ts'
import { deleteSessions, findCredentials } from './sessions.queries.ts'
import { accountOf, createDeviceToken, endOtherSessions, type Visitor } from './sessions.ts'

/** What confirming a password needs of the process. */
export interface PasswordDeps {
  limits: Pick<IdentityLimits, 'passwords'>
}

export interface EnteredPassword {
  password: string
  /** The name of the field, for the message where the password is wrong. */
  field: string
  /** The language of that message. */
  language: Locale
}

/**
 * Verifies the password that a member entered again. Wrong attempts are counted.
 *
 * @returns the member's row. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for `field`
 * if the password is wrong.
 */
export const confirmPassword = async (
  { customer, actor, inTransaction }: MemberDetachedCtx,
  { limits }: PasswordDeps,
  { password, field, language }: EnteredPassword,
) => {
  const counted = await limits.passwords.consume(customer.id, actor.sessionId)
  if (counted.code === 'EXHAUSTED') return failure('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
  const member = await inTransaction(({ db }) => findMember(db, customer.id, actor.memberId))
  if (!member) return failure('SESSION_EXPIRED')
  if (!(await verifyPassword(password, member.passwordHash))) return invalid(language, field, 'wrongPassword')
  await counted.release()
  return member
}

/** Returns why a new password is refused, in the reader's language. */
const checkChange = (
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  email: string,
  language: Locale,
) => {
  if (newPassword === currentPassword) return invalid(language, 'newPassword', 'passwordIsOld')
  return refusePassword(language, 'newPassword', { password: newPassword, email })
}

interface NewHash {
  /** The verified hash. If the password was changed meanwhile, that change wins. */
  from: string
  to: string
}

/**
 * Saves the new password, ends all other sessions and open resets, and notifies the owner by mail.
 */
const savePassword = async (ctx: MemberCtx, { from, to }: NewHash) => {
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

export interface PasswordChange {
  currentPassword: string
  newPassword: string
  language: Locale
}

/**
 * Changes a member's password, ends all other sessions and open resets, and notifies the owner by
 * mail. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED, CONFLICT if the password was
 * changed meanwhile.
 */
export const changePassword = async (
  ctx: MemberDetachedCtx,
  deps: PasswordDeps,
  input: PasswordChange,
): Promise<Failure | undefined> => {
  const { currentPassword: password, language } = input
  const member = await confirmPassword(ctx, deps, { password, field: 'currentPassword', language })
  if (isFailure(member)) return member
  const refused = checkChange(input, member.email, language)
  if (refused) return refused
  const to = await hashPassword(input.newPassword)
  return ctx.inTransaction((tx) => savePassword(tx, { from: member.passwordHash, to }))
}

const keyMinutes = 10
const keyMilliseconds = keyMinutes * 60_000
const invitationDays = 7
const hashKey = (accessKey: string) => createHash('sha256').update(accessKey).digest('hex')

/**
 * Sends a member a reset link. An unknown email gets no mail, in the same time. Failure:
 * RATE_LIMITED.
 */
export const requestReset = async (
  ctx: DetachedCtx,
  deps: MailLimitDeps,
  { email, ...visitor }: { email: string } & Visitor,
): Promise<Failure | null> => {
  const refused = await countMail(ctx, deps, accountOf(ctx, email), visitor)
  if (!refused) await atLeast(mailMilliseconds, () => ctx.inTransaction((tx) => sendReset(tx, email)))
  return refused
}

/**
 * Mails a member a reset link because staff ask for it, who do not see the link; an invited one
 * gets the invitation again. Failures: NOT_FOUND, RATE_LIMITED.
 */
export const sendResetByStaff = async (
  ctx: DetachedCtx,
  deps: MailLimitDeps,
  by: AuditActor,
  { id, ...visitor }: { id: MemberId } & Visitor,
): Promise<Failure | undefined> => {
  const { customer, inTransaction } = ctx
  const known = await inTransaction(({ db }) => findMember(db, customer.id, id))
  if (!known) return failure('NOT_FOUND')
  const refused = await countMail(ctx, deps, accountOf(ctx, known.email), visitor)
  if (refused) return refused
  return inTransaction(async (tx) => {
    const member = await findMember(tx.db, customer.id, id, { lock: true })
    if (!member) return failure('NOT_FOUND')
    if (member.passwordHash === noPassword) await invite(tx, member)
    else await sendReset(tx, member.email)
    await audit(tx, { actor: by, action: 'member.reset-sent', subject: `member:${id}` })
    return undefined
  })
}

/** Queues the mail with which an invited member sets a first password, or extends a recent key. */
export const invite = async (ctx: Ctx, { id, name }: { id: MemberId; name: string }) => {
  const accessKey = await createReset(ctx, id, invitationDays * dayMilliseconds)
  if (accessKey === null) return
  await queueMemberMail(ctx, id, { template: memberInvitationMail, data: { name, accessKey, days: invitationDays } })
}

/**
 * Stores a reset and returns its key, which has 256 bits and is stored as a hash. Null where it
 * extends a recent one that is valid as long; a reset does not stand for an invitation.
 */
const createReset = async ({ db, customer, clock }: Ctx, memberId: MemberId, validMilliseconds: number) => {
  const now = clock.now()
  const since = new Date(now.getTime() - keyMilliseconds)
  const expiresAt = new Date(now.getTime() + validMilliseconds)
  const validAt = new Date(expiresAt.getTime() - keyMilliseconds)
  if (await extendResets(db, customer.id, memberId, { validAt, since, expiresAt })) return null
  const accessKey = randomBytes(32).toString('base64url')
  await insertReset(db, {
    customerId: customer.id,
    id: newId(),
    memberId,
    keyHash: hashKey(accessKey),
    expiresAt: expiresAt.toISOString(),
    createdAt: now.toISOString(),
  })
  return accessKey
}

/** Queues the mail with a reset link, or extends the key of a recent one. */
const sendReset = async (ctx: Ctx, email: string) => {
  const member = await findCredentials(ctx.db, ctx.customer.id, lowerEmail(email), { lock: 'alone' })
  const accessKey = member && (await createReset(ctx, member.id, keyMilliseconds))
  if (!accessKey) return
  await queueMemberMail(ctx, member.id, {
    template: passwordResetMail,
    data: { accessKey, minutes: keyMinutes },
    locale: ctx.locale,
  })
}

/**
 * Returns whose password a key can reset. It does not use up the key, because mail programs open
 * links before people do.
 */
export const checkReset = async ({ customer, db, clock }: Ctx, accessKey: string) => {
  const reset = await findReset(db, customer.id, hashKey(accessKey), clock.now())
  return reset ? { email: reset.email, needsConsents: reset.passwordHash === noPassword } : failure('NOT_FOUND')
}

/** What resetting a password needs of the process. */
export interface ResetDeps {
  secret: string
  limits: Pick<IdentityLimits, 'loginByAccount' | 'loginFrom'>
}

export interface ResetInput extends Visitor, ResetSubmit {
  language: Locale
}

/**
 * Sets a new password with the key of a reset link, once, and ends every session. A first password
 * needs the consents of a sign-up.
 *
 * @returns the new device token of the visitor. Failures: NOT_FOUND for an invalid or expired key,
 * VALIDATION_FAILED.
 */
export const resetPassword = async (
  ctx: DetachedCtx,
  { secret, limits }: ResetDeps,
  { language, address, deviceToken, ...input }: ResetInput,
): Promise<{ deviceToken: string } | Failure> => {
  const { customer, clock, inTransaction } = ctx
  const { accessKey, password, agreeMarketing = false } = input
  const reset = await inTransaction((tx) => checkReset(tx, accessKey))
  if (isFailure(reset)) return reset
  const { email, needsConsents } = reset
  const refused =
    refusePassword(language, 'password', { password, email }) ??
    (needsConsents ? refuseWithoutConsents(input, language) : undefined)
  if (refused) return refused
  const passwordHash = await hashPassword(password)
  const first = needsConsents ? { marketing: agreeMarketing } : null
  const member = await inTransaction((tx) => saveReset(tx, { accessKey, passwordHash, first }))
  if (isFailure(member)) return member
  // The new password proves ownership, so earlier wrong tries no longer delay this member.
  await limits.loginByAccount.reset(customer.id, member.emailLower)
  await limits.loginFrom.reset(customer.id, `${member.emailLower} ${networkOf(address)}`)
  return { deviceToken: createDeviceToken(secret, accountOf(ctx, email), deviceToken, clock.now()) }
}

interface SavedReset {
  accessKey: string
  passwordHash: string
  /** The choice about marketing with a first password; null where there was one. */
  first: { marketing: boolean } | null
}

const saveReset = async (ctx: Ctx, { accessKey, passwordHash, first }: SavedReset) => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const memberId = await consumeReset(db, customer.id, hashKey(accessKey), now)
  if (!memberId) return failure('NOT_FOUND')
  const member = await setPassword(db, customer.id, memberId, { passwordHash, ...first })
  if (!member) return failure('NOT_FOUND')
  await deleteSessions(db, customer.id, memberId)
  const at = now.toISOString()
  if (first) {
    const termsVersion = await pageVersion(ctx, 'terms')
    const privacyVersion = await pageVersion(ctx, 'privacy')
    await appendConsents(
      db,
      customer.id,
      memberId,
      consentsOf({ termsVersion, privacyVersion, ...first, createdAt: at }),
    )
    await queueMemberMail(ctx, memberId, { template: welcomeMail, data: { name: member.name } })
  } else await queueMemberMail(ctx, memberId, { template: passwordChangedMail, data: { at } })
  return member
}
