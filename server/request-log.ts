import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { RequestReport } from '#api/platform/http/request-facts.ts'
import { headers as headerNames, isRequestId } from '#contract/http.ts'
import { pathOf } from '#contract/request-url.ts'

/** A request that is being handled. */
export interface ObservedRequest extends RequestReport {
  /** Stored files and health checks: they are logged at `debug`, unless they fail. */
  isQuiet?: boolean
}

/** Requests that ended are reported here: to the log and to the metrics. */
export interface EndedRequest {
  method: string
  /** The pattern of the path; `unknown` where nothing has this path. */
  route: string
  customer: string | undefined
  /** 499 where the client left before the response, except for a stream that it may leave. */
  status: number
  ms: number
  requestId: string
  isQuiet: boolean
}

/** The status that proxies log when the client left before the response. */
const clientClosedRequest = 499

/**
 * Gives a request without a valid id a new one, in its headers, so that all its handlers use the
 * same. Web requests are made from the raw headers.
 */
const assignRequestId = ({ headers, rawHeaders }: IncomingMessage): string => {
  const requestId = headers[headerNames.requestId]?.toString()
  if (isRequestId(requestId)) return requestId
  const id = randomUUID()
  if (requestId !== undefined)
    for (let index = rawHeaders.length - 2; index >= 0; index -= 2)
      if (rawHeaders[index]?.toLowerCase() === headerNames.requestId) rawHeaders.splice(index, 2)
  headers[headerNames.requestId] = id
  rawHeaders.push(headerNames.requestId, id)
  return id
}

/** The id that `createRequestObserver` gave a request. */
export const requestIdOf = ({ headers }: IncomingMessage) => headers[headerNames.requestId]?.toString() ?? ''

const isEnded = ({ isOpenEnded }: ObservedRequest, { writableFinished, headersSent }: ServerResponse) =>
  writableFinished || (isOpenEnded === true && headersSent)

/**
 * Observes requests from their start to the end of their response.
 *
 * @param routeOf The pattern of a path that no handler has named
 */
export const createRequestObserver =
  (routeOf: (path: string) => string | undefined, report: (ended: EndedRequest, request: IncomingMessage) => void) =>
  (request: IncomingMessage, response: ServerResponse): ObservedRequest => {
    const startedAt = performance.now()
    const requestId = assignRequestId(request)
    const observed: ObservedRequest = {}
    response.once('close', () => {
      const ended = {
        method: request.method ?? '',
        route: observed.route ?? routeOf(pathOf(request.url)) ?? 'unknown',
        customer: observed.customer,
        status: isEnded(observed, response) ? response.statusCode : clientClosedRequest,
        ms: performance.now() - startedAt,
        requestId,
        isQuiet: observed.isQuiet === true,
      }
      report(ended, request)
    })
    return observed
  }

/**
 * Logs each request at `info`: method, route, customer, status, milliseconds and id. A line
 * contains nothing else that the visitor sent.
 */
export const createRequestLog =
  (log: Logger) =>
  ({ ms, isQuiet, ...request }: EndedRequest): void => {
    const level = isQuiet && request.status < 400 ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) log[level]({ ...request, ms: Math.round(ms * 10) / 10 }, 'Request')
  }
