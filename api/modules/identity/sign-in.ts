import {
  type Clock,
  type Ctx,
  type Customer,
  type Failure,
  failure,
  isFailure,
  type Member,
} from '#api/platform/context.ts'
import { atLeast } from '#api/platform/crypto.ts'
import { type Limits, networkOf, type SharedRateLimitResult } from '#api/platform/limits/rate-limits.ts'
import type { LoginAnswer } from '#contract/accounts.ts'
import type { Locale } from '#contract/enumerations.ts'
import { findCredentials, findMember } from './identity.queries.ts'
import { verifyPassword } from './passwords.ts'
import { invalid, lowerEmail } from './profile.ts'
import { knowsNetwork } from './sessions.queries.ts'
import { type Account, knownDevice, linkOf, openSession, rememberAccount } from './sessions.ts'

/**
 * The dependencies of sign-in. It opens its own transactions, because comparing passwords is slow.
 */
export interface SignInEnv {
  customer: Customer
  /** The visitor's address and device. */
  address: string
  device: string
  /**
   * The device token, which lists the accounts that signed in on it; null for an unknown device.
   */
  deviceToken: string | null
  language: Locale
  limits: Pick<Limits, 'loginByDevice' | 'loginFrom' | 'loginByAccount' | 'loginByNetwork' | 'passwords'>
  clock: Clock
  /** Signs device tokens and mail links. */
  deviceSecret: string
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

/** The account of an email in this store, whether it exists or not. */
export const accountOf = ({ customer }: Pick<SignInEnv, 'customer'>, email: string): Account => ({
  customerId: customer.id,
  emailLower: lowerEmail(email),
})

/** The id of the request's device if the account has signed in on it; otherwise null. */
export const deviceOf = ({ deviceSecret, deviceToken, clock }: SignInEnv, account: Account) =>
  knownDevice(deviceSecret, account, deviceToken, clock.now())

/** Returns a token that proves that the account has signed in on the device. */
export const trustDevice = ({ deviceSecret, deviceToken, clock }: SignInEnv, account: Account): string =>
  rememberAccount(deviceSecret, account, deviceToken, clock.now())

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
  forget: () => Promise<void>
}

/**
 * Counts a password attempt. A known device, or the bearer of a mail's link, has its own limit.
 * Others are counted by account and network (with growing delays), by account, and by network.
 * Above these limits the password is compared only from networks known for the account; response
 * and timing are the same for all others.
 */
const countTry = async (
  env: SignInEnv,
  account: Account,
  linkKey: string | undefined,
): Promise<CountedTry | Failure> => {
  const { limits, customer, address, clock, deviceSecret } = env
  const { emailLower } = account
  const refusal = failure('LOGIN_FAILED')
  const proof = deviceOf(env, account) ?? linkOf(deviceSecret, account, linkKey, clock.now())
  if (proof) {
    const own = await limits.loginByDevice.consume(customer.id, `${emailLower} ${proof}`)
    // A device with too many wrong attempts counts as unknown for a while.
    if (own.code === 'TAKEN') return { compares: 'ALWAYS', refusal, forget: own.release }
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
  const forget = async () => {
    for (const result of [byAccountAndNetwork, byAccount, byNetwork])
      if (result?.code === 'TAKEN') await result.release()
  }
  const waits = [byAccount, byNetwork].flatMap((one: SharedRateLimitResult | null) =>
    one?.code === 'EXHAUSTED' ? [one.retryAfterSeconds] : [],
  )
  if (waits.length === 0) return { compares: 'ALWAYS', refusal, forget }
  return { compares: 'FROM_KNOWN_NETWORK', refusal: tooMany(Math.max(...waits)), forget }
}

/**
 * Signs in with a password. Runs outside a transaction, because hashing is slow.
 *
 * @returns the tokens of the session and the device. Failures: LOGIN_FAILED (wrong email or
 * password), RATE_LIMITED.
 */
export const signIn = async (
  env: SignInEnv,
  { email, password, linkKey }: SignInInput,
): Promise<{ login: LoginAnswer; deviceToken: string } | Failure> => {
  const account = accountOf(env, email)
  const { device, address } = env
  const counted = await countTry(env, account, linkKey)
  if (isFailure(counted)) return counted
  const { compares, refusal, forget } = counted
  const member = await env.inTransaction(async ({ db, customer }) => {
    const found = await findCredentials(db, customer.id, account.emailLower)
    const known = await knowsNetwork(db, customer.id, found?.id ?? null, networkOf(address))
    return found && { ...found, compared: compares === 'ALWAYS' || known }
  })
  const compare = () => verifyPassword(password, member?.passwordHash ?? null)
  // Above the limits most attempts are not compared; the fixed delay hides which ones.
  const right =
    compares === 'ALWAYS'
      ? await compare()
      : await atLeast(refusalMilliseconds, async () => member?.compared && compare())
  if (!right || !member) return refusal
  await forget()
  const login = await env.inTransaction(async (ctx) => {
    // The password may have been changed during the comparison.
    const now = await findCredentials(ctx.db, ctx.customer.id, account.emailLower, { lock: true })
    if (now?.passwordHash !== member.passwordHash) return failure('LOGIN_FAILED')
    return openSession(ctx, { memberId: member.id, device, address })
  })
  return isFailure(login) ? login : { login, deviceToken: trustDevice(env, account) }
}

/**
 * Verifies the password that a member entered again. Wrong attempts are counted.
 *
 * @returns the member's row. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for `field`
 * if the password is wrong.
 */
export const confirmPassword = async (
  env: SignInEnv,
  { memberId, sessionId }: Member,
  field: string,
  password: string,
) => {
  const { customer, limits, language } = env
  const counted = await limits.passwords.consume(customer.id, sessionId)
  if (counted.code === 'EXHAUSTED') return failure('RATE_LIMITED', { retryAfterSeconds: counted.retryAfterSeconds })
  const member = await env.inTransaction(({ db }) => findMember(db, customer.id, memberId))
  if (!member) return failure('SESSION_EXPIRED')
  // Runs outside the transaction because hashing takes longer than all its queries.
  if (!(await verifyPassword(password, member.passwordHash))) return invalid(language, field, 'wrongPassword')
  await counted.release()
  return member
}
