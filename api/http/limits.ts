import { networkOf } from '#api/network.ts'
import type { RateLimit } from '#api/rate-limit.ts'
import type { SharedLimit } from '#api/shared-limit.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { CallContext } from './call-context.ts'
import { CallError } from './problem.ts'

/** Takes a ticket, or refuses the call with 429 and Retry-After. */
export const takeTicket = (limit: RateLimit, key: string) => {
  const ticket = limit.take(key)
  if (ticket.code === 'EXHAUSTED') throw new CallError('RATE_LIMITED', { retryAfterSeconds: ticket.retryAfterSeconds })
  return ticket
}

/** The same of a tenant's limit that all processes count together. */
export const takeSharedTicket = async (limit: SharedLimit, customerId: CustomerId, key: string) => {
  const ticket = await limit.take(customerId, key)
  if (ticket.code === 'EXHAUSTED') throw new CallError('RATE_LIMITED', { retryAfterSeconds: ticket.retryAfterSeconds })
  return ticket
}

/** Whom a limit of a tenant's counts: a member wherever they are, and everyone else by their network. */
export const callerKey = ({ customer, actor, address }: CallContext) =>
  `${customer.id}:${actor.kind === 'USER' ? actor.memberId : networkOf(address)}`

/** Does what may be done so often by one caller; what fails is not counted. */
export const limited = async <Answer>(
  call: CallContext,
  limit: RateLimit,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const ticket = takeTicket(limit, callerKey(call))
  try {
    return await work()
  } catch (error) {
    ticket.giveBack()
    throw error
  }
}
