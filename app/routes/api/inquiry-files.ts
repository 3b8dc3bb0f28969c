import { createFileRoute } from '@tanstack/react-router'
import { handleUpload } from '~/features/support/inquiry-form.server'
import { methodNotAllowed } from '~/platform/api/problem'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'

/**
 * Uploads one file for an inquiry. A path of its own, so that the browser can report the progress.
 */
export const Route = createFileRoute('/api/inquiry-files')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      POST: ({ request, context }) => handleUpload(request, context.requestContext),
      ANY: methodNotAllowed('POST'),
    },
  },
})
