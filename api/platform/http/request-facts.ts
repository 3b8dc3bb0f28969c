import { randomUUID } from 'node:crypto'
import { traverseContractProcedures } from '@orpc/server'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import * as z from 'zod/mini'
import type { Customer } from '#api/platform/context.ts'
import { networkOf, type RateLimit, type SharedLimit } from '#api/platform/limits/rate-limits.ts'
import { negotiateLanguage } from '#contract/accept-language.ts'
import { type Locale, locale as localeSchema } from '#contract/enumerations.ts'
import { apiPages, headers as headerNames, isRequestId } from '#contract/http.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Permission } from '#contract/permissions.ts'
import { contract } from '#contract/procedures/contract.ts'
import type { Access } from '#contract/procedures/procedure.ts'
import { ApiError } from './problems.ts'
import { isOfOperators, metaOf, type ProcedureContext } from './procedures.ts'

/** What the log says about a request. Its handlers fill it in. */
export interface RequestReport {
  /** The pattern of the path, such as `/products/{code}`. */
  route?: string
  /** The code of a tenant that exists. */
  customer?: string
  /** The answer goes on until its reader leaves, which is its usual end. */
  isOpenEnded?: boolean
}

/** The connection of a request. `address` is null for a request from within this process. */
export interface Connection {
  address: string | null
  report?: RequestReport | undefined
}

/**
 * Returns the caller's request id where it is valid, so that storefront and API log the same id.
 * Otherwise returns a new one.
 */
export const requestIdOf = (headers: Headers) => {
  const requestId = headers.get(headerNames.requestId)
  return isRequestId(requestId) ? requestId : randomUUID()
}

/**
 * Returns the visitor's address. Anyone can send X-Forwarded-For, so it counts only from a trusted
 * proxy or from the storefront in this process. Read from the right, the first address that is no
 * trusted proxy is the visitor's.
 */
export const addressOf = (headers: Headers, { address }: Connection, trusted: ReadonlySet<string>) => {
  if (address !== null && !trusted.has(unmapAddress(address))) return unmapAddress(address)
  const claims = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => unmapAddress(part.trim()))
    .filter(Boolean)
  return (
    claims.findLast((claim) => !trusted.has(claim)) ?? claims[0] ?? (address === null ? 'local' : unmapAddress(address))
  )
}

/** Whether a connection comes from a trusted proxy. */
export const isTrusted = (address: string | undefined, trusted: ReadonlySet<string>) =>
  address !== undefined && trusted.has(unmapAddress(address))

/** Returns the IPv4 address that an IPv6 address maps, and other addresses unchanged. */
export const unmapAddress = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '').slice(0, 64)

/**
 * Returns the origin that the browser sees. Behind a proxy or the storefront it differs from the
 * origin of the request.
 */
export const originOf = (
  request: Pick<Request, 'url' | 'headers'>,
  publicUrl: string | null,
  { address }: Connection,
  trusted: ReadonlySet<string>,
) => {
  if (publicUrl) return publicUrl
  const host = request.headers.get('x-forwarded-host')
  const trustedHost = host && (address === null || trusted.has(unmapAddress(address)))
  return trustedHost
    ? `${request.headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http'}://${host}`
    : new URL(request.url).origin
}

/**
 * Counts a request against a limit.
 *
 * @throws ApiError RATE_LIMITED with `retryAfterSeconds` if the limit is exhausted
 */
export const consumeLimit = (limit: RateLimit, key: string) => {
  const result = limit.consume(key)
  if (result.code === 'EXHAUSTED') throw new ApiError('RATE_LIMITED', { retryAfterSeconds: result.retryAfterSeconds })
  return result
}

/**
 * Counts a request against a tenant's limit that all processes share.
 *
 * @throws ApiError RATE_LIMITED with `retryAfterSeconds` if the limit is exhausted
 */
export const consumeSharedLimit = async (limit: SharedLimit, customerId: CustomerId, key: string) => {
  const result = await limit.consume(customerId, key)
  if (result.code === 'EXHAUSTED') throw new ApiError('RATE_LIMITED', { retryAfterSeconds: result.retryAfterSeconds })
  return result
}

type Caller = Pick<ProcedureContext, 'customer' | 'actor' | 'address'>

/** Returns the key of the caller for rate limits: the member, or the network of a guest. */
export const callerKey = ({ customer, actor, address }: Caller) =>
  `${customer.id}:${actor.kind === 'USER' ? actor.memberId : networkOf(address)}`

/** Runs `work` against a caller's limit. Failures are not counted. */
export const limited = async <Answer>(
  caller: Caller,
  limit: RateLimit,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  const result = consumeLimit(limit, callerKey(caller))
  try {
    return await work()
  } catch (error) {
    result.release()
    throw error
  }
}

