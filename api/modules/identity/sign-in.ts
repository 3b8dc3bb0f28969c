import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { signInLinkMail } from '#api/modules/identity/mails/accounts.ts'
import { type Ctx, type Failure, failure, isFailure } from '#api/platform/context.ts'
import { atLeast, packUuids, secretFor, unpackUuids } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { type CallContext, transactionsOf } from '#api/platform/http/procedures.ts'
import { networkOf, type SharedRateLimitResult } from '#api/platform/limits/rate-limits.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { LoginAnswer } from '#contract/identity.ts'
import { type CustomerId, customerId as customerIdSchema, type MemberId } from '#contract/ids.ts'
import { headers } from '#contract/index.ts'
import { queueMemberMail } from './member-mail.ts'
import { verifyPassword } from './passwords.ts'
import { lowerEmail } from './profile.ts'
import { findCredentials, insertSession, isKnownNetwork, rememberNetwork } from './sessions.queries.ts'

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

const deviceDays = 365
const linkMinutes = 20
/** The number of accounts one browser remembers, such as a family's. */
const maxDevices = 5

/** The account a proof is bound to. It is invalid for any other account or store. */
export interface Account {
  customerId: CustomerId
  emailLower: string
}

type Kind = 'device' | 'link'

/** `time.id.signature`: the time of issue for a device, of expiry for a link. */
const entry = /^([0-9a-z]{5,12})\.([\w-]{22})\.([\w-]{43})$/

const sign = (secret: string, kind: Kind, { customerId, emailLower }: Account, issuedAt: string, id: string) =>
  createHmac('sha256', secret).update([kind, customerId, emailLower, issuedAt, id].join('\n')).digest('base64url')

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
    .slice(0, maxDevices)

const deviceSecretOf = ({ deps }: CallContext) => secretFor(deps.secret, 'known devices')

/** The account of an email in this store, whether it exists or not. */
export const accountOf = ({ customer }: CallContext, email: string): Account => ({
  customerId: customer.id,
  emailLower: lowerEmail(email),
})

/**
 * The id of the request's device if the account has signed in on it within a year; otherwise null.
 */
export const deviceOf = (call: CallContext, account: Account): string | null => {
  for (const one of entriesOf(call.headers.get(headers.deviceToken))) {
    const device = read(deviceSecretOf(call), 'device', account, one)
    if (device && device.at > call.deps.clock.now().getTime() - deviceDays * 86_400_000) return device.id
  }
  return null
}

/**
 * Answers with a device token that proves that the account, and the earlier ones of the device,
 * have signed in on it.
 */
export const trustDevice = (call: CallContext, account: Account) => {
  const secret = deviceSecretOf(call)
  const others = entriesOf(call.headers.get(headers.deviceToken)).filter((one) => !read(secret, 'device', account, one))
  const own = create(secret, 'device', account, call.deps.clock.now().getTime())
  call.answerHeaders.set(headers.deviceToken, [own, ...others.slice(0, maxDevices - 1)].join('~'))
}

/** Creates a key for a mail's link. Its bearer counts as a known device for some minutes. */
export const createLinkKey = (call: CallContext, account: Account) => ({
  key: create(deviceSecretOf(call), 'link', account, call.deps.clock.now().getTime() + linkMinutes * 60_000),
  minutes: linkMinutes,
})

