import { createFileRoute } from '@tanstack/react-router'
import { urlOf } from '#contract/request-url.ts'
import { safeReturnPath } from '~/platform/address'
import { methodNotAllowed, problemResponse } from '~/platform/api/problem'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { isPassive, isSameOrigin } from '~/platform/request/request-origin'
import { clearSession } from '~/platform/request/server-session'

/**
 * Ends the session on the server and clears its cookie. A GET, but only this store's own pages may
 * cause it: no other site, image or prefetch. A plain link (without JavaScript) is redirected to a
 * page.
 */
export const Route = createFileRoute('/api/cancel-approval')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      GET: async ({ request, context }) => {
        const { requestContext } = context
        if (!isSameOrigin(request) || isPassive(request)) {
          const message = 'Only this store’s own pages may sign out.'
          return problemResponse(403, { code: 'FORBIDDEN', message, requestId: requestContext.requestId })
        }
        await clearSession(requestContext)
        if (request.headers.get('sec-fetch-mode') === 'navigate') {
          const back = safeReturnPath(urlOf(request).searchParams.get('redirect')) ?? '/'
          return new Response(null, { status: 303, headers: { location: back, 'cache-control': 'no-store' } })
        }
        return Response.json({ result: 'success' }, { headers: { 'cache-control': 'no-store' } })
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
