import { createMiddleware } from '@tanstack/react-start'
import { LRUCache } from 'lru-cache'
import { urlOf } from '#contract/request-url.ts'
import { parseSearch, stringifySearch } from '~/platform/address'
import type { ApiBinding } from '~/platform/api/client'
import { cookieName } from '~/platform/cookies'
import type { RequestContext } from './request-context'
import {
  type PageEncoder,
  type PageEncoding,
  requestContextMiddleware,
  type SharedDocument,
} from './request-context-middleware'
import type { DocumentHashes } from './security-middleware'
import { malformedRequestGuard } from './server-fn-guard'

/**
 * A document or an answer that is the same for every visitor. Hashes name a document's scripts and
 * styles.
 */
export interface CachedPage extends SharedDocument {
  headers: [string, string][]
  hashes: DocumentHashes
}

/** Headers that are set for each response. */
const ownHeaders = new Set(['set-cookie', 'content-length', 'x-request-id'])

/**
 * Whether a response may be cached for other visitors: complete, of the expected content type,
 * without its own cache rules and without personal cookies.
 */
export function isCacheable({ status, headers }: Response, contentType = 'text/html'): boolean {
  return (
    status === 200 &&
    headers.get('content-type')?.startsWith(contentType) === true &&
    !headers.has('cache-control') &&
    headers.getSetCookie().every((cookie) => cookie.startsWith(`${cookieName.customerCode}=`))
  )
}

const textEncoder = new TextEncoder()

/**
 * Replaces the nonce of a rendered page by the hashes of the scripts and styles that have it, so
 * that the bytes are the same for every response. An injected script has no nonce, so it gets no
 * hash. Undefined if the nonce is also elsewhere.
 */
export async function sharedPage(html: string, headers: Headers, nonce: string): Promise<CachedPage | undefined> {
  const attribute = ` nonce="${nonce}"`
  const inline = { script: new Set<string>(), style: new Set<string>() }
  for (const [, name, attributes = '', text = ''] of html.matchAll(/<(script|style)\b([^>]*)>(.*?)<\/\1>/gs))
    if (attributes.includes(attribute) && !/\ssrc=/.test(attributes))
      inline[name === 'style' ? 'style' : 'script'].add(text)
  const text = html.replaceAll(attribute, '').replace(`<meta property="csp-nonce" content="${nonce}"/>`, '')
  if (text.includes(nonce)) return undefined
  const [scripts, styles] = await Promise.all([hashesOf(inline.script), hashesOf(inline.style)])
  return cachedPage(text, headers, { scripts, styles })
}

const cachedPage = (text: string, headers: Headers, hashes: DocumentHashes): CachedPage => ({
  headers: [...headers].filter(([name]) => !ownHeaders.has(name)),
  body: textEncoder.encode(text),
  hashes,
  encoded: new Map(),
  expiresAt: Date.now() + freshFor,
})

/**
 * Milliseconds that data outside the tenant's version (counts, comments, banner periods) may be
 * old.
 */
const freshFor = 30_000

