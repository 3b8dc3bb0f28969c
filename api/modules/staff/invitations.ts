import { createHash, randomBytes } from 'node:crypto'
import { invalid, lowerEmail, refusePassword } from '#api/modules/identity/profile.ts'
import { createDeviceToken, type Visitor } from '#api/modules/identity/sessions.ts'
import { queueMail } from '#api/modules/mail/mails.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type DetachedCtx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { hashPassword, verifyPassword } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { exceeded, networkOf } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { StaffId, StaffInvitationId } from '#contract/ids.ts'
import type { GrantedRole, StaffInvitation } from '#contract/staff.ts'
import { invitationPath } from './invitation-page.ts'
import { staffInvitationMail } from './mails/staff-mails.ts'
import { findAccount, findStaffByEmail, insertMembership, insertStaff } from './staff.queries.ts'
import { closeInvitation, findInvitation, insertInvitation, readInvitations } from './staff-access.queries.ts'
import { type Grantor, resolveGrant } from './staff-roles.ts'
import { openStaffSession, type StaffDevice } from './staff-sessions.ts'
import { type StaffDeps, type StaffSignedInOn, staffAccountOf } from './staff-sign-in.ts'

const validDays = 7

const hashKey = (key: string) => createHash('sha256').update(key).digest('hex')

/**
 * Invites a person by mail. The key has 256 bits and is stored as a hash. Replaces an open
 * invitation of the email address. Failures: CONFLICT for a person who belongs to the store,
 * VALIDATION_FAILED, FORBIDDEN (see `resolveGrant`).
 *
 * @returns the invitation, and the path of its page, for the command line
 */
export const inviteStaff = async (
  ctx: Ctx,
  grantor: Grantor,
  input: { email: string; grant: GrantedRole; locale?: Locale | undefined },
): Promise<{ invitation: StaffInvitation; path: string } | Failure> => {
  const { db, customer, clock } = ctx
  const role = await resolveGrant(ctx, grantor, input.grant)
  if (isFailure(role)) return role
  const emailLower = lowerEmail(input.email)
  const i18n = messagesOf(ctx.locale)
  if (await findStaffByEmail(db, customer.id, emailLower))
    return failure('CONFLICT', { errors: { email: [i18n._('This person already belongs to the store.')] } })
  const now = clock.now()
  await closeInvitation(db, customer.id, { emailLower }, now)
  const key = randomBytes(32).toString('base64url')
  const id = newId<StaffInvitationId>()
  const shared = {
    id,
    email: input.email.trim(),
    role: role.role,
    roleId: role.roleId,
    invitedBy: grantor.by,
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + validDays * dayMilliseconds).toISOString(),
  }
  await insertInvitation(db, { ...shared, customerId: customer.id, emailLower, keyHash: hashKey(key) })
  await queueMail(ctx, {
    template: staffInvitationMail,
    data: { path: invitationPath(customer.code, key), days: validDays },
    to: shared.email,
    memberId: null,
    locale: input.locale ?? null,
  })
  const changes = changesOf({}, { email: shared.email, role: role.name })
  await audit(ctx, { actor: grantor.by, action: 'staff.invited', subject: `staff-invitation:${id}`, changes })
  const roleName = role.roleId === null ? null : role.name
  return { invitation: { ...shared, roleName }, path: invitationPath(customer.code, key) }
}

/** The open invitations of the store, latest first. */
export const listInvitations = async ({ db, customer, clock }: Ctx): Promise<StaffInvitation[]> => {
  const rows = await readInvitations(db, customer.id, clock.now())
  return rows.map(({ emailLower: _, ...invitation }) => invitation)
}

/** Makes the link of an invitation invalid. Failure: NOT_FOUND. */
export const revokeInvitation = async (
  ctx: Ctx,
  by: AuditActor,
  id: StaffInvitationId,
): Promise<Failure | undefined> => {
  const email = await closeInvitation(ctx.db, ctx.customer.id, { id }, ctx.clock.now())
  if (email === null) return failure('NOT_FOUND')
  const changes = changesOf({ email }, {})
  await audit(ctx, { actor: by, action: 'staff.invitation-revoked', subject: `staff-invitation:${id}`, changes })
  return undefined
}

const openInvitation = ({ db, customer, clock }: Ctx, key: string, how: { lock?: boolean } = {}) =>
  findInvitation(db, customer.id, hashKey(key), clock.now(), how)

