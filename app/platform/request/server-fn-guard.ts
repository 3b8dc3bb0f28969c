import { createCsrfMiddleware, createMiddleware } from '@tanstack/react-start'
import { problemResponse } from '~/platform/api/answers'
import { isReadableServerFnCall } from './readable-call'
import { securityMiddleware } from './security-middleware'

/** Server functions answer this origin alone. */
export const crossSiteGuard = createCsrfMiddleware({
  filter: ({ handlerType }) => handlerType === 'serverFn',
  failureResponse: ({ context }) =>
    problemResponse(403, {
      code: 'FORBIDDEN',
      message: 'Only pages of this store can make this request.',
      requestId: (context as { requestId?: string }).requestId ?? '',
    }),
})

/**
 * What goes wrong before a server function begins (a body that is no JSON, an unknown function) would leave as 500 with
 * the error's own words. It is the sender's mistake: 400, and no more than that.
 */
export const malformedCallGuard = createMiddleware()
  .middleware([securityMiddleware])
  .server(async ({ next, request, handlerType, context }) => {
    const call = { begun: false }
    const { requestId } = context
    const malformed = () =>
      problemResponse(400, { code: 'BAD_REQUEST', message: 'The request could not be read.', requestId })
    if (handlerType === 'serverFn' && !(await isReadableServerFnCall(request))) return malformed()
    try {
      const result = await next({ context: { call } })
      if (handlerType !== 'serverFn' || call.begun) return result
      const { status, headers } = result.response
      if (status === 405) return { ...result, response: wrongMethod(headers.get('allow'), requestId) }
      return status >= 500 ? { ...result, response: malformed() } : result
    } catch (error) {
      if (handlerType !== 'serverFn' || call.begun || error instanceof Response) throw error
      return malformed()
    }
  })

const wrongMethod = (allow: string | null, requestId: string) =>
  problemResponse(
    405,
    { code: 'METHOD_NOT_ALLOWED', message: `Only ${allow} is allowed here.`, requestId },
    allow ? { allow } : {},
  )
