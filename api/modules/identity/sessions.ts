import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type pg from 'pg'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Clock, type Ctx, type Failure, failure, type MemberCtx } from '#api/platform/context.ts'
import { createTokenFormat, secretFor } from '#api/platform/crypto.ts'
import { withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { hostCookie } from '#api/platform/http/request-facts.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import type { LoginAnswer, Session } from '#contract/identity.ts'
import type { CustomerId, MemberId, SessionId } from '#contract/ids.ts'
import { changeMember, closeResets, findMember } from './identity.queries.ts'
import { lowerEmail } from './profile.ts'
import {
  deleteSession,
  deleteSessions,
  insertSession,
  type LiveSession,
  liveSessionsOf,
  rememberNetwork,
  touchSession,
} from './sessions.queries.ts'

const deviceDays = 365
/** Minutes that the key of a sign-in link is valid. */
export const linkMinutes = 20
/** The number of accounts one browser remembers, such as a family's. */
const maxDevices = 5

/** The account a proof is bound to. It is invalid for any other account or store. */
export interface Account {
  customerId: CustomerId
  emailLower: string
}

/** The account of an email in this store, whether it exists or not. */
export const accountOf = ({ customer }: Pick<Ctx, 'customer'>, email: string): Account => ({
  customerId: customer.id,
  emailLower: lowerEmail(email),
})

/** The sender of a request, as far as limits distinguish visitors. */
export interface Visitor {
  /** The network address. */
  address: string
  /** The token of the devices on which accounts have signed in, or null. */
  deviceToken: string | null
}

type Kind = 'device' | 'link'

/** `time.id.signature`: the time of issue for a device, of expiry for a link. */
const entry = /^([0-9a-z]{5,12})\.([\w-]{22})\.([\w-]{43})$/

const sign = (key: string, kind: Kind, { customerId, emailLower }: Account, issuedAt: string, id: string) =>
  createHmac('sha256', key).update([kind, customerId, emailLower, issuedAt, id].join('\n')).digest('base64url')

const create = (key: string, kind: Kind, account: Account, milliseconds: number) => {
  const [at, id] = [milliseconds.toString(36), randomBytes(16).toString('base64url')]
  return `${at}.${id}.${sign(key, kind, account, at, id)}`
}

/** The id and time of a proof; null if it is not valid for this account. */
const read = (key: string, kind: Kind, account: Account, proof: string) => {
  const [, at, id, signature] = entry.exec(proof) ?? []
  if (!at || !id || !signature) return null
  const expected = sign(key, kind, account, at, id)
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? { id, at: Number.parseInt(at, 36) } : null
}

const entriesOf = (token: string | null) =>
  (token ?? '')
    .split('~')
    .filter((one) => entry.test(one))
    .slice(0, maxDevices)

const keyOf = (secret: string) => secretFor(secret, 'known devices')

/**
 * Returns the id of a device if the account has signed in on it within a year; otherwise null.
 * `token` is the device token of the request.
 */
export const deviceOf = (secret: string, account: Account, token: string | null, now: Date): string | null => {
  for (const entry of entriesOf(token)) {
    const device = read(keyOf(secret), 'device', account, entry)
    if (device && device.at > now.getTime() - deviceDays * dayMilliseconds) return device.id
  }
  return null
}

/**
 * Returns a device token that proves that the account, and those of the device's earlier token,
 * have signed in on it.
 */
export const createDeviceToken = (secret: string, account: Account, earlier: string | null, now: Date): string => {
  const key = keyOf(secret)
  const others = entriesOf(earlier).filter((entry) => !read(key, 'device', account, entry))
  return [create(key, 'device', account, now.getTime()), ...others.slice(0, maxDevices - 1)].join('~')
}

/** Creates a key for a mail's link. Its bearer counts as a known device for `linkMinutes`. */
export const createLinkKey = (secret: string, account: Account, now: Date): string =>
  create(keyOf(secret), 'link', account, now.getTime() + linkMinutes * 60_000)

/** Returns the id of a link key that is valid for this account; otherwise null. */
export const linkOf = (secret: string, account: Account, key: string | undefined, now: Date): string | null => {
  const link = key === undefined ? null : read(keyOf(secret), 'link', account, key)
  return link && link.at > now.getTime() ? link.id : null
}

/** The tokens of members' sessions. */
export const sessionToken = createTokenFormat('mq')

/**
 * Returns the stored form of a token: SHA-256, hexadecimal. A slow hash is unnecessary for 256
 * random bits.
 */
export const hashSessionToken = (token: string) => createHash('sha256').update(token).digest('hex')

const lifetimeMilliseconds = 30 * dayMilliseconds

export interface NewSession {
  memberId: MemberId
  device: string
  address: string
}

/** Stores a session. Returns its token, which cannot be read again, and its end. */
const storeSession = async (
  { customer, db, clock }: Ctx,
  session: NewSession & { viewer: AuditActor | null },
  milliseconds: number,
) => {
  const now = clock.now()
  const at = now.toISOString()
  const token = sessionToken.create(customer.id)
  const expiresAt = new Date(now.getTime() + milliseconds).toISOString()
  const stored = { ...session, customerId: customer.id, id: newId<SessionId>(), tokenHash: hashSessionToken(token) }
  await insertSession(db, { ...stored, expiresAt, lastSeenAt: at, createdAt: at })
  return { token, expiresAt }
}

/**
 * Signs a member in on a device. The guest's cart, history and positions move to the member in the
 * same transaction.
 */
export const openSession = async (ctx: Ctx, { memberId, device, address }: NewSession): Promise<LoginAnswer> => {
  const { customer, db, clock } = ctx
  const session = await storeSession(ctx, { memberId, device, address, viewer: null }, lifetimeMilliseconds)
  await rememberNetwork(db, customer.id, memberId, networkOf(address), clock.now())
  const { guestId } = ctx.actor
  if (guestId) await emit(ctx, 'memberSignedIn', { guestId, memberId })
  return { tokenType: 'Bearer', ...session }
}

/** How long staff may look at the store as a member. Milliseconds. */
const viewingMilliseconds = 30 * 60_000

/**
 * Lets staff look at the store as a member sees it, for half an hour. The session reads what the
 * member may read; every write is refused. Failure: NOT_FOUND.
 */
export const openViewing = async (
  ctx: Ctx,
  by: AuditActor,
  { id: memberId, reason, device, address }: Omit<NewSession, 'memberId'> & { id: MemberId; reason: string },
): Promise<{ token: string; expiresAt: string } | Failure> => {
  if (!(await findMember(ctx.db, ctx.customer.id, memberId))) return failure('NOT_FOUND')
  const session = await storeSession(ctx, { memberId, device, address, viewer: by }, viewingMilliseconds)
  await audit(ctx, { actor: by, action: 'member.viewed', subject: `member:${memberId}`, detail: { reason } })
  return session
}

/** The storefront's cookie with the token of a viewing. It replaces the one of an own sign-in. */
export const viewingCookie = (token: string, isSecure: boolean): string =>
  hostCookie({ name: 'token', value: token, seconds: viewingMilliseconds / 1000, sameSite: 'Lax' }, isSecure)

/** Ends one of the member's own sessions immediately. Failure: NOT_FOUND. */
export const endSession = async ({ db, customer, actor }: MemberCtx, id: SessionId) =>
  (await deleteSession(db, customer.id, actor.memberId, id)) ? undefined : failure('NOT_FOUND')

/** Ends all of the member's sessions except the current one. */
export const endOtherSessions = ({ db, customer, actor }: MemberCtx) =>
  deleteSessions(db, customer.id, actor.memberId, { except: actor.sessionId })

/** Ends all sessions of a member, on the decision of an operator. Failure: NOT_FOUND. */
export const signMemberOut = async (ctx: Ctx, by: AuditActor, id: MemberId): Promise<Failure | undefined> => {
  if (!(await findMember(ctx.db, ctx.customer.id, id))) return failure('NOT_FOUND')
  await deleteSessions(ctx.db, ctx.customer.id, id)
  await audit(ctx, { actor: by, action: 'member.signed-out', subject: `member:${id}` })
  return undefined
}

export interface Block {
  id: MemberId
  /** For the history. */
  reason: string
}

/**
 * Blocks a member on the decision of staff: every session ends, and nobody can sign in to the
 * account. A member who is blocked stays so. Failure: NOT_FOUND.
 */
export const blockMember = async (ctx: Ctx, by: AuditActor, { id, reason }: Block): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  // A sign-in holds the row too, so that it ends before the block or sees it.
  const member = await findMember(db, customer.id, id, { lock: true })
  if (!member) return failure('NOT_FOUND')
  if (member.blockedAt) return undefined
  const now = clock.now()
  const blockedAt = now.toISOString()
  await changeMember(db, customer.id, id, { blockedAt })
  await closeResets(db, customer.id, id, now)
  await deleteSessions(db, customer.id, id)
  const changes = changesOf<Pick<typeof member, 'blockedAt'>>({ blockedAt: null }, { blockedAt })
  await audit(ctx, { actor: by, action: 'member.blocked', subject: `member:${id}`, changes, detail: { reason } })
  return undefined
}

