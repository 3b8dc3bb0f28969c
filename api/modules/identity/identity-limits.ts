import type { DetachedCtx, Failure } from '#api/platform/context.ts'
import { exceeded, hourSeconds, type LimitKinds, minuteSeconds, networkOf } from '#api/platform/limits/rate-limits.ts'
import { type Account, deviceOf, type Visitor } from './sessions.ts'

/** Returns the limits of signing in and of joining, by account and by network. */
export const createIdentityLimits = ({ inProcess, shared }: LimitKinds) => ({
  /** Wrong passwords from unknown devices. `sign-in.ts` combines these limits. */
  loginFrom: shared('login from', 10, 15 * minuteSeconds, { after: 5, seconds: 5 }),
  loginByAccount: shared('login', 20, 15 * minuteSeconds),
  loginByNetwork: shared('accounts from', 50, 15 * minuteSeconds),
  /** Wrong passwords from a known device. Beyond the limit it counts as unknown. */
  loginByDevice: shared('login on', 20, hourSeconds),
  /** Password confirmations of one session. */
  passwords: shared('password', 10, 15 * minuteSeconds),
  /**
   * Unsolicited mails: joins, resets and sign-in links. Repeated mails to one person count once for
   * a while.
   */
  mailsByAddress: shared('mails from', 60, hourSeconds),
  mailsToOne: shared('mail from', 1, 10 * minuteSeconds),
  signInLinks: shared('sign-in link', 1, 10 * minuteSeconds),
  joinsFrom: shared('join from', 5, hourSeconds),
  joinsByEmail: shared('join', 30, hourSeconds),
  resendsByJoin: shared('resend', 5, hourSeconds),
  /** Searches for postal addresses. */
  addresses: inProcess(120, minuteSeconds),
})
export type IdentityLimits = ReturnType<typeof createIdentityLimits>

/** What limiting the mails that visitors request needs of the process. */
export interface MailLimitDeps {
  secret: string
  limits: Pick<IdentityLimits, 'mailsToOne' | 'mailsByAddress'>
}

/**
 * The minimum duration of a mail request, so that timing does not reveal whether a member exists.
 */
export const mailMilliseconds = 250

/**
 * Counts the recipients of mails requested by a network, each once. A known device of the account
 * is not counted, so that others cannot exhaust the account's mails. Failure: RATE_LIMITED.
 */
export const countMail = async (
  { customer, clock }: Pick<DetachedCtx, 'customer' | 'clock'>,
  { secret, limits }: MailLimitDeps,
  account: Account,
  { address, deviceToken }: Visitor,
): Promise<Failure | null> => {
  if (deviceOf(secret, account, deviceToken, clock.now())) return null
  const network = networkOf(address)
  const first = await limits.mailsToOne.consume(customer.id, `${account.emailLower} ${network}`)
  if (first.code === 'EXHAUSTED') return null
  const refused = exceeded(await limits.mailsByAddress.consume(customer.id, network))
  if (refused) await first.release()
  return refused
}
