import type { AnyRoute } from '@tanstack/react-router'
import { createStartHandler } from '@tanstack/react-start/server'
import { headers as headerNames, isProxied } from '#contract/http.ts'
import { acceptsFile, BodyRefused, bufferBody, countBody } from '#contract/request-body.ts'
import { urlOf } from '#contract/request-url.ts'
import { type ApiBinding, apiOverHttp } from '~/platform/api/client'
import { problemResponse } from '~/platform/api/problem'
import { environment } from '~/platform/environment'
import { withoutPrefix } from '~/platform/i18n/locales'
import { secure } from '~/platform/request/security-middleware'
import { sharedDocumentKey } from '~/platform/request/shared-document-key'
import { repairPath } from './platform/address'
import { logTo } from './platform/log'
import type { ServerContext } from './platform/request/request-context-middleware'
import { renderPage } from './render-page'
import { routeTree } from './routeTree.gen'

const render = createStartHandler(renderPage)

let remote: ApiBinding | undefined

/** The API over HTTP, at the origin of `API_URL`, where none runs in this process. */
function remoteApi(): ApiBinding {
  const { apiUrl } = environment
  if (!apiUrl) {
    throw new Error(
      'The storefront has no API. Pass one in the request context, or set API_URL, for example http://127.0.0.1:3001.',
    )
  }
  remote ??= apiOverHttp(apiUrl)
  return remote
}

/** The API trusts our x-forwarded-for, so the visitor's own header is removed. */
function withAddress(request: Request, clientAddress: string | undefined): Request {
  const { method, body, signal } = request
  const headers = new Headers(request.headers)
  headers.delete('x-forwarded-for')
  if (clientAddress) headers.set('x-forwarded-for', clientAddress)
  // Where the platform speaks node:http, the request is not one that `new Request` can copy.
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, signal, duplex: 'half' }
  return new Request(urlOf(request), init)
}

/**
 * The visitor's address as the platform states it. A header would not do: on platforms that do not
 * set it, any client could.
 */
const addressOf = (request: Request) => ('ip' in request && typeof request.ip === 'string' ? request.ip : undefined)

function refuse(
  request: Request,
  status: number,
  { code, message }: { code: string; message: string },
  headers?: Record<string, string>,
): Response {
  const requestId = crypto.randomUUID()
  const response = problemResponse(status, { code, message, requestId }, headers)
  secure(response.headers, { nonce: '', formOrigins: [], https: urlOf(request).protocol === 'https:' })
  response.headers.set(headerNames.requestId, requestId)
  return response
}

const refuseBody = (refused: BodyRefused, request: Request) =>
  refuse(request, refused.code === 'BAD_REQUEST' ? 400 : 413, refused)

/** API routes and files such as robots.txt, which check the method themselves. */
const checksMethodItself = /^\/api\/|\.\w+$/

/** Refuses requests that no route answers, before anything is read or rendered. */
function refuseAddress(request: Request): Response | undefined {
  const pathname = decodeURI(urlOf(request).pathname)
  if (/^\/_serverFn\/(?:\/|$)/.test(pathname))
    return refuse(request, 404, { code: 'NOT_FOUND', message: 'This address names no call.' })
  if (['GET', 'HEAD', 'POST'].includes(request.method) || checksMethodItself.test(pathname)) return undefined
  const answered = pathname.startsWith('/_serverFn/') ? 'GET, POST' : 'GET, HEAD'
  const message = `This address answers ${answered} only.`
  return refuse(request, 405, { code: 'METHOD_NOT_ALLOWED', message }, { allow: answered })
}

/**
 * Renders the response after bounding the body's size and depth, since nothing behind this does. A
 * form with a file is streamed; its handler checks the session first.
 */
async function answer(request: Request, context: ServerContext): Promise<Response> {
  try {
    if (!acceptsFile(urlOf(request).pathname, request.headers.get('content-type')))
      return await render(await bufferBody(request), { context })
    const form = countBody(request)
    const response = await render(form.request, { context })
    return form.isExceeded() ? refuseBody(new BodyRefused('PAYLOAD_TOO_LARGE'), request) : response
  } catch (error) {
    if (error instanceof BodyRefused) return refuseBody(error, request)
    // Nobody waits for the response to an aborted body.
    if (request.signal.aborted) return new Response(null, { status: 400 })
    throw error
  }
}

/**
 * Repairs a path that cannot be decoded, so that it shows the 404 page. The framework would answer
 * with an empty 400.
 */
function withReadablePath(request: Request): Request {
  const { href, pathname } = urlOf(request)
  const repaired = repairPath(pathname)
  if (repaired === pathname) return request
  const url = new URL(href)
  url.pathname = repaired
  // No form posts to such an address.
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET'
  return new Request(url, { method, headers: request.headers, signal: request.signal })
}

async function answerRequest(request: Request, context: Partial<ServerContext> = {}): Promise<Response> {
  const api = context.api ?? remoteApi()
  const clientAddress = context.clientAddress ?? addressOf(request)
  if (!context.api && isProxied(urlOf(request).pathname)) return api(withAddress(request, clientAddress))
  const refusal = refuseAddress(request)
  if (refusal) return refusal
  const { requestApi = api, encoder, report, onSharedDocument } = context
  return answer(request, { api, requestApi, clientAddress, encoder, report, onSharedDocument })
}

interface Pattern {
  name: string
  /** Undefined is a parameter. */
  segments: (string | undefined)[]
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

function patternsBelow(route: AnyRoute, base = ''): Pattern[] {
  // A route of the layout has no path.
  const routePath = 'path' in route.options && typeof route.options.path === 'string' ? route.options.path : ''
  const path = [...segmentsOf(base), ...segmentsOf(routePath)].join('/')
  const children: AnyRoute[] = Object.values(route.children ?? {})
  if (children.length > 0) return children.flatMap((child) => patternsBelow(child, path))
  const segments = segmentsOf(path).map((segment) => (segment.startsWith('$') ? undefined : segment))
  return [{ name: `/${path.replace(/\$(\w+)/g, '{$1}')}`, segments }]
}

/**
 * Names the route of a path by its pattern (`/products/{code}`), for logs. The route of a language
 * prefix is the route without it. Undefined if no route matches.
 */
function createRouteNames(routeTree: AnyRoute): (path: string) => string | undefined {
  const patterns = patternsBelow(routeTree)
  const literals = ({ segments }: Pattern) => segments.filter((segment) => segment !== undefined).length
  patterns.sort((a, b) => literals(b) - literals(a))
  const byLength = Map.groupBy(patterns, ({ segments }) => segments.length)
  return (path) => {
    const segmentsOfPath = segmentsOf(withoutPrefix(path))
    const route = byLength
      .get(segmentsOfPath.length)
      ?.find(({ segments }) =>
        segments.every((segment, index) => segment === undefined || segment === segmentsOfPath[index]),
      )
    return route?.name
  }
}

/** The storefront's entry. Without a context, the API is at `API_URL`. */
export default {
  fetch: (request: Request, options?: { context?: Partial<ServerContext> }) =>
    answerRequest(withReadablePath(request), options?.context),
  routeOf: createRouteNames(routeTree),
  logTo,
  sharedDocumentKey,
}
