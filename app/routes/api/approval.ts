import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed, problemResponse } from '~/platform/api/answers'
import { isSameOrigin } from '~/platform/request/same-origin'
import { visitMiddleware } from '~/platform/request/visit-middleware'
import { readApproval, registerApproval } from '~/platform/session/approval'

/** After a login: keeps the session's token in a cookie. */
export const Route = createFileRoute('/api/approval')({
  server: {
    middleware: [visitMiddleware],
    handlers: {
      POST: async ({ request, context }) => {
        const { visit } = context
        const { requestId } = visit
        if (!isSameOrigin(request)) {
          return problemResponse(403, {
            code: 'FORBIDDEN',
            message: 'Only this store’s own pages may sign in.',
            requestId,
          })
        }
        const login = await readApproval(request, visit.locale)
        if (!login.ok) {
          const message = 'This is not what a login answers.'
          return problemResponse(400, { code: 'BAD_REQUEST', message, errors: login.errors, requestId })
        }
        registerApproval(login.data, visit)
        return Response.json({ result: 'success' }, { headers: { 'cache-control': 'no-store' } })
      },
      ANY: methodNotAllowed('POST'),
    },
  },
})
