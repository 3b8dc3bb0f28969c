import { createMiddleware } from '@tanstack/react-start'
import { headers as headerNames } from '#contract/index.ts'
import { createNonce, secure } from './security-headers'

const requestIdShape = /^[\w-]{8,64}$/

/** Outermost: names the request and the document's nonce, and dresses whatever answer comes back. */
export const securityMiddleware = createMiddleware().server(async ({ next, request, handlerType }) => {
  const given = request.headers.get(headerNames.requestId)
  const requestId = given && requestIdShape.test(given) ? given : crypto.randomUUID()
  const nonce = createNonce()
  const result = await next({ context: { requestId, nonce } })
  const { headers } = result.response
  secure(headers, { nonce, https: new URL(request.url).protocol === 'https:' })
  headers.set(headerNames.requestId, requestId)
  if (!headers.has('cache-control'))
    headers.set('cache-control', handlerType === 'serverFn' ? 'no-store' : 'private, no-cache')
  return result
})
