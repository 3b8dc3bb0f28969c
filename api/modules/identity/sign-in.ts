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

/** What a sign-in needs of its request and of the process. It makes its own transactions: comparing passwords takes long. */
export interface SignInEnv {
  customer: Customer
  /** The visitor's address and device. */
  address: string
  device: string
  /** What the device shows of the accounts it has signed in to; null for a device that is not known. */
  deviceToken: string | null
  language: Locale
  limits: Pick<Limits, 'loginByDevice' | 'loginFrom' | 'loginByAccount' | 'loginByNetwork' | 'passwords'>
  clock: Clock
  /** Signs device tokens and the links of mails. */
  deviceSecret: string
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
}

/** The account an e-mail names in this store, whether there is one or not. */
export const accountOf = ({ customer }: Pick<SignInEnv, 'customer'>, email: string): Account => ({
  customerId: customer.id,
  emailLower: lowerEmail(email),
})

/** The id of the device a request comes from, where this account has signed in on it; null for any other. */
export const deviceOf = ({ deviceSecret, deviceToken, clock }: SignInEnv, account: Account) =>
  knownDevice(deviceSecret, account, deviceToken, clock.now())

/** A token by which the device proves from now on that the account has signed in on it. */
export const trustDevice = ({ deviceSecret, deviceToken, clock }: SignInEnv, account: Account): string =>
  rememberAccount(deviceSecret, account, deviceToken, clock.now())

/** The same answer for every account, whether it exists or not: when to try again, and that a mail lets its owner in meanwhile. */
const tooMany = (retryAfterSeconds: number) =>
  failure('RATE_LIMITED', { retryAfterSeconds, data: { retryAfterSeconds, signInLink: true } })

/** Longer than comparing a password takes. */
const refusalMilliseconds = 250

export interface SignInInput {
  email: string
  password: string
  /** Of the link in a mail, which makes whoever opened it as trusted as a known device. */
  linkKey?: string | undefined
}

interface CountedTry {
  /** Whether the password may be compared. */
  compares: 'ALWAYS' | 'FROM_KNOWN_NETWORK'
  /** What a wrong password is answered with. */
  refusal: Failure
  /** Takes the count back, after a right password. */
  forget: () => Promise<void>
}

/**
 * Counts a try at a password. A known device, or whoever opened the link of a mail, has tries of its own. Everyone else is counted by
 * account and network (a pause that grows), by account over all networks, and by network over the accounts it tries. Past these
 * limits the password is compared only where the account has signed in from this network before; answer and time are the same for
 * all others.
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
    // A device that was wrong too often is an unknown one for a while.
    if (own.code === 'TAKEN') return { compares: 'ALWAYS', refusal, forget: own.release }
  }
  const network = networkOf(address)
  const here = await limits.loginFrom.consume(customer.id, `${emailLower} ${network}`)
  if (here.code === 'EXHAUSTED') return tooMany(here.retryAfterSeconds)
  const byAccount = await limits.loginByAccount.consume(customer.id, emailLower)
  // Of one network the accounts it tries are counted, not how often it tries each.
  const byNetwork = await limits.loginByNetwork[here.count === 1 ? 'consume' : 'peek'](customer.id, network)
  const forget = async () => {
    for (const result of [here, byAccount, byNetwork]) if (result?.code === 'TAKEN') await result.release()
  }
  const waits = [byAccount, byNetwork].flatMap((one: SharedRateLimitResult | null) =>
    one?.code === 'EXHAUSTED' ? [one.retryAfterSeconds] : [],
  )
  if (waits.length === 0) return { compares: 'ALWAYS', refusal, forget }
  return { compares: 'FROM_KNOWN_NETWORK', refusal: tooMany(Math.max(...waits)), forget }
}

/**
 * Signs in with a password. Outside of a transaction: comparing takes longer than everything else together.
 *
 * @returns the session's token, and the token of the device. Failures: LOGIN_FAILED (wrong email or password), RATE_LIMITED.
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
  // Past the limits nothing is compared for most, and so cheaply: the wait hides for whom it is.
  const right =
    compares === 'ALWAYS'
      ? await compare()
      : await atLeast(refusalMilliseconds, async () => member?.compared && compare())
  if (!right || !member) return refusal
  await forget()
  const login = await env.inTransaction(async (ctx) => {
    // A password that was changed while this one was compared closes the door all the same.
    const now = await findCredentials(ctx.db, ctx.customer.id, account.emailLower, { lock: true })
    if (now?.passwordHash !== member.passwordHash) return failure('LOGIN_FAILED')
    return openSession(ctx, { memberId: member.id, device, address })
  })
  return isFailure(login) ? login : { login, deviceToken: trustDevice(env, account) }
}

/**
 * Compares the password that a member has given again. Wrong tries are counted.
 *
 * @returns the member's row. Failures: RATE_LIMITED, SESSION_EXPIRED, VALIDATION_FAILED for `field` where the password is wrong.
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
  // Outside of a transaction: hashing takes longer than everything else together.
  if (!(await verifyPassword(password, member.passwordHash))) return invalid(language, field, 'wrongPassword')
  await counted.release()
  return member
}
