import { createMiddleware } from '@tanstack/react-start'
import { LRUCache } from 'lru-cache'
import type { ApiBinding } from '~/platform/api/binding'
import { parseSearch, stringifySearch } from '~/platform/navigation/address'
import { assemblePage, type CachedPage, isCacheable, splitPage } from './cached-page'
import type { RequestContext } from './request-context'
import { requestContextMiddleware } from './request-context-middleware'

/** What moves without the tenant's version (counts, comments, a banner's period) may be this old for a guest. Milliseconds. */
const freshFor = 30_000
/** Of all pages together, in bytes. */
const room = 32_000_000
const longestAddress = 1_000
/** How long a guest waits for a page that is being drawn for another, before drawing it as well. Milliseconds. */
const patience = 3_000

interface Flight {
  begun: number
  page: Promise<CachedPage | undefined>
}

interface GuestPages {
  kept: LRUCache<string, CachedPage>
  /** Pages being drawn at this moment: who asks for one of them waits for it. */
  flights: Map<string, Flight>
}

const byApi = new WeakMap<ApiBinding, GuestPages>()

function pagesOf(api: ApiBinding): GuestPages {
  const known = byApi.get(api)
  if (known) return known
  const kept = new LRUCache<string, CachedPage>({ maxSize: room, ttl: freshFor, sizeCalculation: ({ size }) => size })
  const pages = { kept, flights: new Map<string, Flight>() }
  byApi.set(api, pages)
  return pages
}

/**
 * A page that looks the same for every guest is drawn once and handed to all who ask for it, until the tenant's version moves or it
 * has aged. Nonce, request id and cookies are each answer's own.
 */
export const guestPageCache = createMiddleware()
  .middleware([requestContextMiddleware])
  .server(async ({ next, request, context, handlerType }) => {
    const { requestContext } = context
    const key = handlerType === 'router' ? await keyOf(request, requestContext) : undefined
    if (key === undefined) return next()
    const { kept, flights } = pagesOf(context.api)

    const page = kept.get(key) ?? (await landing(flights.get(key)))
    if (page) return whole(assemblePage(page, requestContext), [...page.headers, ['x-cache', 'hit']])

    const drawn = Promise.withResolvers<CachedPage | undefined>()
    const flight: Flight = { begun: Date.now(), page: drawn.promise }
    flights.set(key, flight)
    try {
      const result = await next()
      const { response } = result
      if (!isCacheable(response)) return result
      const html = await response.text()
      const apart = splitPage(html, response.headers, requestContext)
      if (apart) kept.set(key, apart)
      drawn.resolve(apart)
      return { ...result, response: whole(encoder.encode(html), [...response.headers, ['x-cache', 'miss']]) }
    } finally {
      drawn.resolve(undefined)
      if (flights.get(key) === flight) flights.delete(key)
    }
  })

const encoder = new TextEncoder()

/** Says how long it is, so that whoever compresses it can do so in one go. */
function whole(body: Uint8Array<ArrayBuffer>, headers: [string, string][]): Response {
  return new Response(body, { headers: [...headers, ['content-length', String(body.byteLength)]] })
}

/**
 * What a page depends on, if it is one that guests may share: tenant and its version, language, light or dark, and the address as
 * the router reads it. Undefined for all others.
 */
async function keyOf(request: Request, requestContext: RequestContext): Promise<string | undefined> {
  if (request.method !== 'GET' || !requestContext.isAnonymous || request.url.length > longestAddress) return undefined
  const { pathname, search } = new URL(request.url)
  // Files of the store's own, such as robots.txt, and calls.
  if (/\.\w+$|^\/api\//.test(pathname) || !/text\/html|\*\/\*/.test(request.headers.get('accept') ?? '*/*'))
    return undefined
  const contract = await requestContext.tenant.contract()
  if (!contract.ok) return undefined
  const { customerCode, locale, origin, surface } = requestContext
  const shown = surface === 'light' || surface === 'dark' ? surface : 'system'
  const words = search && stringifySearch(parseSearch(search))
  return [customerCode, contract.data.version, locale, shown, origin + pathname + words].join(' ')
}

/** The page another request is drawing, if it comes in time. */
async function landing(flight: Flight | undefined): Promise<CachedPage | undefined> {
  const left = flight ? flight.begun + patience - Date.now() : 0
  if (!flight || left <= 0) return undefined
  const timer = Promise.withResolvers<undefined>()
  const timeout = setTimeout(() => timer.resolve(undefined), left)
  try {
    return await Promise.race([flight.page, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}
