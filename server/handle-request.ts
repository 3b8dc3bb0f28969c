import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { ServerRequest } from 'srvx'
import { toNodeHandler } from 'srvx/node'
import type { Api } from '#api/app.ts'
import type { Deps } from '#api/deps.ts'
import { databaseRetrySeconds, isDatabaseUnavailable } from '#api/platform/db/client.ts'
import { problemResponse } from '#api/platform/http/problems.ts'
import { addressOf } from '#api/platform/http/request-facts.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { bodyLimit } from '#contract/request-body.ts'
import { pathOf, urlOf } from '#contract/request-url.ts'
import type { Admission, Admitted } from './admission.ts'
import { createRefusals } from './busy-answer.ts'
import { compress } from './compress.ts'
import type { Storefront } from './storefront.ts'

/** Answers a request straight from node:http, and says whether it did. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export interface Parts {
  deps: Deps
  api: Api
  storefront: Storefront
  media: DirectHandler
  admission: Admission
}

export const belongsToApi = (path: string) =>
  /^\/(?:api\/v1|sandbox|pay\/portone|mailbox)(?:\/|$)/.test(path) || path === '/healthz' || path === '/readyz'

/**
 * The request as the platform's own where its length is not said: over HTTP/1.1 that is one without a body, or with one in chunks, and
 * only of the platform's own can a copy be made with the body that was gathered.
 */
const withPlainBody = (request: Request): Request => {
  const { url, method, headers, signal } = request
  if (headers.has('content-length') || method === 'GET' || method === 'HEAD') return request
  if (!headers.has('transfer-encoding')) return new Request(url, { method, headers, signal })
  return new Request(url, { method, headers, signal, body: request.body, duplex: 'half' } as RequestInit)
}

/** For the log: neither a query nor a signed address's right, with which who reads it could open what it names. */
const redactPath = (url: string) => pathOf(url).replace(/^\/m\/[^/]+/, '/m/…')

const isHealthCheck = (path: string) => path === '/healthz' || path === '/readyz'

/** A page is kept for a guest as long as its entry in the storefront's cache of pages. Milliseconds. */
const cachedFor = 30_000
const mostCached = 10_000

/**
 * Remembers which addresses the storefront answered from its cache of guests' pages. Those cost little and are drawn once for all who
 * ask, so they need no admission. The storefront says so with `x-cache`.
 */
const createCachedPages = () => {
  const addresses = new LRUCache<string, true>({ max: mostCached, ttl: cachedFor })
  const keyOf = ({ method, url = '', headers }: IncomingMessage) =>
    method === 'GET' && url.length < 1000 && !/(?:token|guest)=/i.test(headers.cookie ?? '')
      ? `${headers.host} ${url}`
      : undefined
  return {
    has: (request: IncomingMessage) => addresses.has(keyOf(request) ?? ''),
    learn: (request: IncomingMessage, { headers }: Response) => {
      const key = keyOf(request)
      if (key === undefined) return
      if (headers.has('x-cache')) addresses.set(key, true)
      else addresses.delete(key)
    },
  }
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

type Http1Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** One process carries everything: files, media, the API and the pages. */
export const createRequestHandler = ({ deps, api, storefront, media, admission }: Parts): RequestListener => {
  const cachedPages = createCachedPages()
  const refuse = createRefusals()
  const admitted = new WeakMap<IncomingMessage, Admitted>()
  const inProcess = (request: Request) => api.fetch(request)
  const answerRequest = async (request: ServerRequest, incoming: IncomingMessage | undefined) => {
    const peer = incoming?.socket.remoteAddress ?? '127.0.0.1'
    if (belongsToApi(urlOf(request).pathname)) return api.fetch(withPlainBody(request), { address: peer })
    const clientAddress = addressOf(request.headers, { address: peer }, deps.trustedProxies)
    const context = { api: inProcess, requestApi: api.forRequest(), clientAddress }
    const response = await storefront.fetch(request, { context })
    if (incoming) cachedPages.learn(incoming, response)
    return response
  }
  const handle = async (request: ServerRequest) => {
    const incoming = request.runtime?.node?.req as IncomingMessage | undefined
    try {
      return await compress(request, await answerRequest(request, incoming))
    } finally {
      // The work is done here; how fast the answer is read is the reader's affair.
      if (incoming) admitted.get(incoming)?.release()
    }
  }
  const trustProxy = [...deps.trustedProxies]
  // Pages and API count each body as they read it.
  const answer = toNodeHandler(handle, { trustProxy }) as Http1Handler

  /** Whether the request may be worked on now. One with a body takes its place when the body is there: a slow sender holds none. */
  const admit = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (isHealthCheck(path) || cachedPages.has(request)) return true
    if (hasBody(request)) {
      if (admission.isFull()) return false
      request.once('end', () => {
        if (!response.closed) hold(request, response, admission.begin())
      })
      return true
    }
    const left = new AbortController()
    const leave = () => left.abort()
    response.once('close', leave)
    const place = await admission.enter(left.signal)
    response.off('close', leave)
    if (place) hold(request, response, place)
    return place !== null
  }
  const hold = (request: IncomingMessage, response: ServerResponse, place: Admitted) => {
    admitted.set(request, place)
    response.once('close', place.release)
  }

  return async (request, response) => {
    const path = pathOf(request.url)
    try {
      if (Number(request.headers['content-length']) > bodyLimit(path, request.headers['content-type']))
        return await sendProblem(response, 'PAYLOAD_TOO_LARGE', { connection: 'close' })
      if ((await media(request, response)) || (await storefront.files(request, response))) return
      if (!(await admit(request, response, path))) return void refuse(request, response)
      await answer(request, response)
    } catch (error) {
      // A Host that makes no address is its sender's mistake.
      const malformed = (error as NodeJS.ErrnoException).code === 'ERR_INVALID_URL'
      const unavailable = isDatabaseUnavailable(error)
      if (!malformed && !unavailable)
        deps.log.error({ err: error, path: redactPath(request.url ?? '') }, 'A request failed')
      if (response.headersSent) response.destroy()
      else await sendProblem(response, malformed ? 'BAD_REQUEST' : unavailable ? 'UNAVAILABLE' : 'SERVER_ERROR')
    }
  }
}

const sendProblem = async (response: ServerResponse, code: ProblemCode, headers: Record<string, string> = {}) => {
  const detail = code === 'UNAVAILABLE' ? { retryAfterSeconds: databaseRetrySeconds } : {}
  const problem = problemResponse(code, crypto.randomUUID(), detail, headers)
  response.writeHead(problem.status, Object.fromEntries(problem.headers))
  response.end(await problem.text())
}
