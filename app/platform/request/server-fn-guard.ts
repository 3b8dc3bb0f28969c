import { createCsrfMiddleware, createMiddleware } from '@tanstack/react-start'
import { securityMiddleware } from './security-middleware'

const refusal = (status: number, code: string, message: string, requestId: string) =>
  Response.json({ code, message, errors: {}, requestId }, { status })

/** Server functions answer this origin alone. */
export const crossSiteGuard = createCsrfMiddleware({
  filter: ({ handlerType }) => handlerType === 'serverFn',
  failureResponse: ({ context }) =>
    refusal(
      403,
      'FORBIDDEN',
      'This call is answered only to pages of this store.',
      (context as { requestId?: string }).requestId ?? '',
    ),
})

/**
 * What goes wrong before a server function begins (a body that is no JSON, an unknown function) would leave as 500 with
 * the error's own words. It is the sender's mistake: 400, and no more than that.
 */
export const malformedCallGuard = createMiddleware()
  .middleware([securityMiddleware])
  .server(async ({ next, handlerType, context }) => {
    const call = { begun: false }
    const malformed = () => refusal(400, 'BAD_REQUEST', 'This call cannot be read.', context.requestId)
    try {
      const result = await next({ context: { call } })
      const mistaken = handlerType === 'serverFn' && !call.begun && result.response.status >= 500
      return mistaken ? { ...result, response: malformed() } : result
    } catch (error) {
      if (handlerType !== 'serverFn' || call.begun || error instanceof Response) throw error
      return malformed()
    }
  })
