import { randomUUID } from 'node:crypto'
import { headers as headerNames } from '#contract/index.ts'

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
  const url = new URL(request.url)
  const host = request.headers.get('x-forwarded-host')
  const believed = host && (address === null || trusted.has(plain(address)))
  return believed ? `${request.headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${host}` : url.origin
}
