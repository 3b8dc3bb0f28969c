import { createCsrfMiddleware, createMiddleware } from '@tanstack/react-start'
import { isModestJson } from '#contract/request-body.ts'
import { problemResponse } from '~/platform/api/problem'
import { securityMiddleware } from './security-middleware'

/**
 * Whether a server function's input can be read, as far as one sees from outside: it is JSON, and of the shape the wire has. The
 * framework reports what it cannot read with a whole stack, and anyone can send it that. A form is read by its own parser, and the
 * request must be one whose `json()` can be read again.
 */
export async function isReadableServerFnCall(request: Request): Promise<boolean> {
  try {
    if (request.method === 'GET') {
      const payload = new URL(request.url).searchParams.get('payload')
      return !payload || (isModestJson(payload) && isWritten(JSON.parse(payload)))
    }
    if (!request.headers.get('content-type')?.includes('application/json')) return true
    // Parsed once: the framework is handed the same value.
    return isWritten(await request.json())
  } catch {
    return false
  }
}

/** A value is written as a node that names its kind by a number. */
const isWritten = (value: unknown): boolean => {
  const node = typeof value === 'object' && value !== null && 't' in value ? value.t : undefined
  return typeof node === 'object' && node !== null && 't' in node && typeof node.t === 'number'
}

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
