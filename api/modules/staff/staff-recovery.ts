import { createHmac, timingSafeEqual } from 'node:crypto'
import { countMail, mailMilliseconds } from '#api/modules/identity/identity-limits.ts'
import { lowerEmail, refusePassword } from '#api/modules/identity/profile.ts'
import type { Visitor } from '#api/modules/identity/sessions.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import {
  type Ctx,
  type DetachedCtx,
  type Failure,
  failure,
  invalidField,
  isFailure,
  type StaffOperator,
} from '#api/platform/context.ts'
import { atLeast, hashPassword, secretFor } from '#api/platform/crypto.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { exceeded, networkOf } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import { type CustomerId, type StaffId, staffId, staffSessionId } from '#contract/ids.ts'
import {
  staffEmailChangedMail,
  staffEmailChangeMail,
  staffPasswordChangedMail,
  staffPasswordResetMail,
  staffSecondFactorRemovedMail,
} from './mails/staff-mails.ts'
import { findAccount, findStaff, findStaffByEmail, type StaffRow, updateStaff } from './staff.queries.ts'
import { deletePasskeys, updateStaffSession } from './staff-access.queries.ts'
import { permissionsOf, refuseGrant } from './staff-roles.ts'
import { confirmStaffPassword, queueStaffMail, type StaffDeps, staffAccountOf } from './staff-sign-in.ts'

const validMinutes = 30

/** `id.expiry.signature`. */
const resetKey = /^([0-9a-f-]{36})\.([0-9a-z]{5,12})\.([\w-]{43})$/

/**
 * Signs what a key is valid for. The password hash is a part of it, so that a key works once and no
 * longer than the password it replaces; so is the address to which it was mailed.
 */
const signatureOf = (secret: string, customerId: CustomerId, person: StaffRow, expiry: string) =>
  createHmac('sha256', secretFor(secret, 'staff password resets'))
    .update([customerId, person.id, person.email, person.passwordHash, person.sessionVersion, expiry].join('\n'))
    .digest('base64url')

/** The link to the console. The key stands in the fragment, which no server logs. */
const resetPath = (key: string) => `/admin#reset=${encodeURIComponent(key)}`

/**
 * Mails a link with which a person of the staff sets a new password. An unknown email address gets
 * no mail, in the same time. Failure: RATE_LIMITED.
 */
export const requestStaffReset = async (
  ctx: DetachedCtx,
  { secret, limits }: StaffDeps,
  { email, ...visitor }: { email: string } & Visitor,
): Promise<Failure | undefined> => {
  const refused = await countMail(ctx, { secret, limits: limits.staff }, staffAccountOf(ctx, email), visitor)
  if (refused) return refused
  await atLeast(mailMilliseconds, () => ctx.inTransaction((tx) => sendReset(tx, secret, email)))
  return undefined
}

const sendReset = async (ctx: Ctx, secret: string, email: string) => {
  const { db, customer, clock } = ctx
  const person = await findStaffByEmail(db, customer.id, lowerEmail(email))
  if (!person) return
  const expiry = (clock.now().getTime() + validMinutes * 60_000).toString(36)
  const key = `${person.id}.${expiry}.${signatureOf(secret, customer.id, person, expiry)}`
  const data = { path: resetPath(key), minutes: validMinutes }
  await queueStaffMail(ctx, person, { template: staffPasswordResetMail, data })
}

/** The person whose password a key can set. Failure: NOT_FOUND. */
const personOf = async ({ db, customer, clock }: Ctx, secret: string, key: string, how: { lock?: boolean } = {}) => {
  const [, idText, expiry = '', signature = ''] = resetKey.exec(key) ?? []
  const id = staffId.safeParse(idText).data
  if (!id || Number.parseInt(expiry, 36) <= clock.now().getTime()) return failure('NOT_FOUND')
  const person = await findStaff(db, customer.id, id, how)
  if (!person) return failure('NOT_FOUND')
  const expected = signatureOf(secret, customer.id, person, expiry)
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? person : failure('NOT_FOUND')
}

/**
 * Sets a new password with the key of a reset link, once, and ends all sessions of the person at
 * all stores. The second factor stays. Failures: NOT_FOUND for an invalid, used or expired key,
 * RATE_LIMITED, VALIDATION_FAILED.
 */
