import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { ServerRequest } from 'srvx'
import { toNodeHandler } from 'srvx/node'
import type { Deps } from '#api/deps.ts'
import type { Api } from '#api/http/app.ts'
import { problemResponse } from '#api/http/problem.ts'
import { addressOf } from '#api/http/request-facts.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { bodyLimit } from '#contract/request-body.ts'
import { compress } from './compress.ts'
import type { Storefront } from './storefront.ts'

/** Answers a request straight from node:http, and says whether it did. */
export type DirectHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export interface Parts {
  deps: Deps
  api: Api
  storefront: Storefront
  media: DirectHandler
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
const withoutRight = (url: string) => (url.split('?', 1)[0] ?? '').replace(/^\/m\/[^/]+/, '/m/…')

type Http1Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** One process carries everything: files, media, the API and the pages. */
export const createRequestHandler = ({ deps, api, storefront, media }: Parts): RequestListener => {
  const inProcess = (request: Request) => api.fetch(request)
  const handle = async (request: ServerRequest) => {
    const peer = request.runtime?.node?.req?.socket.remoteAddress ?? '127.0.0.1'
    if (belongsToApi(new URL(request.url).pathname))
      return compress(request, await api.fetch(withPlainBody(request), { address: peer }))
    const clientAddress = addressOf(request.headers, { address: peer }, deps.trustedProxies)
    const context = { api: inProcess, calls: api.sit(), clientAddress }
    return compress(request, await storefront.fetch(request, { context }))
  }
  const trustProxy = [...deps.trustedProxies]
  // Pages and API count each body as they read it.
  const answer = toNodeHandler(handle, { trustProxy }) as Http1Handler

  return async (request, response) => {
    try {
      const path = (request.url ?? '').split('?', 1)[0] ?? ''
      if (Number(request.headers['content-length']) > bodyLimit(path, request.headers['content-type']))
        return await sendProblem(response, 'PAYLOAD_TOO_LARGE', { connection: 'close' })
      if ((await media(request, response)) || (await storefront.files(request, response))) return
      await answer(request, response)
    } catch (error) {
      // A Host that makes no address is its sender's mistake.
      const malformed = (error as NodeJS.ErrnoException).code === 'ERR_INVALID_URL'
      if (!malformed) deps.log.error({ err: error, path: withoutRight(request.url ?? '') }, 'A request failed')
      if (response.headersSent) response.destroy()
      else await sendProblem(response, malformed ? 'BAD_REQUEST' : 'SERVER_ERROR')
    }
  }
}

const sendProblem = async (response: ServerResponse, code: ProblemCode, headers: Record<string, string> = {}) => {
  const problem = problemResponse(code, crypto.randomUUID(), {}, headers)
  response.writeHead(problem.status, Object.fromEntries(problem.headers))
  response.end(await problem.text())
}
