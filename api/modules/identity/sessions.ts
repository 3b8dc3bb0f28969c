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
 * A session's token: the tenant, then 256 random bits. The tenant is written in it so that a token on another tenant's address is
 * known for what it is without asking that tenant's rows; it proves nothing, the random part does.
 */
export const createSessionToken = (customerId: CustomerId) =>
  `mq_${packUuids([customerId])}_${randomBytes(32).toString('base64url')}`

const shape = /^mq_([A-Za-z0-9_-]{22})_([A-Za-z0-9_-]{43})$/

/** The tenant a token names; null when it is no token of ours. */
export const customerOfToken = (token: string): CustomerId | null => {
  const [id] = unpackUuids(shape.exec(token)?.[1] ?? '')
  return customerIdSchema.safeParse(id).data ?? null
}

/** The stored form of a token: SHA-256, hexadecimal. Enough for 256 random bits; a slow hash is for passwords. */
export const hashSessionToken = (token: string) => createHash('sha256').update(token).digest('hex')

const lifetimeMilliseconds = 30 * 24 * 60 * 60 * 1000

export interface NewSession {
  memberId: MemberId
  device: string
  address: string
}

/** Signs a member in on a device. What the guest left (cart, history, positions) becomes theirs in the same transaction. */
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

/** Ends one of the member's own sessions at once. NOT_FOUND: they have no such session. */
export const endSession = async ({ db, customer, actor }: MemberCtx, id: SessionId) =>
  (await deleteSession(db, customer.id, actor.memberId, id)) ? undefined : failure('NOT_FOUND')

export const endOtherSessions = ({ db, customer, actor }: MemberCtx) =>
  deleteSessions(db, customer.id, actor.memberId, { except: actor.sessionId })

/** Where the member is signed in, the latest seen first. */
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
/** Accounts one browser remembers: a family's. */
const mostDevices = 5

/** What a proof is for: it is worth nothing to another account or store. */
export interface Account {
  customerId: CustomerId
  emailLower: string
}

type Kind = 'device' | 'link'

/** `moment.id.signature`: the moment is of the issue for a device, of the end for a link. */
const entry = /^([0-9a-z]{5,12})\.([\w-]{22})\.([\w-]{43})$/

const sign = (secret: string, kind: Kind, { customerId, emailLower }: Account, moment: string, id: string) =>
  createHmac('sha256', secret).update([kind, customerId, emailLower, moment, id].join('\n')).digest('base64url')

const create = (secret: string, kind: Kind, account: Account, at: number) => {
  const [moment, id] = [at.toString(36), randomBytes(16).toString('base64url')]
  return `${moment}.${id}.${sign(secret, kind, account, moment, id)}`
}

/** The id and the moment of a proof; null where it is none of ours for this account. */
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

/** The id of a device on which an account has signed in within a year; null for any other. */
export const knownDevice = (secret: string, account: Account, token: string | null, now: Date): string | null => {
  for (const one of entriesOf(token)) {
    const device = read(secret, 'device', account, one)
    if (device && device.at > now.getTime() - deviceDays * 86_400_000) return device.id
  }
  return null
}

/** A device's token with this account in it, beside the accounts it has of before. */
export const rememberAccount = (secret: string, account: Account, token: string | null, now: Date): string => {
  const others = entriesOf(token).filter((one) => !read(secret, 'device', account, one))
  return [create(secret, 'device', account, now.getTime()), ...others.slice(0, mostDevices - 1)].join('~')
}

/** A key for the link of a mail, which makes whoever opens it as trusted as a known device for some minutes. */
export const createLinkKey = (secret: string, account: Account, now: Date) => ({
  key: create(secret, 'link', account, now.getTime() + linkMinutes * 60_000),
  minutes: linkMinutes,
})

/** The id of a link's key that is still good for this account; null for any other. */
export const linkOf = (secret: string, account: Account, key: string | undefined, now: Date): string | null => {
  const link = key === undefined ? null : read(secret, 'link', account, key)
  return link && link.at > now.getTime() ? link.id : null
}

/**
 * Sends a member the link that lets them sign in with their password on a device the store does not know yet, while others try that
 * password. An e-mail nobody has gets nothing.
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

/** A guest's token: an id and its signature. Nobody can name another guest's id, or carry one to another tenant. */
export const createGuestToken = (secret: string, customerId: CustomerId) => {
  const guestId = newId()
  return { guestId, token: `${guestId}.${signatureOf(secret, customerId, guestId)}` }
}

/** The guest a token names; null when it is not signed by us for this tenant. */
export const readGuestToken = (secret: string, customerId: CustomerId, token: string): string | null => {
  const [guestId = '', given = ''] = token.split('.')
  const due = Buffer.from(signatureOf(secret, customerId, guestId))
  const offered = Buffer.from(given)
  return offered.length === due.length && timingSafeEqual(offered, due) ? guestId : null
}