/** Lets a blocked member sign in again. Failure: NOT_FOUND. */
export const unblockMember = async (ctx: Ctx, by: AuditActor, { id, reason }: Block): Promise<Failure | undefined> => {
  const { db, customer } = ctx
  const member = await findMember(db, customer.id, id, { lock: true })
  if (!member) return failure('NOT_FOUND')
  if (!member.blockedAt) return undefined
  await changeMember(db, customer.id, id, { blockedAt: null })
  const changes = changesOf<Pick<typeof member, 'blockedAt'>>({ blockedAt: member.blockedAt }, { blockedAt: null })
  await audit(ctx, { actor: by, action: 'member.unblocked', subject: `member:${id}`, changes, detail: { reason } })
  return undefined
}

/** The member's sessions, the most recently seen first. */
export const listSessions = async ({ customer, actor, db, clock }: MemberCtx): Promise<Session[]> => {
  const rows = await liveSessionsOf(db, customer.id, actor.memberId, clock.now())
  return rows.map(({ id, device, address, createdAt, lastSeenAt }) => ({
    id,
    current: id === actor.sessionId,
    device,
    address,
    createdAt,
    lastSeenAt,
  }))
}

/** How often the last use of a session or an operator token is written at most. */
export const touchEveryMilliseconds = 5 * 60 * 1000

/** Records when and from where a session was last seen, at most once per interval. */
export const noteSessionSeen = async (
  { pool, clock }: { pool: pg.Pool; clock: Clock },
  customerId: CustomerId,
  { id, lastSeenAt }: LiveSession,
  address: string,
) => {
  const now = clock.now()
  if (now.getTime() - Date.parse(lastSeenAt) <= touchEveryMilliseconds) return
  await withTenant(pool, customerId, (db) => touchSession(db, customerId, id, now, address))
}
