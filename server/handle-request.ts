import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { ServerRequest } from 'srvx'
import { toNodeHandler } from 'srvx/node'
import type { Api } from '#api/app.ts'
import type { Deps } from '#api/deps.ts'
import { databaseRetrySeconds, isDatabaseUnavailable } from '#api/platform/db/client.ts'
import { problemResponse } from '#api/platform/http/problems.ts'
import { addressOf } from '#api/platform/http/request-facts.ts'
import { countCacheRead, endRequestSpan, measureRequest, traceRequest } from '#api/platform/telemetry/telemetry.ts'
import { headers as headerNames, isApiPath } from '#contract/http.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { bodyLimit } from '#contract/request-body.ts'
import { pathOf, urlOf } from '#contract/request-url.ts'
import { errorCode } from '#contract/safe-error.ts'
import type { Admission, Admitted } from './admission.ts'
import { answerUnavailablePage, createRefusals, wantsPage } from './busy-answer.ts'
import { acceptedEncoding, compress, encode } from './compress.ts'
import { createRequestLog, createRequestObserver, type ObservedRequest, requestIdOf } from './request-log.ts'
import { createSharedDocuments } from './shared-documents.ts'
import type { DirectHandler, SharedDocument, SharedDocumentStore, Storefront, StorefrontContext } from './storefront.ts'

export interface RequestHandlerParts {
  deps: Deps
  api: Api
  storefront: Storefront
  media: DirectHandler
  admission: Admission
}

/**
 * Copies a request without `content-length` (no body, or a chunked one) into a plain `Request`.
 * Only that can be copied again with the body that was read.
 */
const withPlainBody = (request: Request): Request => {
  const { url, method, headers, signal } = request
  if (headers.has('content-length') || method === 'GET' || method === 'HEAD') return request
  if (!headers.has('transfer-encoding')) return new Request(url, { method, headers, signal })
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, body: request.body, duplex: 'half' }
  return new Request(url, init)
}

/** The patterns of files that the process serves itself. */
const fileRouteOf = (path: string) =>
  /^\/(?:media-right\/)?m\//.test(path)
    ? path.replace(/\/m\/.*/, '/m/{token}/{file}')
    : path.replace(/^((?:\/media-right)?\/[^/]+)\/.*/, '$1/{file}')

const isHealthCheck = (path: string) => path === '/healthz' || path === '/readyz'

export const belongsToApi = (path: string) => isApiPath(path) || isHealthCheck(path)

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The request of node:http behind one of srvx. */
const nodeRequestOf = (request: ServerRequest) => {
  const node = request.runtime?.node?.req
  return node instanceof IncomingMessage ? node : undefined
}

/** Compresses the pages that the storefront caches. */
const pageEncoder: StorefrontContext['encoder'] = {
  choose: acceptedEncoding,
  encode: (body, encoding) => encode(body, encoding, 'cached'),
}