/** Counts the wrong keys of a network. Failures: RATE_LIMITED, NOT_FOUND. */
const checkKey = async (
  { customer, inTransaction }: DetachedCtx,
  { limits }: StaffDeps,
  { key, address }: { key: string; address: string },
) => {
  const counted = await limits.staff.keys.consume(customer.id, networkOf(address))
  const refused = exceeded(counted)
  if (refused) return refused
  const opened = await inTransaction(async (tx) => {
    const invitation = await openInvitation(tx, key)
    return invitation && { invitation, account: await findAccount(tx.db, invitation.emailLower) }
  })
  if (!opened) return failure('NOT_FOUND')
  if (counted.code === 'ALLOWED') await counted.release()
  return opened
}

interface CheckedInvitation extends Pick<StaffInvitation, 'email' | 'role' | 'roleId' | 'roleName'> {
  storeName: string
  hasAccount: boolean
}

/** Returns the invitation of a key. The key stays valid. Failures: RATE_LIMITED, NOT_FOUND. */
export const checkInvitation = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  input: { key: string; address: string },
): Promise<CheckedInvitation | Failure> => {
  const invitation = await checkKey(ctx, deps, input)
  if (isFailure(invitation)) return invitation
  const { email, role, roleId, roleName } = invitation.invitation
  const storeName = ctx.customer.settings.base.name ?? ctx.customer.code
  return { email, storeName, role, roleId, roleName, hasAccount: invitation.account !== null }
}

export interface AcceptInput extends Visitor, StaffDevice {
  key: string
  name: string
  password: string
  language: Locale
}

/**
 * Accepts an invitation, once, and signs the person in. Who has an account at another store gives
 * its password. Failures: NOT_FOUND for an invalid or expired key, RATE_LIMITED, VALIDATION_FAILED.
 */
export const acceptInvitation = async (
  ctx: DetachedCtx,
  deps: StaffDeps,
  input: AcceptInput,
): Promise<StaffSignedInOn | Failure> => {
  const { password, language, name } = input
  const checked = await checkKey(ctx, deps, input)
  if (isFailure(checked)) return checked
  const { invitation, account } = checked
  if (account) {
    const counted = await deps.limits.staff.passwords.consume(ctx.customer.id, `invitation ${invitation.id}`)
    if (counted.code === 'EXHAUSTED') return failure('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
    if (!(await verifyPassword(password, account.passwordHash))) return invalid(language, 'password', 'wrongPassword')
  } else {
    if (name === '') return invalid(language, 'name', 'name')
    const refused = refusePassword(language, 'password', { password, email: invitation.emailLower })
    if (refused) return refused
  }
  const newHash = account ? null : await hashPassword(password)
  const session = await ctx.inTransaction((tx) =>
    join(tx, input, { newHash, knownHash: account?.passwordHash ?? null }),
  )
  if (isFailure(session)) return session
  const device = staffAccountOf(ctx, invitation.email)
  return { session, deviceToken: createDeviceToken(deps.secret, device, input.deviceToken, ctx.clock.now()) }
}

/** `knownHash` was compared with the password. The account must still have it. */
const join = async (
  tx: Ctx,
  input: AcceptInput,
  { newHash, knownHash }: { newHash: string | null; knownHash: string | null },
) => {
  const { db, customer, clock } = tx
  const invitation = await openInvitation(tx, input.key, { lock: true })
  if (!invitation) return failure('NOT_FOUND')
  const now = clock.now()
  const { id, email, emailLower, role, roleId, roleName } = invitation
  const before = await findAccount(db, emailLower)
  if ((before?.passwordHash ?? null) !== knownHash) return failure('CONFLICT')
  const staffId = before?.id ?? newId<StaffId>()
  if (newHash !== null) {
    const { name, language: locale } = input
    await insertStaff(db, {
      id: staffId,
      email,
      emailLower,
      name,
      locale,
      passwordHash: newHash,
      createdAt: now.toISOString(),
    })
  }
  await insertMembership(db, { customerId: customer.id, staffId, role, roleId, createdAt: now.toISOString() })
  await closeInvitation(db, customer.id, { id }, now)
  await audit(tx, {
    actor: `staff:${email}`,
    action: 'staff.joined',
    subject: `staff:${staffId}`,
    changes: changesOf({}, { email, role: roleName ?? role }),
  })
  const { sessionVersion = 1, totpSecret = null } = before ?? {}
  const person = { id: staffId, sessionVersion, totpSecret, hasPasskey: false }
  return openStaffSession(tx, person, input)
}
