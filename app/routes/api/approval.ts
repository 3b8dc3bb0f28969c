import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { loginAnswer } from '#contract/identity.ts'
import { errorsByField, methodNotAllowed, problemResponse } from '~/platform/api/problem'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { isSameOrigin } from '~/platform/request/request-origin'
import { registerApproval } from '~/platform/request/server-session'

/** After a login: stores the session token in a cookie. */
export const Route = createFileRoute('/api/approval')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: async ({ request, context }) => {
        const { requestContext } = context
        const { requestId } = requestContext
        if (!isSameOrigin(request)) {
          return problemResponse(403, {
            code: 'FORBIDDEN',
            message: 'Only this store’s own pages may sign in.',
            requestId,
          })
        }
        const body: unknown = await request.json().catch(() => undefined)
        const login = z.safeParse(loginAnswer, body)
        if (!login.success) {
          const errors = errorsByField(login.error.issues, requestContext.locale)
          const message = 'This is not what a login answers.'
          return problemResponse(400, { code: 'BAD_REQUEST', message, errors, requestId })
        }
        registerApproval(login.data, requestContext)
        return Response.json({ result: 'success' }, { headers: { 'cache-control': 'no-store' } })
      },
      ANY: methodNotAllowed('POST'),
    },
  },
})