type Http1Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** The handler of one process: static files, media, the API and the pages. */
export const createRequestHandler = ({
  deps,
  api,
  storefront,
  media,
  admission,
}: RequestHandlerParts): RequestListener => {
  const { pool, trustedProxies } = deps
  const documents = createSharedDocuments({ pool, trustedProxies, keyOf: storefront.sharedDocumentKey })
  const refuse = createRefusals()
  const admitted = new WeakMap<IncomingMessage, Admitted>()
  const observed = new WeakMap<IncomingMessage, ObservedRequest>()
  const logRequest = createRequestLog(deps.log)
  const observe = createRequestObserver(storefront.routeOf, (ended, request) => {
    logRequest(ended)
    measureRequest(ended)
    endRequestSpan(request, ended)
  })
  const inProcess = (request: Request) => api.fetch(request)
  const answerRequest = async (request: ServerRequest, incoming: IncomingMessage | undefined) => {
    const peer = incoming?.socket.remoteAddress ?? '127.0.0.1'
    const report = (incoming && observed.get(incoming)) ?? {}
    if (belongsToApi(urlOf(request).pathname)) return api.fetch(withPlainBody(request), { address: peer, report })
    const clientAddress = addressOf(request.headers, { address: peer }, deps.trustedProxies)
    let shared: { document: SharedDocument; store: SharedDocumentStore } | undefined
    const onSharedDocument: StorefrontContext['onSharedDocument'] = (document, store) => {
      shared = { document, store }
    }
    const context = {
      api: inProcess,
      requestApi: api.forRequest(),
      clientAddress,
      report,
      encoder: pageEncoder,
      onSharedDocument,
    }
    const response = await storefront.fetch(request, { context })
    if (incoming && shared) documents.keep(incoming, response, { ...shared, route: report.route })
    const cache = response.headers.get('x-cache')
    if (cache) countCacheRead('guest_page', cache === 'hit')
    return response
  }
  const handle = async (request: ServerRequest) => {
    const incoming = nodeRequestOf(request)
    try {
      return await compress(request, await answerRequest(request, incoming))
    } finally {
      // The work is done. How fast the client reads the response does not matter.
      if (incoming) admitted.get(incoming)?.release()
    }
  }
  const trustProxy = [...deps.trustedProxies]
  // Storefront and API limit the size of each body.
  // srvx's type also allows HTTP/2, which this server does not use.
  const answer = toNodeHandler(handle, { trustProxy }) as Http1Handler

  /**
   * Waits until the request may be processed. Returns false if it is refused. A request with a
   * body is counted once the body has arrived.
   */
  const admit = async (request: IncomingMessage, response: ServerResponse, path: string) => {
    if (isHealthCheck(path)) return true
    if (hasBody(request)) {
      if (admission.isFull()) return false
      request.once('end', () => {
        if (!response.closed) releaseWhenClosed(request, response, admission.begin())
      })
      return true
    }
    const closed = new AbortController()
    const onClose = () => closed.abort()
    response.once('close', onClose)
    const place = await admission.enter(closed.signal)
    response.off('close', onClose)
    if (place) releaseWhenClosed(request, response, place)
    return place !== null
  }
  const releaseWhenClosed = (request: IncomingMessage, response: ServerResponse, place: Admitted) => {
    admitted.set(request, place)
    response.once('close', place.release)
  }

  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const path = pathOf(request.url)
    const report = observe(request, response)
    observed.set(request, report)
    try {
      if (Number(request.headers['content-length']) > bodyLimit(path, request.headers['content-type']))
        // The connection stays open for a moment: a client that still sends has to read this.
        return await sendProblem(request, response, 'PAYLOAD_TOO_LARGE')
      if ((await media(request, response)) || (await storefront.files(request, response))) {
        Object.assign(report, { route: fileRouteOf(path), isQuiet: true })
        return
      }
      report.isQuiet = isHealthCheck(path)
      // A shared document costs little, so that it needs no admission.
      if (await documents.send(request, response, report)) return
      if (await admit(request, response, path)) return void (await answer(request, response))
      if (!(await documents.send(request, response, report, true))) refuse(request, response)
    } catch (error) {
      // The Host header is no valid host.
      const malformed = errorCode(error) === 'ERR_INVALID_URL'
      const unavailable = isDatabaseUnavailable(error)
      if (!malformed && !unavailable)
        deps.log.error({ err: error, requestId: requestIdOf(request) }, 'A request failed')
      if (response.headersSent) response.destroy()
      else if (unavailable && wantsPage(request) && !belongsToApi(path)) answerUnavailablePage(request, response)
      else
        await sendProblem(request, response, malformed ? 'BAD_REQUEST' : unavailable ? 'UNAVAILABLE' : 'SERVER_ERROR')
    }
  }
  return (request, response) => traceRequest(request, () => handleRequest(request, response))
}

const sendProblem = async (request: IncomingMessage, response: ServerResponse, code: ProblemCode) => {
  const detail = code === 'UNAVAILABLE' ? { retryAfterSeconds: databaseRetrySeconds } : {}
  const requestId = requestIdOf(request)
  const acceptLanguage = request.headers['accept-language']
  const problem = problemResponse(code, { requestId, acceptLanguage }, detail, { [headerNames.requestId]: requestId })
  response.writeHead(problem.status, Object.fromEntries(problem.headers))
  response.end(await problem.text())
}
