import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { resolveStore, type TenancyDeps } from '#api/modules/tenancy/stores.ts'
import { type RequestReport, unmapAddress } from '#api/platform/http/request-facts.ts'
import { countCacheRead } from '#api/platform/telemetry/telemetry.ts'
import { headers as headerNames } from '#contract/http.ts'
import { acceptedEncoding } from './compress.ts'
import { requestIdOf } from './request-log.ts'
import type { SharedDocument, SharedDocumentStore, StorefrontEntry } from './storefront.ts'

/** A document as it was sent to one visitor. */
interface SentDocument {
  /** Weak: the storefront's cache decides how long the bytes stay in memory. */
  document: WeakRef<SharedDocument>
  store: SharedDocumentStore
  headers: [string, string | string[]][]
  /** The name of a server function, for logs. */
  route: string | undefined
}

/** Each takes some 3 kB, without its body. */
const maxDocuments = 5_000

/** How much longer a document is sent while it cannot be rendered again. Milliseconds. */
const busyExtension = 300_000

/** Headers that depend on the single request. */
const ownHeaders = new Set([
  headerNames.requestId,
  'x-cache',
  'content-length',
  'content-encoding',
  'transfer-encoding',
])

interface SharedDocumentsParts extends Pick<TenancyDeps, 'pool'> {
  trustedProxies: ReadonlySet<string>
  keyOf: StorefrontEntry['sharedDocumentKey']
}

/**
 * Sends the documents that guests share from node:http, without the storefront. Before each, one
 * statement reads whether the store has changed; concurrent requests share it.
 */
export const createSharedDocuments = ({ pool, trustedProxies, keyOf }: SharedDocumentsParts) => {
  const documents = new LRUCache<string, SentDocument>({ max: maxDocuments })

  /** The origin that the visitor sees, as part of a key. Undefined behind several proxies. */
  const originOf = ({ headers, socket }: IncomingMessage): string | undefined => {
    const host = headers.host ?? ''
    if (!trustedProxies.has(unmapAddress(socket.remoteAddress ?? ''))) return host
    const forwarded = `${headers['x-forwarded-proto'] ?? ''} ${headers['x-forwarded-host'] ?? ''}`
    return forwarded.includes(',') ? undefined : `${host} ${forwarded}`
  }

  const requestKey = (request: IncomingMessage): string | undefined => {
    const key = keyOf(request, (name) => request.headers[name]?.toString())
    const origin = originOf(request)
    return key === undefined || origin === undefined ? undefined : `${origin} ${key}`
  }

  const isCurrent = async ({ customerCode, host, hostCustomerCode, version }: SharedDocumentStore) => {
    const store = await resolveStore({ pool }, customerCode, host)
    return store?.customer.version === version && store.hostCustomerCode === hostCustomerCode
  }

  return {
    /**
     * Sends the document of a request, and notes its store in the report. Returns false without a
     * current document. One that has expired is sent only with `isBusy`: the store has not changed
     * since, but times that the page shows may be late.
     */
    send: async (
      request: IncomingMessage,
      response: ServerResponse,
      report: RequestReport,
      isBusy = false,
    ): Promise<boolean> => {
      const sent = documents.get(requestKey(request) ?? '')
      const document = sent?.document.deref()
      if (!sent || !document || document.expiresAt + (isBusy ? busyExtension : 0) <= Date.now()) return false
      const encoding = acceptedEncoding(request.headers['accept-encoding']?.toString())
      // In an encoding that nobody has asked for yet, the storefront sends it.
      const encoded = encoding ? document.encoded.get(encoding) : document.body
      if (!encoded) return false
      const [body, current] = await Promise.all([encoded, isCurrent(sent.store)])
      if (!current) return false
      report.customer = sent.store.customerCode
      if (sent.route) report.route = sent.route
      countCacheRead('guest_page', true)
      if (response.closed) return true
      for (const [name, value] of sent.headers) response.setHeader(name, value)
      response.setHeader(headerNames.requestId, requestIdOf(request))
      response.setHeader('x-cache', 'hit')
      if (encoding) response.setHeader('content-encoding', encoding)
      response.setHeader('content-length', body.byteLength)
      response.end(body)
      return true
    },

    /** Keeps what the storefront has answered to a request, to send it again. */
    keep: (
      request: IncomingMessage,
      response: Response,
      { document, store, route }: { document: SharedDocument; store: SharedDocumentStore; route?: string | undefined },
    ) => {
      const key = requestKey(request)
      if (key === undefined) return
      const headers = new Map<string, string | string[]>()
      for (const [name, value] of response.headers) if (!ownHeaders.has(name)) headers.set(name, value)
      const cookies = response.headers.getSetCookie()
      if (cookies.length > 0) headers.set('set-cookie', cookies)
      documents.set(key, { document: new WeakRef(document), store, headers: [...headers], route })
    },
  }
}
