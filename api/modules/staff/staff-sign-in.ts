import { invalid, lowerEmail, refusePassword } from '#api/modules/identity/profile.ts'
import { type Account, createDeviceToken, type Visitor } from '#api/modules/identity/sessions.ts'
import { countTry, isRightPassword } from '#api/modules/identity/sign-in.ts'
import { type MailReason, queueMail } from '#api/modules/mail/mails.ts'
import { audit, changesOf } from '#api/platform/audit.ts'
import {
  type Ctx,
  type DetachedCtx,
  type Failure,
  failure,
  isFailure,
  type StaffOperator,
} from '#api/platform/context.ts'
import { hashPassword, verifyPassword } from '#api/platform/crypto.ts'
import { hourSeconds, type LimitKinds, minuteSeconds, networkOf } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import { staffPasswordChangedMail } from './mails/staff-mails.ts'
import { findStaff, findStaffByEmail, type StaffRow, updateStaff } from './staff.queries.ts'
import { readStaffAddresses, updateStaffSession } from './staff-access.queries.ts'
import { type OpenedStaffSession, openStaffSession, type StaffDevice } from './staff-sessions.ts'

/** Returns the limits of staff accounts. Those of sign-ins are the same as for members. */
export const createStaffLimits = ({ shared, inProcess }: LimitKinds) => ({
  staff: {
    loginFrom: shared('staff login from', 10, 15 * minuteSeconds, { after: 5, seconds: 5 }),
    loginByAccount: shared('staff login', 20, 15 * minuteSeconds),
    loginByNetwork: shared('staff accounts from', 50, 15 * minuteSeconds),
    loginByDevice: shared('staff login on', 20, hourSeconds),
    /** Password confirmations of one session, and of one invitation. */
    passwords: shared('staff password', 10, 15 * minuteSeconds),
    /** Codes of one account from one network. */
    codes: shared('staff code', 10, 15 * minuteSeconds),
    /** Keys of invitations that one network tries. */
    keys: shared('staff key from', 60, hourSeconds),
    /** Mails with a link that sets a new password, as for members. */
    mailsByAddress: shared('staff mails from', 60, hourSeconds),
    mailsToOne: shared('staff mail from', 1, 10 * minuteSeconds),
    /** Invitations by one person or program. */
    invitations: shared('staff invitation', 60, hourSeconds),
    /** Resets of second factors by one person. */
    secondFactorResets: shared('staff second factor reset', 20, hourSeconds),
    /** Lists of the stores of one person. */
    stores: inProcess(60, minuteSeconds),
  },
})
type StaffLimits = ReturnType<typeof createStaffLimits>['staff']

/** What accounts of staff need of the process. */
export interface StaffDeps {
  secret: string
  limits: { staff: StaffLimits }
  /** Whether money and staff rights need a second factor. */
  needsSecondFactor: boolean
  /** Null where the installation sends no emails. */
  mailer: object | null
  originOfHost: (host: string) => string
}

/**
 * The account of an email address for limits and known devices. A member with the same address has
 * another one.
 */
export const staffAccountOf = ({ customer }: Pick<Ctx, 'customer'>, email: string): Account => ({
  customerId: customer.id,
  emailLower: `staff ${lowerEmail(email)}`,
})

export interface StaffSignIn extends Visitor, StaffDevice {
  email: string
  password: string
}

/** A session, and the token that makes the device a known one. */
export interface StaffSignedInOn {
  session: OpenedStaffSession
  deviceToken: string
}

/** Members can request a sign-in link; staff cannot. */
const withoutLink = ({ failure: code, retryAfterSeconds }: Failure): Failure =>
  failure(code, retryAfterSeconds === undefined ? {} : { retryAfterSeconds, data: { retryAfterSeconds } })

/**
 * Signs a person in with a password. An unknown email address is answered alike, in body and
 * time. Failures: LOGIN_FAILED, RATE_LIMITED.
 */