const hashesOf = (texts: Iterable<string>): Promise<string[]> =>
  Promise.all(
    Array.from(texts, async (text) => {
      const digest = await crypto.subtle.digest('SHA-256', textEncoder.encode(text))
      return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`
    }),
  )

/** Bytes of all cached pages. */
const cacheBytes = 32_000_000
/** Characters. */
export const longestUrl = 1_000
/** Milliseconds to wait for a page that another request renders, before rendering it as well. */
const waitTimeout = 3_000

interface PendingPage {
  startedAt: number
  page: Promise<CachedPage | undefined>
}

interface GuestPageCache {
  pages: LRUCache<string, CachedPage>
  /** Pages that are being rendered; other requests wait for them. */
  pendingPages: Map<string, PendingPage>
}

const byApi = new WeakMap<ApiBinding, GuestPageCache>()

function cacheOf(api: ApiBinding): GuestPageCache {
  const cachedFor = byApi.get(api)
  if (cachedFor) return cachedFor
  const pages = new LRUCache<string, CachedPage>({
    maxSize: cacheBytes,
    ttl: freshFor,
    // The encoded forms take a quarter more, the key and the headers some 2 kB.
    sizeCalculation: ({ body }) => Math.ceil(body.byteLength * 1.25) + 2_000,
  })
  const cache = { pages, pendingPages: new Map<string, PendingPage>() }
  byApi.set(api, cache)
  return cache
}

/**
 * Caches pages, and the answers of `sharedReadFn`, that are the same for every guest, until the
 * tenant's version changes or they expire. Request id and cookies are set for each response.
 */
export const guestPageCache = createMiddleware()
  .middleware([requestContextMiddleware, malformedRequestGuard])
  .server(async ({ next, request, context, handlerType }) => {
    const { requestContext, policy, encoder, serverFn } = context
    // Development injects scripts that change.
    const store = import.meta.env.DEV ? undefined : await storeOf(request, requestContext, handlerType)
    if (!store) return next()
    const key = keyOf(request, requestContext, store.version, handlerType)
    const { pages, pendingPages } = cacheOf(context.api)
    const send = async (page: CachedPage, cache: 'hit' | 'miss', init: ResponseInit = {}) => {
      policy.shared = { ...page.hashes, origin: requestContext.origin }
      context.onSharedDocument?.(page, { ...store, host: urlOf(request).host })
      const encoding = encoder?.choose(request.headers.get('accept-encoding'))
      const body = encoder && encoding ? await encodedBody(page, encoding, encoder) : page.body
      const headers = new Headers(page.headers)
      headers.set('x-cache', cache)
      headers.set('content-length', String(body.byteLength))
      headers.set('vary', 'accept-encoding')
      if (encoding) headers.set('content-encoding', encoding)
      return new Response(body, { ...init, headers })
    }

    const page = pages.get(key) ?? (await waitForPendingPage(pendingPages.get(key)))
    if (page) return send(page, 'hit')
    if (handlerType === 'serverFn') {
      const result = await next()
      const { response } = result
      if (!serverFn.isShared || !isCacheable(response, 'application/json')) return result
      const answer = cachedPage(await response.text(), response.headers, { scripts: [], styles: [] })
      pages.set(key, answer)
      return { ...result, response: await send(answer, 'miss') }
    }

    const drawn = Promise.withResolvers<CachedPage | undefined>()
    const pending: PendingPage = { startedAt: Date.now(), page: drawn.promise }
    pendingPages.set(key, pending)
    try {
      const result = await next()
      const { response } = result
      if (!isCacheable(response)) return result
      const html = await response.text()
      const shared = await sharedPage(html, response.headers, requestContext.nonce)
      drawn.resolve(shared)
      if (!shared) return { ...result, response: new Response(html, response) }
      pages.set(key, shared)
      return { ...result, response: await send(shared, 'miss') }
    } finally {
      drawn.resolve(undefined)
      if (pendingPages.get(key) === pending) pendingPages.delete(key)
    }
  })

/** The page in an encoding, encoded once for all visitors. */
function encodedBody(
  { body, encoded }: CachedPage,
  encoding: PageEncoding,
  encoder: PageEncoder,
): Promise<Uint8Array<ArrayBuffer>> {
  const cached = encoded.get(encoding)
  if (cached) return cached
  const work = encoder.encode(body, encoding)
  work.catch(() => encoded.delete(encoding))
  encoded.set(encoding, work)
  return work
}

/** The store of a request whose response guests may share. Undefined for all other requests. */
async function storeOf(request: Request, requestContext: RequestContext, handlerType: 'router' | 'serverFn') {
  if (request.method !== 'GET' || !requestContext.isAnonymous || request.url.length > longestUrl) return undefined
  const { pathname, search } = urlOf(request)
  // Files such as robots.txt, and API routes.
  const isOther = /\.\w+$|^\/api\//.test(pathname)
  const isWanted =
    handlerType === 'serverFn'
      ? isShareableCall(pathname + search) && request.headers.get(serverFnHeader) === 'true'
      : !isOther && acceptsPage(request.headers.get('accept'))
  if (!isWanted) return undefined
  const contract = await requestContext.tenant.contract()
  if (!contract.ok) return undefined
  const { version, hostCustomerCode } = contract.data
  return { customerCode: requestContext.customerCode, version, hostCustomerCode }
}

/** The cache key of a page that guests share: tenant, version, language, theme, normalized URL. */
function keyOf(
  request: Request,
  { customerCode, locale, origin, surface }: RequestContext,
  version: number,
  handlerType: 'router' | 'serverFn',
): string {
  const { pathname, search } = urlOf(request)
  const theme = surface === 'light' || surface === 'dark' ? surface : 'system'
  // A call has one form of its input (`isShareableCall`).
  const normalizedSearch = handlerType === 'serverFn' ? search : search && stringifySearch(parseSearch(search))
  return [customerCode, version, locale, theme, origin + pathname + normalizedSearch].join(' ')
}

/** Whether an address is that of a server function, as our pages write it: with its input alone. */
export const isShareableCall = (address: string) => /^\/_serverFn\/[\w-]+(?:\?payload=[^&#]*)?$/.test(address)

/** The framework sets it with each call; other requests of the address get another format. */
export const serverFnHeader = 'x-tsr-serverfn'

export const acceptsPage = (accept: string | null | undefined) => /text\/html|\*\/\*/.test(accept ?? '*/*')

/** The page that another request renders, if it is ready in time. */
async function waitForPendingPage(pending: PendingPage | undefined): Promise<CachedPage | undefined> {
  const timeLeft = pending ? pending.startedAt + waitTimeout - Date.now() : 0
  if (!pending || timeLeft <= 0) return undefined
  const timer = Promise.withResolvers<undefined>()
  const timeout = setTimeout(() => timer.resolve(undefined), timeLeft)
  try {
    return await Promise.race([pending.page, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}