export const resetStaffPassword = async (
  ctx: DetachedCtx,
  { secret, limits }: StaffDeps,
  { key, password, address, language }: { key: string; password: string; address: string; language: Locale },
): Promise<Failure | undefined> => {
  const { customer, inTransaction } = ctx
  const network = networkOf(address)
  const counted = await limits.staff.keys.consume(customer.id, network)
  const refused = exceeded(counted)
  if (refused) return refused
  const person = await inTransaction((tx) => personOf(tx, secret, key))
  if (isFailure(person)) return person
  if (counted.code === 'ALLOWED') await counted.release()
  const common = refusePassword(language, 'password', { password, email: person.emailLower })
  if (common) return common
  const passwordHash = await hashPassword(password)
  const failed = await inTransaction((tx) => savePassword(tx, { secret, key, passwordHash }))
  if (failed) return failed
  // The mail proves who it is, so earlier wrong tries no longer delay this person.
  const { emailLower } = staffAccountOf(ctx, person.email)
  await limits.staff.loginByAccount.reset(customer.id, emailLower)
  await limits.staff.loginFrom.reset(customer.id, `${emailLower} ${network}`)
  return undefined
}

const savePassword = async (
  tx: Ctx,
  { secret, key, passwordHash }: { secret: string; key: string; passwordHash: string },
) => {
  const person = await personOf(tx, secret, key, { lock: true })
  if (isFailure(person)) return person
  await updateStaff(tx.db, person.id, { passwordHash, sessionVersion: person.sessionVersion + 1 })
  await audit(tx, { actor: `staff:${person.email}`, action: 'staff.password-reset', subject: `staff:${person.id}` })
  await queueStaffMail(tx, person, { template: staffPasswordChangedMail, data: { at: tx.clock.now().toISOString() } })
  return undefined
}

interface LostSecondFactor {
  id: StaffId
  reason: string
  /** Whether the person belongs to another store too. */
  isElsewhere: boolean
}

const idConflict = (why: string) => failure('CONFLICT', { errors: { id: [why] } })

type WithSecondFactor = Pick<StaffRow, 'totpSecret'> & { hasPasskey: boolean }

const refuseWithoutSecondFactor = ({ locale }: Ctx, { totpSecret, hasPasskey }: WithSecondFactor) => {
  const i18n = messagesOf(locale)
  if (totpSecret !== null || hasPasskey) return undefined
  return idConflict(i18n._('This person has no authenticator app and no passkey.'))
}

/**
 * Checks whether an operator may reset the second factor of a person of the store. Failures:
 * NOT_FOUND, CONFLICT for oneself and without a second factor, FORBIDDEN where the person has more
 * permissions.
 */
export const checkSecondFactorReset = async (
  ctx: Ctx,
  operator: StaffOperator,
  id: StaffId,
): Promise<Failure | undefined> => {
  const { db, customer, locale } = ctx
  const person = await findStaff(db, customer.id, id)
  if (!person) return failure('NOT_FOUND')
  const refused = refuseGrant(operator, permissionsOf(customer, person))
  if (refused) return refused
  const i18n = messagesOf(locale)
  if (operator.id === id)
    return idConflict(i18n._('Change your own second factor under your account, with your password.'))
  return refuseWithoutSecondFactor(ctx, person)
}

/**
 * Resets the second factor of a colleague who has lost it. An account may belong to several stores:
 * what protects them all is reset by the command line of the installation alone. Failures: those of
 * `checkSecondFactorReset`, CONFLICT.
 */
export const resetSecondFactorOfColleague = async (
  ctx: Ctx,
  operator: StaffOperator,
  { id, reason, isElsewhere }: LostSecondFactor,
): Promise<Failure | undefined> => {
  const refused = await checkSecondFactorReset(ctx, operator, id)
  if (refused) return refused
  const i18n = messagesOf(ctx.locale)
  if (isElsewhere)
    return idConflict(
      i18n._('This person belongs to other stores too. Ask the administrator of the installation to reset it.'),
    )
  return removeStaffSecondFactor(ctx, `staff:${operator.email}`, id, { reason })
}

/**
 * Removes the authenticator app, and the passkeys of the store, of a person who has lost them, ends
 * their sessions at all stores, and tells them by mail. Their next sign-in needs the password
 * alone. Failures: NOT_FOUND, CONFLICT without a second factor.
 */
export const removeStaffSecondFactor = async (
  ctx: Ctx,
  by: AuditActor,
  id: StaffId,
  why: { reason?: string } = {},
): Promise<Failure | undefined> => {
  const person = await findStaff(ctx.db, ctx.customer.id, id, { lock: true })
  if (!person) return failure('NOT_FOUND')
  const refused = refuseWithoutSecondFactor(ctx, person)
  if (refused) return refused
  await deletePasskeys(ctx.db, ctx.customer.id, id)
  const sessionVersion = person.sessionVersion + 1
  await updateStaff(ctx.db, id, { totpSecret: null, totpPending: null, recoveryCodes: [], sessionVersion })
  const detail = { email: person.email, ...why }
  await audit(ctx, { actor: by, action: 'staff.second-factor-removed', subject: `staff:${id}`, detail })
  await queueStaffMail(ctx, person, {
    template: staffSecondFactorRemovedMail,
    data: { at: ctx.clock.now().toISOString() },
  })
  return undefined
}

