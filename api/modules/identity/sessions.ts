import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { signInLinkMail } from '#api/modules/identity/mails/accounts.ts'
import { type Ctx, failure, type MemberCtx } from '#api/platform/context.ts'
import { packUuids, unpackUuids } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { networkOf } from '#api/platform/limits/rate-limits.ts'
import type { LoginAnswer, Session } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import { type CustomerId, customerId as customerIdSchema, type MemberId, type SessionId } from '#contract/ids.ts'
import { findCredentials } from './identity.queries.ts'
import { queueMemberMail } from './member-mail.ts'
import { deleteSession, deleteSessions, insertSession, liveSessionsOf, rememberNetwork } from './sessions.queries.ts'

/**
 * Creates a session token: the tenant's id and 256 random bits. The id allows rejecting a token of
 * another tenant without a query; only the random part authenticates.
 */
export const createSessionToken = (customerId: CustomerId) =>
  `mq_${packUuids([customerId])}_${randomBytes(32).toString('base64url')}`

const shape = /^mq_([A-Za-z0-9_-]{22})_([A-Za-z0-9_-]{43})$/

/** The tenant of a session token; null if the format does not match. */
export const customerOfToken = (token: string): CustomerId | null => {
  const [id] = unpackUuids(shape.exec(token)?.[1] ?? '')
  return customerIdSchema.safeParse(id).data ?? null
}

/**
 * Returns the stored form of a token: SHA-256, hexadecimal. A slow hash is unnecessary for 256
 * random bits.
 */
export const hashSessionToken = (token: string) => createHash('sha256').update(token).digest('hex')

const lifetimeMilliseconds = 30 * 24 * 60 * 60 * 1000

export interface NewSession {
  memberId: MemberId
  device: string
  address: string
}

/**
 * Signs a member in on a device. The guest's cart, history and positions move to the member in the
 * same transaction.
 */
export const openSession = async (ctx: Ctx, { memberId, device, address }: NewSession): Promise<LoginAnswer> => {
  const { customer, db, clock } = ctx
  const now = clock.now()
  const token = createSessionToken(customer.id)
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds).toISOString()
  await insertSession(db, {
    customerId: customer.id,
    id: newId(),
    memberId,
    tokenHash: hashSessionToken(token),
    device,
    address,
    expiresAt,
    lastSeenAt: now.toISOString(),
    createdAt: now.toISOString(),
  })
  await rememberNetwork(db, customer.id, memberId, networkOf(address), now)
  const { guestId } = ctx.actor
  if (guestId) await emit(ctx, 'memberSignedIn', { guestId, memberId })
  return { tokenType: 'Bearer', token, expiresAt }
}

/** Ends one of the member's own sessions immediately. Failure: NOT_FOUND. */
export const endSession = async ({ db, customer, actor }: MemberCtx, id: SessionId) =>
  (await deleteSession(db, customer.id, actor.memberId, id)) ? undefined : failure('NOT_FOUND')

/** Ends all of the member's sessions except the current one. */
export const endOtherSessions = ({ db, customer, actor }: MemberCtx) =>
  deleteSessions(db, customer.id, actor.memberId, { except: actor.sessionId })

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

const deviceDays = 365
const linkMinutes = 20
/** The number of accounts one browser remembers, such as a family's. */
const mostDevices = 5

/** The account a proof is bound to. It is invalid for any other account or store. */
export interface Account {
  customerId: CustomerId
  emailLower: string
}

type Kind = 'device' | 'link'

/** `time.id.signature`: the time of issue for a device, of expiry for a link. */
const entry = /^([0-9a-z]{5,12})\.([\w-]{22})\.([\w-]{43})$/

const sign = (secret: string, kind: Kind, { customerId, emailLower }: Account, moment: string, id: string) =>
  createHmac('sha256', secret).update([kind, customerId, emailLower, moment, id].join('\n')).digest('base64url')

const create = (secret: string, kind: Kind, account: Account, at: number) => {
  const [moment, id] = [at.toString(36), randomBytes(16).toString('base64url')]
  return `${moment}.${id}.${sign(secret, kind, account, moment, id)}`
}

/** The id and time of a proof; null if it is not valid for this account. */
const read = (secret: string, kind: Kind, account: Account, proof: string) => {
  const [, moment, id, given] = entry.exec(proof) ?? []
  if (!moment || !id || !given) return null
  const expected = sign(secret, kind, account, moment, id)
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected)) ? { id, at: Number.parseInt(moment, 36) } : null
}

const entriesOf = (token: string | null) =>
  (token ?? '')
    .split('~')
    .filter((one) => entry.test(one))
    .slice(0, mostDevices)

/** The id of a device on which an account signed in within a year; otherwise null. */
export const knownDevice = (secret: string, account: Account, token: string | null, now: Date): string | null => {
  for (const one of entriesOf(token)) {
    const device = read(secret, 'device', account, one)
    if (device && device.at > now.getTime() - deviceDays * 86_400_000) return device.id
  }
  return null
}

/** Adds an account to a device token and retains its earlier accounts. */
export const rememberAccount = (secret: string, account: Account, token: string | null, now: Date): string => {
  const others = entriesOf(token).filter((one) => !read(secret, 'device', account, one))
  return [create(secret, 'device', account, now.getTime()), ...others.slice(0, mostDevices - 1)].join('~')
}

/** Creates a key for a mail's link. Its bearer counts as a known device for some minutes. */
export const createLinkKey = (secret: string, account: Account, now: Date) => ({
  key: create(secret, 'link', account, now.getTime() + linkMinutes * 60_000),
  minutes: linkMinutes,
})

/** The id of a link key that is valid for this account; otherwise null. */
export const linkOf = (secret: string, account: Account, key: string | undefined, now: Date): string | null => {
  const link = key === undefined ? null : read(secret, 'link', account, key)
  return link && link.at > now.getTime() ? link.id : null
}

/**
 * Sends a member a link that permits signing in with the password on an unknown device while others
 * try passwords. An unknown email gets no mail.
 */
export const sendSignInLink = async (
  ctx: Ctx,
  { emailLower }: Pick<Account, 'emailLower'>,
  link: { key: string; minutes: number },
  locale: Locale,
) => {
  const member = await findCredentials(ctx.db, ctx.customer.id, emailLower)
  if (member) await queueMemberMail(ctx, member.id, { template: signInLinkMail, data: link, locale })
}

const signatureOf = (secret: string, customerId: CustomerId, guestId: string) =>
  createHmac('sha256', secret).update(`guest\n${customerId}\n${guestId}`).digest('base64url')

/**
 * Creates a guest token: an id and its signature, bound to the tenant. Guests cannot forge an id.
 */
export const createGuestToken = (secret: string, customerId: CustomerId) => {
  const guestId = newId()
  return { guestId, token: `${guestId}.${signatureOf(secret, customerId, guestId)}` }
}

/** The guest id of a token; null if the signature is not valid for this tenant. */
export const readGuestToken = (secret: string, customerId: CustomerId, token: string): string | null => {
  const [guestId = '', given = ''] = token.split('.')
  const due = Buffer.from(signatureOf(secret, customerId, guestId))
  const offered = Buffer.from(given)
  return offered.length === due.length && timingSafeEqual(offered, due) ? guestId : null
}