/** The id of a link key that is valid for this account; otherwise null. */
const linkOf = (call: CallContext, account: Account, key: string | undefined): string | null => {
  const link = key === undefined ? null : read(deviceSecretOf(call), 'link', account, key)
  return link && link.at > call.deps.clock.now().getTime() ? link.id : null
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

/**
 * The same response for every account, whether it exists or not: when to retry, and that a mail
 * lets the owner sign in meanwhile.
 */
const tooMany = (retryAfterSeconds: number) =>
  failure('RATE_LIMITED', { retryAfterSeconds, data: { retryAfterSeconds, signInLink: true } })

/** Milliseconds; longer than the comparison of a password. */
const refusalMilliseconds = 250

export interface SignInInput {
  email: string
  password: string
  /** The key of a mail's link. Its bearer counts as a known device. */
  linkKey?: string | undefined
}

interface CountedTry {
  /** Whether the password may be compared. */
  compares: 'ALWAYS' | 'FROM_KNOWN_NETWORK'
  /** The failure for a wrong password. */
  refusal: Failure
  /** Resets the count after a correct password. */
  resetCount: () => Promise<void>
}

/**
 * Counts a password attempt. A known device, or the bearer of a mail's link, has its own limit.
 * Others are counted by account and network (with growing delays), by account, and by network.
 * Above these limits the password is compared only from networks known for the account; response
 * and timing are the same for all others.
 */
const countTry = async (
  call: CallContext,
  account: Account,
  linkKey: string | undefined,
): Promise<CountedTry | Failure> => {
  const { customer, address } = call
  const { limits } = call.deps
  const { emailLower } = account
  const refusal = failure('LOGIN_FAILED')
  const proof = deviceOf(call, account) ?? linkOf(call, account, linkKey)
  if (proof) {
    const own = await limits.loginByDevice.consume(customer.id, `${emailLower} ${proof}`)
    // A device with too many wrong attempts counts as unknown for a while.
    if (own.code === 'TAKEN') return { compares: 'ALWAYS', refusal, resetCount: own.release }
  }
  const network = networkOf(address)
  const byAccountAndNetwork = await limits.loginFrom.consume(customer.id, `${emailLower} ${network}`)
  if (byAccountAndNetwork.code === 'EXHAUSTED') return tooMany(byAccountAndNetwork.retryAfterSeconds)
  const byAccount = await limits.loginByAccount.consume(customer.id, emailLower)
  // Counts the accounts that a network tries, not the attempts per account.
  const byNetwork = await limits.loginByNetwork[byAccountAndNetwork.count === 1 ? 'consume' : 'peek'](
    customer.id,
    network,
  )
  const resetCount = async () => {
    for (const result of [byAccountAndNetwork, byAccount, byNetwork])
      if (result?.code === 'TAKEN') await result.release()
  }
  const waits = [byAccount, byNetwork].flatMap((one: SharedRateLimitResult | null) =>
    one?.code === 'EXHAUSTED' ? [one.retryAfterSeconds] : [],
  )
  if (waits.length === 0) return { compares: 'ALWAYS', refusal, resetCount }
  return { compares: 'FROM_KNOWN_NETWORK', refusal: tooMany(Math.max(...waits)), resetCount }
}

/**
 * Signs in with a password. Runs outside a transaction, because hashing is slow.
 *
 * @returns the session's token; the answer's headers get the device's. Failures: LOGIN_FAILED
 * (wrong email or password), RATE_LIMITED.
 */
export const signIn = async (
  call: CallContext,
  { email, password, linkKey }: SignInInput,
): Promise<LoginAnswer | Failure> => {
  const account = accountOf(call, email)
  const { device, address } = call
  const inTransaction = transactionsOf(call)
  const counted = await countTry(call, account, linkKey)
  if (isFailure(counted)) return counted
  const { compares, refusal, resetCount } = counted
  const member = await inTransaction(async ({ db, customer }) => {
    const found = await findCredentials(db, customer.id, account.emailLower)
    const known = await isKnownNetwork(db, customer.id, found?.id ?? null, networkOf(address))
    return found && { ...found, compared: compares === 'ALWAYS' || known }
  })
  const compare = () => verifyPassword(password, member?.passwordHash ?? null)
  // Above the limits most attempts are not compared; the fixed delay hides which ones.
  const right =
    compares === 'ALWAYS'
      ? await compare()
      : await atLeast(refusalMilliseconds, async () => member?.compared && compare())
  if (!right || !member) return refusal
  await resetCount()
  const login = await inTransaction(async (ctx) => {
    // The password may have been changed during the comparison.
    const now = await findCredentials(ctx.db, ctx.customer.id, account.emailLower, { lock: true })
    if (now?.passwordHash !== member.passwordHash) return failure('LOGIN_FAILED')
    return openSession(ctx, { memberId: member.id, device, address })
  })
  if (!isFailure(login)) trustDevice(call, account)
  return login
}
