import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed, problemResponse } from '~/platform/api/answers'
import { problemFromError } from '~/platform/api/client'
import { isSameOrigin } from '~/platform/request/same-origin'
import { visitMiddleware } from '~/platform/request/visit-middleware'

/** Everything the store keeps of the member, as a file to keep. A plain link: it works without script. */
export const Route = createFileRoute('/api/my-data')({
  server: {
    middleware: [visitMiddleware],
    handlers: {
      GET: async ({ request, context }) => {
        const { visit } = context
        const { requestId } = visit
        if (!isSameOrigin(request)) {
          const message = 'Only this store’s own pages may ask for this.'
          return problemResponse(403, { code: 'FORBIDDEN', message, requestId })
        }
        try {
          const data = await visit.api.accounts.exportMe()
          return new Response(JSON.stringify(data, null, 2), {
            headers: {
              'content-type': 'application/json; charset=utf-8',
              'content-disposition': `attachment; filename="my-data-${visit.customerCode}.json"`,
              'cache-control': 'private, no-store',
            },
          })
        } catch (error) {
          const problem = problemFromError(error, requestId)
          if (!problem) throw error
          return problemResponse(problem.status, problem)
        }
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
