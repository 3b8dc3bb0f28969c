import { randomUUID } from 'node:crypto'
import { networkOf, type RateLimit, type SharedLimit } from '#api/platform/limits/rate-limits.ts'
import type { CustomerId } from '#contract/ids.ts'
import { headers as headerNames } from '#contract/index.ts'
import { urlOf } from '#contract/request-url.ts'
import { ApiError } from './problems.ts'
import type { CallContext } from './procedures.ts'

/** What the server knows of a connection. `address` is null for a request made within this process. */
export interface Connection {
  address: string | null
}

const saneId = /^[A-Za-z0-9._-]{8,64}$/

/** The caller's own id where it is a sane one, so that one id follows a page through both programs. */
export const requestIdOf = (headers: Headers) => {
  const given = headers.get(headerNames.requestId)
  return given && saneId.test(given) ? given : randomUUID()
}

/**
 * The visitor's address. X-Forwarded-For is a claim anyone can make, so it counts only from a proxy we trust or from our own
 * storefront in this process; read from the right, the first address that is no proxy of ours is the visitor.
 */
export const addressOf = (headers: Headers, { address }: Connection, trusted: ReadonlySet<string>) => {
  if (address !== null && !trusted.has(plain(address))) return plain(address)
  const claims = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => plain(part.trim()))
    .filter(Boolean)
  return claims.findLast((claim) => !trusted.has(claim)) ?? claims[0] ?? (address === null ? 'local' : plain(address))
}

/** Whether a connection comes from a proxy of ours. */
export const isTrusted = (address: string | undefined, trusted: ReadonlySet<string>) =>
  address !== undefined && trusted.has(plain(address))

/** IPv4 in IPv6's clothes is the same address. */
const plain = (address: string) => address.replace(/^::ffff:/i, '').slice(0, 64)

/** The origin the browser sees. Behind a proxy, or behind our own storefront, that is not the one this request names. */
export const originOf = (
  request: Request,
  publicUrl: string | null,
  { address }: Connection,
  trusted: ReadonlySet<string>,
) => {
  if (publicUrl) return publicUrl
  const url = urlOf(request)
  const host = request.headers.get('x-forwarded-host')
  const believed = host && (address === null || trusted.has(plain(address)))
  return believed ? `${request.headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${host}` : url.origin
}

/**
 * Counts a call against a limit.
 *
 * @throws ApiError RATE_LIMITED with `retryAfterSeconds` where the limit is exhausted.
 */
export const consumeLimit = (limit: RateLimit, key: string) => {
  const result = limit.consume(key)
  if (result.code === 'EXHAUSTED') throw new ApiError('RATE_LIMITED', { retryAfterSeconds: result.retryAfterSeconds })
  return result
}

/** The same of a tenant's limit that all processes count together. */
export const consumeSharedLimit = async (limit: SharedLimit, customerId: CustomerId, key: string) => {
  const result = await limit.consume(customerId, key)
  if (result.code === 'EXHAUSTED') throw new ApiError('RATE_LIMITED', { retryAfterSeconds: result.retryAfterSeconds })
  return result
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
  const result = consumeLimit(limit, callerKey(call))
  try {
    return await work()
  } catch (error) {
    result.release()
    throw error
  }
}

/** Where mails can be read here; null outside of the demo. */
export const mailboxPath = ({ mailbox }: { mailbox: boolean }) => (mailbox ? '/mailbox' : null)
