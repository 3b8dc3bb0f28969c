import { createMiddleware } from '@tanstack/react-start'
import { LRUCache } from 'lru-cache'
import { urlOf } from '#contract/request-url.ts'
import type { ApiBinding } from '~/platform/api/client'
import { cookieName } from '~/platform/cookies'
import { parseSearch, stringifySearch } from '~/platform/navigation/address'
import type { RequestContext } from './request-context'
import { requestContextMiddleware } from './request-context-middleware'

/** The values that differ between responses with the same document. */
interface ResponseValues {
  nonce: string
  requestId: string
}

type Placeholder = keyof ResponseValues

/** A document as bytes, with placeholders for the values of each response. */
export interface CachedPage {
  headers: [string, string][]
  pieces: (Uint8Array | Placeholder)[]
  /** Total bytes. */
  size: number
}

const requestIdMeta = '<meta name="request-id" content="'
/** Headers that are set for each response. */
const ownHeaders = new Set(['set-cookie', 'content-length', 'x-request-id'])

/**
 * Whether a rendered page may be cached for other visitors: a complete page without its own cache
 * rules and without personal cookies.
 */
export function isCacheable({ status, headers }: Response): boolean {
  return (
    status === 200 &&
    headers.get('content-type')?.startsWith('text/html') === true &&
    !headers.has('cache-control') &&
    headers.getSetCookie().every((cookie) => cookie.startsWith(`${cookieName.customerCode}=`))
  )
}

const encoder = new TextEncoder()

/** Splits a rendered page at the values of its response; undefined where they cannot be found. */
export function splitPage(html: string, headers: Headers, { nonce }: ResponseValues): CachedPage | undefined {
  const from = html.indexOf(requestIdMeta) + requestIdMeta.length
  const to = html.indexOf('"', from)
  if (from < requestIdMeta.length || to < 0) return undefined
  // A sender can choose the request id, so it is found by its position. The nonce is 128 random
  // bits and can be searched for.
  const pieces = [...splitAt(nonce, html.slice(0, from)), 'requestId' as const, ...splitAt(nonce, html.slice(to))]
  return {
    headers: [...headers].filter(([name]) => !ownHeaders.has(name)),
    pieces,
    size: pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? 0 : piece.byteLength), 0),
  }
}

const splitAt = (nonce: string, text: string): (Uint8Array | 'nonce')[] =>
  text.split(nonce).flatMap((part, at) => (at === 0 ? [encoder.encode(part)] : ['nonce', encoder.encode(part)]))

/** Assembles the page for another response. */
export function assemblePage({ pieces }: CachedPage, values: ResponseValues): Uint8Array<ArrayBuffer> {
  const own = { nonce: encoder.encode(values.nonce), requestId: encoder.encode(values.requestId) }
  const parts = pieces.map((piece) => (typeof piece === 'string' ? own[piece] : piece))
  const page = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let end = 0
  for (const part of parts) {
    page.set(part, end)
    end += part.byteLength
  }
  return page
}

/**
 * Milliseconds that data outside the tenant's version (counts, comments, banner periods) may be
 * old.
 */
const freshFor = 30_000
/** Bytes of all cached pages. */
const cacheBytes = 32_000_000
const longestUrl = 1_000
/** Milliseconds to wait for a page that another request renders, before rendering it as well. */
const waitTimeout = 3_000

interface Flight {
  begun: number
  page: Promise<CachedPage | undefined>
}

interface GuestPageCache {
  pages: LRUCache<string, CachedPage>
  /** Pages that are being rendered; other requests wait for them. */
  flights: Map<string, Flight>
}

const byApi = new WeakMap<ApiBinding, GuestPageCache>()

function cacheOf(api: ApiBinding): GuestPageCache {
  const known = byApi.get(api)
  if (known) return known
  const pages = new LRUCache<string, CachedPage>({
    maxSize: cacheBytes,
    ttl: freshFor,
    sizeCalculation: ({ size }) => size,
  })
  const cache = { pages, flights: new Map<string, Flight>() }
  byApi.set(api, cache)
  return cache
}

/**
 * Caches pages that are the same for every guest, until the tenant's version changes or they
 * expire. Nonce, request id and cookies are set for each response.
 */
export const guestPageCache = createMiddleware()
  .middleware([requestContextMiddleware])
  .server(async ({ next, request, context, handlerType }) => {
    const { requestContext } = context
    const key = handlerType === 'router' ? await keyOf(request, requestContext) : undefined
    if (key === undefined) return next()
    const { pages, flights } = cacheOf(context.api)

    const page = pages.get(key) ?? (await waitForFlight(flights.get(key)))
    if (page) return whole(assemblePage(page, requestContext), [...page.headers, ['x-cache', 'hit']])

    const drawn = Promise.withResolvers<CachedPage | undefined>()
    const flight: Flight = { begun: Date.now(), page: drawn.promise }
    flights.set(key, flight)
    try {
      const result = await next()
      const { response } = result
      if (!isCacheable(response)) return result
      const html = await response.text()
      const cached = splitPage(html, response.headers, requestContext)
      if (cached) pages.set(key, cached)
      drawn.resolve(cached)
      return { ...result, response: whole(encoder.encode(html), [...response.headers, ['x-cache', 'miss']]) }
    } finally {
      drawn.resolve(undefined)
      if (flights.get(key) === flight) flights.delete(key)
    }
  })

/** With its length, so that it is compressed in one piece. */
function whole(body: Uint8Array<ArrayBuffer>, headers: [string, string][]): Response {
  return new Response(body, { headers: [...headers, ['content-length', String(body.byteLength)]] })
}

/**
 * The cache key of a page that guests share: tenant, version, language, theme and the normalized
 * URL. Undefined for all other pages.
 */
async function keyOf(request: Request, requestContext: RequestContext): Promise<string | undefined> {
  if (request.method !== 'GET' || !requestContext.isAnonymous || request.url.length > longestUrl) return undefined
  const { pathname, search } = urlOf(request)
  // Files such as robots.txt, and API routes.
  if (/\.\w+$|^\/api\//.test(pathname) || !/text\/html|\*\/\*/.test(request.headers.get('accept') ?? '*/*'))
    return undefined
  const contract = await requestContext.tenant.contract()
  if (!contract.ok) return undefined
  const { customerCode, locale, origin, surface } = requestContext
  const theme = surface === 'light' || surface === 'dark' ? surface : 'system'
  const normalizedSearch = search && stringifySearch(parseSearch(search))
  return [customerCode, contract.data.version, locale, theme, origin + pathname + normalizedSearch].join(' ')
}

/** The page that another request renders, if it is ready in time. */
async function waitForFlight(flight: Flight | undefined): Promise<CachedPage | undefined> {
  const left = flight ? flight.begun + waitTimeout - Date.now() : 0
  if (!flight || left <= 0) return undefined
  const timer = Promise.withResolvers<undefined>()
  const timeout = setTimeout(() => timer.resolve(undefined), left)
  try {
    return await Promise.race([flight.page, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}