/** `id.session.expiry.address.signature`. */
const emailKey = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.([0-9a-z]{5,12})\.([\w-]{1,400})\.([\w-]{43})$/

interface SignedEmailChange {
  /** The session in which it was requested. */
  session: string
  expiry: string
  email: string
}

/**
 * Signs what a key is valid for. The present address and the version of the sessions are a part of
 * it: a change raises the version, so a key works once, also where the address is changed back.
 */
const emailSignatureOf = (
  secret: string,
  customerId: CustomerId,
  { id, email: from, passwordHash, sessionVersion }: StaffRow,
  { session, expiry, email }: SignedEmailChange,
) =>
  createHmac('sha256', secretFor(secret, 'staff email changes'))
    .update([customerId, id, from, passwordHash, sessionVersion, session, expiry, email].join('\n'))
    .digest('base64url')

/**
 * Mails a link to a new address of the person, who confirms with it that the address is theirs.
 * Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for a wrong password or the present
 * address.
 */
export const requestEmailChange = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  { email, password, language, ...visitor }: { email: string; password: string; language: Locale } & Visitor,
): Promise<Failure | undefined> => {
  const person = await confirmStaffPassword(ctx, deps, operator, { password, field: 'password', language })
  if (isFailure(person)) return person
  const i18n = messagesOf(language)
  if (person.email === email) return invalidField('email', i18n._('This is your email address already.'))
  const { secret, limits } = deps
  const refused = await countMail(ctx, { secret, limits: limits.staff }, staffAccountOf(ctx, email), visitor)
  if (refused) return refused
  const expiry = (ctx.clock.now().getTime() + validMinutes * 60_000).toString(36)
  const session = operator.sessionId
  const signature = emailSignatureOf(secret, ctx.customer.id, person, { session, expiry, email })
  const key = `${person.id}.${session}.${expiry}.${Buffer.from(email).toString('base64url')}.${signature}`
  const data = { path: `/admin#email=${encodeURIComponent(key)}`, minutes: validMinutes }
  await ctx.inTransaction((tx) =>
    queueStaffMail(tx, { email, locale: person.locale }, { template: staffEmailChangeMail, data }),
  )
  return undefined
}

/**
 * Changes the address of a person at all stores with the key of a link, once, and tells the former
 * address. All sessions end but the one in which it was requested, and so do the keys that were
 * mailed before. Failures: NOT_FOUND for an invalid, used or expired key, CONFLICT if another
 * person has the address.
 */
export const confirmEmailChange = async (
  ctx: Ctx,
  { secret }: Pick<StaffDeps, 'secret'>,
  key: string,
): Promise<{ email: string } | Failure> => {
  const { db, customer, clock } = ctx
  const [, idText, sessionText, expiry = '', encoded = '', signature = ''] = emailKey.exec(key) ?? []
  const id = staffId.safeParse(idText).data
  const session = staffSessionId.safeParse(sessionText).data
  if (!id || !session || Number.parseInt(expiry, 36) <= clock.now().getTime()) return failure('NOT_FOUND')
  const person = await findStaff(db, customer.id, id, { lock: true })
  if (!person) return failure('NOT_FOUND')
  const email = Buffer.from(encoded, 'base64url').toString()
  const expected = emailSignatureOf(secret, customer.id, person, { session, expiry, email })
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return failure('NOT_FOUND')
  const emailLower = lowerEmail(email)
  const owner = await findAccount(db, emailLower)
  const i18n = messagesOf(ctx.locale)
  if (owner && owner.id !== id)
    return failure('CONFLICT', { errors: { email: [i18n._('Another person has this email address.')] } })
  const sessionVersion = person.sessionVersion + 1
  await updateStaff(db, id, { email, emailLower, sessionVersion })
  await updateStaffSession(db, customer.id, session, { version: sessionVersion })
  const changes = changesOf({ email: person.email }, { email })
  await audit(ctx, { actor: `staff:${person.email}`, action: 'staff.email-changed', subject: `staff:${id}`, changes })
  await queueStaffMail(ctx, person, { template: staffEmailChangedMail, data: { at: clock.now().toISOString() } })
  return { email }
}
