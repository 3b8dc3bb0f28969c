import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed, problemResponse } from '~/platform/api/problem'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { isSameOrigin } from '~/platform/request/request-origin'
import { readApproval, registerApproval } from '~/platform/session/server-session'

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
        const login = await readApproval(request, requestContext.locale)
        if (!login.ok) {
          const message = 'This is not what a login answers.'
          return problemResponse(400, { code: 'BAD_REQUEST', message, errors: login.errors, requestId })
        }
        registerApproval(login.data, requestContext)
        return Response.json({ result: 'success' }, { headers: { 'cache-control': 'no-store' } })
      },
      ANY: methodNotAllowed('POST'),
    },
  },
})
