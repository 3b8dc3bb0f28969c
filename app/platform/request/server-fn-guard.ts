import { createCsrfMiddleware, createMiddleware } from '@tanstack/react-start'
import { isModestJson } from '#contract/request-body.ts'
import { urlOf } from '#contract/request-url.ts'
import { problemResponse } from '~/platform/api/problem'
import { securityMiddleware } from './security-middleware'

/**
 * Whether a server function's input is JSON in the framework's wire format. The framework would log
 * anything else with a stack trace, and anyone can send it. The request must allow `json()` to be
 * read again.
 */
export async function isReadableServerFnRequest(request: Request): Promise<boolean> {
  try {
    if (request.method === 'GET') {
      const payload = urlOf(request).searchParams.get('payload')
      return !payload || (isModestJson(payload) && isWritten(JSON.parse(payload)))
    }
    if (!request.headers.get('content-type')?.includes('application/json')) return true
    // Parsed once: the framework gets the same value.
    return isWritten(await request.json())
  } catch {
    return false
  }
}

/** In the wire format a value is a node whose `t` is the number of its kind. */
const isWritten = (value: unknown): boolean => {
  const node = typeof value === 'object' && value !== null && 't' in value ? value.t : undefined
  return typeof node === 'object' && node !== null && 't' in node && typeof node.t === 'number'
}

/** Server functions answer requests of this origin only. */
export const crossSiteGuard = createCsrfMiddleware({
  filter: ({ handlerType }) => handlerType === 'serverFn',
  failureResponse: ({ context }) =>
    problemResponse(403, {
      code: 'FORBIDDEN',
      message: 'Only pages of this store can make this request.',
      requestId: 'requestId' in context && typeof context.requestId === 'string' ? context.requestId : '',
    }),
})

/**
 * Answers 400 without details for failures before a server function begins (invalid JSON, an
 * unknown function). The framework would answer 500 with the error's message.
 */
export const malformedRequestGuard = createMiddleware()
  .middleware([securityMiddleware])
  .server(async ({ next, request, handlerType, context }) => {
    const serverFn = { started: false, isShared: false }
    const { requestId } = context
    const malformed = () =>
      problemResponse(400, { code: 'BAD_REQUEST', message: 'The request could not be read.', requestId })
    if (handlerType === 'serverFn' && !(await isReadableServerFnRequest(request))) return malformed()
    try {
      const result = await next({ context: { serverFn } })
      if (handlerType !== 'serverFn' || serverFn.started) return result
      const { status, headers } = result.response
      if (status === 405) return { ...result, response: wrongMethod(headers.get('allow'), requestId) }
      return status >= 500 ? { ...result, response: malformed() } : result
    } catch (error) {
      if (handlerType !== 'serverFn' || serverFn.started || error instanceof Response) throw error
      return malformed()
    }
  })

const wrongMethod = (allow: string | null, requestId: string) =>
  problemResponse(
    405,
    { code: 'METHOD_NOT_ALLOWED', message: `Only ${allow} is allowed here.`, requestId },
    allow ? { allow } : {},
  )