export const signInStaff = async (
  ctx: DetachedCtx,
  { secret, limits }: StaffDeps,
  input: StaffSignIn,
): Promise<StaffSignedInOn | Failure> => {
  const { customer, clock, inTransaction } = ctx
  const { password, address, deviceToken } = input
  const account = staffAccountOf(ctx, input.email)
  const counted = await countTry(ctx, { secret, limits: limits.staff }, account, { address, deviceToken })
  if (isFailure(counted)) return withoutLink(counted)
  const credentials = await inTransaction(async ({ db }) => {
    const person = await findStaffByEmail(db, customer.id, lowerEmail(input.email))
    const addresses = await readStaffAddresses(db, customer.id, person?.id ?? null)
    return { person, isKnown: addresses.some((each) => networkOf(each) === networkOf(address)) }
  })
  const { person, isKnown } = credentials
  const isRight = await isRightPassword(counted, password, { hash: person?.passwordHash ?? null, isKnown })
  if (!isRight || !person) return withoutLink(counted.refusal)
  await counted.resetCount()
  const session = await inTransaction((tx) => openIfUnchanged(tx, person, input))
  if (isFailure(session)) return session
  return { session, deviceToken: createDeviceToken(secret, account, deviceToken, clock.now()) }
}

/** The password may have been changed, or the person removed, during the comparison. */
const openIfUnchanged = async (tx: Ctx, { id, passwordHash }: StaffRow, device: StaffDevice) => {
  const now = await findStaff(tx.db, tx.customer.id, id, { lock: true })
  return now?.passwordHash === passwordHash ? openStaffSession(tx, now, device) : failure('LOGIN_FAILED')
}

/**
 * Verifies the password that a person entered again. Wrong attempts are counted.
 *
 * @returns the person's row. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for the
 * field.
 */
export const confirmStaffPassword = async (
  { customer, inTransaction }: DetachedCtx,
  { limits }: StaffDeps,
  operator: StaffOperator,
  { password, field, language }: { password: string; field: string; language: Locale },
): Promise<(StaffRow & { hasPasskey: boolean }) | Failure> => {
  const counted = await limits.staff.passwords.consume(customer.id, operator.sessionId)
  if (counted.code === 'EXHAUSTED') return failure('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
  const person = await inTransaction(({ db }) => findStaff(db, customer.id, operator.id))
  if (!person) return failure('SESSION_EXPIRED')
  if (!(await verifyPassword(password, person.passwordHash))) return invalid(language, field, 'wrongPassword')
  await counted.release()
  return person
}

/** Queues a mail to a person, in their language. */
export const queueStaffMail = <Data>(
  ctx: Ctx,
  { email, locale }: Pick<StaffRow, 'email' | 'locale'>,
  reason: MailReason<Data>,
) => queueMail(ctx, { ...reason, to: email, memberId: null, locale })

/**
 * Changes a person's password, ends their other sessions at all stores, and tells them by mail.
 * Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED, CONFLICT if the password was changed
 * meanwhile.
 */
export const changeStaffPassword = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  operator: StaffOperator,
  input: { currentPassword: string; newPassword: string; language: Locale },
): Promise<Failure | undefined> => {
  const { currentPassword: password, newPassword, language } = input
  const person = await confirmStaffPassword(ctx, deps, operator, { password, field: 'currentPassword', language })
  if (isFailure(person)) return person
  if (newPassword === password) return invalid(language, 'newPassword', 'passwordIsOld')
  const refused = refusePassword(language, 'newPassword', { password: newPassword, email: person.emailLower })
  if (refused) return refused
  const passwordHash = await hashPassword(newPassword)
  return ctx.inTransaction(async (tx) => {
    const before = await findStaff(tx.db, tx.customer.id, operator.id, { lock: true })
    if (before?.passwordHash !== person.passwordHash) return failure('CONFLICT')
    const sessionVersion = before.sessionVersion + 1
    await updateStaff(tx.db, operator.id, { passwordHash, sessionVersion })
    await updateStaffSession(tx.db, tx.customer.id, operator.sessionId, { version: sessionVersion })
    await audit(tx, {
      actor: `staff:${operator.email}`,
      action: 'staff.password-changed',
      subject: `staff:${operator.id}`,
    })
    await queueStaffMail(tx, before, { template: staffPasswordChangedMail, data: { at: tx.clock.now().toISOString() } })
    return undefined
  })
}

/** Changes a person's name and language. */
export const changeStaffProfile = async (
  ctx: Ctx,
  operator: StaffOperator,
  { name, locale }: { name?: string | undefined; locale?: Locale | undefined },
): Promise<Failure | undefined> => {
  const before = await findStaff(ctx.db, ctx.customer.id, operator.id, { lock: true })
  if (!before) return failure('SESSION_EXPIRED')
  const after = { name: name ?? before.name, locale: locale ?? before.locale }
  await updateStaff(ctx.db, operator.id, after)
  await audit(ctx, {
    actor: `staff:${operator.email}`,
    action: 'staff.changed',
    subject: `staff:${operator.id}`,
    changes: changesOf({ name: before.name, locale: before.locale }, after),
  })
  return undefined
}
