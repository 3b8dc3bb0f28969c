import { createMiddleware } from '@tanstack/react-start'
import { LRUCache } from 'lru-cache'
import type { ApiBinding } from '~/platform/api/client'
import { cookieName } from '~/platform/cookies'
import { parseSearch, stringifySearch } from '~/platform/navigation/address'
import type { RequestContext } from './request-context'
import { requestContextMiddleware } from './request-context-middleware'

/** What one answer has of its own within a document that is otherwise the same for many. */
interface OwnMarks {
  nonce: string
  requestId: string
}

type Mark = keyof OwnMarks

/** A document in pieces, as bytes, and the marks of the answer it leaves with that are filled in between them. */
export interface CachedPage {
  headers: [string, string][]
  pieces: (Uint8Array | Mark)[]
  /** Of the pieces together, in bytes. */
  size: number
}

const idMark = '<meta name="request-id" content="'
/** Written for each answer anew: by the middleware around this one, or by whoever sends it. */
const ownHeaders = new Set(['set-cookie', 'content-length', 'x-request-id'])

/** Whether a drawn page may be shown to others: a whole page, that no route called its reader's own and that leaves no trace with them. */
export function isCacheable({ status, headers }: Response): boolean {
  return (
    status === 200 &&
    headers.get('content-type')?.startsWith('text/html') === true &&
    !headers.has('cache-control') &&
    headers.getSetCookie().every((cookie) => cookie.startsWith(`${cookieName.customerCode}=`))
  )
}

const encoder = new TextEncoder()

/** A page as drawn for one answer, with what was that answer's own taken out; undefined where that cannot be told apart. */
export function splitPage(html: string, headers: Headers, { nonce }: OwnMarks): CachedPage | undefined {
  const from = html.indexOf(idMark) + idMark.length
  const to = html.indexOf('"', from)
  if (from < idMark.length || to < 0) return undefined
  // The id was the sender's to choose, so it is found by its place; the nonce is 128 bits of chance and stands for itself.
  const pieces = [...around(nonce, html.slice(0, from)), 'requestId' as const, ...around(nonce, html.slice(to))]
  return {
    headers: [...headers].filter(([name]) => !ownHeaders.has(name)),
    pieces,
    size: pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? 0 : piece.byteLength), 0),
  }
}

const around = (nonce: string, text: string): (Uint8Array | 'nonce')[] =>
  text.split(nonce).flatMap((part, at) => (at === 0 ? [encoder.encode(part)] : ['nonce', encoder.encode(part)]))

/** The page for another answer. */
export function assemblePage({ pieces }: CachedPage, marks: OwnMarks): Uint8Array<ArrayBuffer> {
  const own = { nonce: encoder.encode(marks.nonce), requestId: encoder.encode(marks.requestId) }
  const parts = pieces.map((piece) => (typeof piece === 'string' ? own[piece] : piece))
  const page = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let end = 0
  for (const part of parts) {
    page.set(part, end)
    end += part.byteLength
  }
  return page
}

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
