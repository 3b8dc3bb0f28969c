import type { DetachedCtx, Failure } from '#api/platform/context.ts'
import { exceeded, networkOf } from '#api/platform/limits/rate-limits.ts'
import type { IdentityLimits } from './identity-limits.ts'
import { type Account, deviceOf, type Visitor } from './known-devices.ts'

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
