import { isNotFound, isRedirect } from '@tanstack/react-router'
import { createMiddleware } from '@tanstack/react-start'
import { headers as headerNames } from '#contract/index.ts'
import { problemResponse } from '~/platform/api/answers'
import { problemFromError } from '~/platform/api/client'
import { log } from '~/platform/log'
import { failedPage } from './bare-page'
import { expectLeaving } from './gone'
import { createNonce, secure } from './security-headers'

const requestIdShape = /^[\w-]{8,64}$/

/**
 * Outermost: names the request and the document's nonce, and dresses whatever answer comes back. What nobody else has answered ends
 * here, without a word of its own.
 */
export const securityMiddleware = createMiddleware().server(async ({ next, request, handlerType }) => {
  expectLeaving(request.signal)
  const given = request.headers.get(headerNames.requestId)
  const requestId = given && requestIdShape.test(given) ? given : crypto.randomUUID()
  const nonce = createNonce()
  // The tenant is known further in, and says there where its payments are made.
  const policy: { formOrigins: readonly string[] } = { formOrigins: [] }
  const dress = ({ headers }: Response) => {
    secure(headers, { nonce, formOrigins: policy.formOrigins, https: new URL(request.url).protocol === 'https:' })
    headers.set(headerNames.requestId, requestId)
    if (!headers.has('cache-control'))
      headers.set('cache-control', handlerType === 'serverFn' ? 'no-store' : 'private, no-cache')
  }
  try {
    const result = await next({ context: { requestId, nonce, policy } })
    dress(result.response)
    return result
  } catch (error) {
    if (error instanceof Response || isRedirect(error) || isNotFound(error) || request.signal.aborted) throw error
    log('error', 'A request failed.', { requestId, error })
    const response = answerFailure(error, { nonce, requestId, page: handlerType === 'router' && wantsPage(request) })
    dress(response)
    return response
  }
})

const wantsPage = (request: Request) => request.headers.get('accept')?.includes('text/html') ?? false

/** A failure that is the API's keeps its status; every other is ours. Neither says more than that. */
export function answerFailure(
  error: unknown,
  { nonce, requestId, page }: { nonce: string; requestId: string; page: boolean },
) {
  const theirs = problemFromError(error, requestId)?.status ?? 500
  const status = Math.max(theirs, 500)
  if (page) return failedPage(status, nonce, requestId)
  return problemResponse(status, { code: 'SERVER_ERROR', message: 'A server error has occurred.', requestId })
}