/** The path of the demo's mailbox; null outside of the demo. */
export const mailboxPath = ({ mailbox }: { mailbox: boolean }) => (mailbox ? apiPages.mailbox : null)

interface LanguageFacts {
  headers: Headers
  customer: Pick<Customer, 'settings'>
}

/**
 * Returns the language of messages to the caller: the preferred language of Accept-Language that
 * has messages, else the store's.
 */
export const callerLocale = ({ headers, customer }: LanguageFacts): Locale =>
  negotiateLanguage(headers.get('accept-language'), localeSchema.options, customer.settings.base.locale)

/**
 * Returns the language of a store's texts: the preferred language of Accept-Language that the store
 * has, else the store's own.
 */
export const storeLocale = ({ headers, customer }: LanguageFacts): Locale => {
  const { locale, locales } = customer.settings.base
  return negotiateLanguage(headers.get('accept-language'), locales, locale)
}

/** Returns the language of a demo page: the one chosen in the store, else the browser's. */
export const visitorLanguage = (context: Context): Locale => {
  const chosen = getCookie(context, 'locale')
  const { options } = localeSchema
  return (
    options.find((language) => language === chosen) ??
    negotiateLanguage(context.req.header('accept-language'), options, 'en')
  )
}

export interface ProcedureRoute {
  name: string
  method: string
  /** The path in the contract, below the base of the customer: `/products/{code}`. */
  path: string
  pattern: RegExp
  /** Orders routes by literal segments: `/products/options` comes before `/products/{id}`. */
  weight: number
  access: Access
  /** Procedures of operators: the permission that the caller must have. */
  permission: Permission | null
  /** Whether a person needs a confirmed session, whatever the permission. */
  secondFactor: boolean
  /** Names the procedure where it is called without HTTP. */
  directUrl: URL
  /** Whether a page may call it without HTTP: it reads, and answers with data. */
  isDirect: boolean
}

/** Method, path and access of every procedure, read once from the contract. */
const routes: ProcedureRoute[] = []
traverseContractProcedures({ router: contract, path: [] }, ({ contract: procedure, path }) => {
  const { route, outputSchema } = procedure['~orpc']
  const { method = 'GET', path: address = '/' } = route
  const { access, permission = null, secondFactor = false } = metaOf(procedure)
  routes.push({
    name: path.join('.'),
    method,
    path: address,
    pattern: new RegExp(`^${address.replace(/\{[^}]+\}/g, '[^/]+')}/?$`),
    weight: address.split('/').filter((part) => !part.startsWith('{')).length,
    access,
    permission,
    secondFactor,
    directUrl: new URL(`http://api/${path.join('/')}`),
    isDirect: method === 'GET' && !isOfOperators(access) && !(outputSchema instanceof z.ZodMiniFile),
  })
})
routes.sort((a, b) => b.weight - a.weight)
/** By their first segments, which are never parameters. */
const routesByStart = Map.groupBy(routes, ({ path }) => path.split('/', 2)[1])

const routesByName = new Map(routes.map((route) => [route.name, route]))

/** Returns a procedure by its name in the contract, such as `['catalog', 'product']`. */
export const routeOf = (name: readonly string[]): ProcedureRoute | undefined => routesByName.get(name.join('.'))

/**
 * Returns the procedure for a method and a path below the customer's base. Where only the path
 * matches, returns its methods. Returns null if nothing matches.
 */
export const findRoute = (method: string, path: string): ProcedureRoute | { allow: string[] } | null => {
  const there = (routesByStart.get(path.split('/', 2)[1]) ?? []).filter((route) => route.pattern.test(path))
  const procedure = there.find((route) => route.method === method)
  return procedure ?? (there.length > 0 ? { allow: [...new Set(there.map((route) => route.method))] } : null)
}

/** The version of the object that the caller has seen; null if the request names none. */
export const ifMatch = ({ headers }: { headers: Headers }): string | null => headers.get('if-match')

/** Whether a request was sent by the console: other origins cannot send this header. */
export const isFromConsole = (headers: Headers): boolean =>
  headers.has(headerNames.console) && headers.get('sec-fetch-site') === 'same-origin'

/** The name of a cookie of this host. The `__Host-` prefix needs https, which localhost lacks. */
export const hostCookieName = (name: string, isSecure: boolean) => (isSecure ? `__Host-${name}` : name)

interface HostCookie {
  name: string
  value: string
  seconds: number
  sameSite: 'Strict' | 'Lax'
}

/** Returns the header that sets a cookie of this host that no script can read. */
export const hostCookie = ({ name, value, seconds, sameSite }: HostCookie, isSecure: boolean): string =>
  [
    `${hostCookieName(name, isSecure)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
