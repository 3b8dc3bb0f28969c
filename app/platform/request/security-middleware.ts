import { isNotFound, isRedirect } from '@tanstack/react-router'
import { createMiddleware } from '@tanstack/react-start'
import { headers as headerNames, isRequestId } from '#contract/http.ts'
import { urlOf } from '#contract/request-url.ts'
import { problemFromError } from '~/platform/api/client'
import { problemResponse } from '~/platform/api/problem'
import { environment } from '~/platform/environment'
import { log } from '~/platform/log'
import { failedPage, foreignPostPage } from './bare-page'
import { isSameOrigin } from './request-origin'

/** The status that proxies log when the client left before the response. */
const clientClosedRequest = 499

/**
 * Gives the error of an aborted request a status. The framework reports every error without one,
 * and a client that leaves is not a failure.
 */
export function markClientAbort(signal: AbortSignal): void {
  const mark = () => {
    const reason: unknown = signal.reason
    if (typeof reason === 'object' && reason !== null && Object.isExtensible(reason))
      Object.assign(reason, { status: clientClosedRequest })
  }
  if (signal.aborted) mark()
  else signal.addEventListener('abort', mark, { once: true })
}

/** 128 random bits, for one response. */
const createNonce = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))))

/** The inline scripts and styles of a document, as sources of a content security policy. */
export interface DocumentHashes {
  scripts: readonly string[]
  styles: readonly string[]
}

/** The inputs of a document's content security policy. */
export interface DocumentPolicy {
  nonce: string
  /** Origins that a form may redirect to besides the store: payment pages. */
  formOrigins: readonly string[]
  /** Replaces the nonce in a document that visitors share. `origin` is the store's. */
  shared?: (DocumentHashes & { origin: string }) | undefined
}

/**
 * The content security policy of a document. Scripts and style elements need the nonce, or their
 * hash and the folder of the build; `style` attributes are allowed because menus and dialogs set
 * them.
 */
function contentSecurityPolicy({ nonce, formOrigins, shared }: DocumentPolicy): string {
  const dev = import.meta.env.DEV
  const scripts = shared
    ? [`${shared.origin}/assets/`, ...shared.scripts]
    : [`'self'`, `'nonce-${nonce}'`, `'strict-dynamic'`]
  const styles = [`'self'`, ...(dev ? [`'unsafe-inline'`] : (shared?.styles ?? [`'nonce-${nonce}'`]))]
  return [
    `default-src 'self'`,
    ['script-src', ...scripts].join(' '),
    ['style-src', ...styles].join(' '),
    ['style-src-elem', ...styles].join(' '),
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data: blob: https:`,
    `font-src 'self' data:`,
    `media-src 'self' blob:`,
    `worker-src 'self' blob:`,
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    `manifest-src 'self'`,
    `frame-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
    ['form-action', `'self'`, ...formOrigins].join(' '),
  ].join('; ')
}

/** Sets the security headers of a response, with the content security policy for documents. */
export function secure(headers: Headers, { https, ...policy }: DocumentPolicy & { https: boolean }): void {
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'strict-origin-when-cross-origin')
  headers.set('cross-origin-opener-policy', 'same-origin')
  const scope = environment.hstsSubdomains ? '; includeSubDomains' : ''
  if (https) headers.set('strict-transport-security', `max-age=31536000${scope}`)
  if (!headers.get('content-type')?.includes('text/html')) return
  headers.set('content-security-policy', contentSecurityPolicy(policy))
  headers.set('x-frame-options', 'DENY')
  headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), browsing-topics=()')
}

/** Retry-After of a 503. */
const retryAfterSeconds = 5

/**
 * The outermost middleware: creates request id and nonce, sets the headers of every response, and
 * answers unhandled errors without details.
 */
export const securityMiddleware = createMiddleware().server(async ({ next, request, handlerType }) => {
  markClientAbort(request.signal)
  const received = request.headers.get(headerNames.requestId)
  const requestId = isRequestId(received) ? received : crypto.randomUUID()
  const nonce = createNonce()
  // The inner middleware adds the origins of the tenant's payment pages, and the hashes of a page
  // from the cache.
  const policy: Omit<DocumentPolicy, 'nonce'> = { formOrigins: [] }
  const addHeaders = ({ headers, status }: Response) => {
    if (status === 503 && !headers.has('retry-after')) headers.set('retry-after', String(retryAfterSeconds))
    secure(headers, { ...policy, nonce, https: urlOf(request).protocol === 'https:' })
    headers.set(headerNames.requestId, requestId)
    if (!headers.has('cache-control'))
      headers.set('cache-control', handlerType === 'serverFn' ? 'no-store' : 'private, no-cache')
  }
  // Our pages never post from another origin. The refusal is not a rendered page, which would be
  // expensive.
  if (handlerType === 'router' && request.method === 'POST' && !isSameOrigin(request)) {
    const response = refuseForeignPost({ nonce, requestId, page: wantsPage(request) })
    addHeaders(response)
    return response
  }
  try {
    const result = await next({ context: { requestId, nonce, policy } })
    addHeaders(result.response)
    return result
  } catch (error) {
    if (error instanceof Response || isRedirect(error) || isNotFound(error) || request.signal.aborted) throw error
    log('error', 'A request failed.', { requestId, error })
    const response = answerFailure(error, { nonce, requestId, page: handlerType === 'router' && wantsPage(request) })
    addHeaders(response)
    return response
  }
})

function refuseForeignPost({ nonce, requestId, page }: { nonce: string; requestId: string; page: boolean }): Response {
  if (page) return foreignPostPage(nonce, requestId)
  const message = 'This address is answered only to pages of this store.'
  return problemResponse(403, { code: 'FORBIDDEN', message, requestId })
}

const wantsPage = (request: Request) => request.headers.get('accept')?.includes('text/html') ?? false

/** Answers a failure with the API's status from 500 on, and 500 for all others, without details. */
export function answerFailure(
  error: unknown,
  { nonce, requestId, page }: { nonce: string; requestId: string; page: boolean },
) {
  const apiStatus = problemFromError(error, requestId)?.status ?? 500
  const status = Math.max(apiStatus, 500)
  if (page) return failedPage(status, nonce, requestId)
  if (status === 503)
    return problemResponse(status, { code: 'UNAVAILABLE', message: 'The service is not ready.', requestId })
  return problemResponse(status, { code: 'SERVER_ERROR', message: 'A server error has occurred.', requestId })
}
