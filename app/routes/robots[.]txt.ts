import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '~/platform/api/problem'
import { robotsText, sharedFile, unavailableFile } from '~/platform/document/crawler-files'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'

export const Route = createFileRoute('/robots.txt')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      GET: async ({ context }) => {
        const { tenant, origin, requestId } = context.requestContext
        const settings = await tenant.settings()
        if (!settings.ok) return unavailableFile(requestId, settings.problem)
        return sharedFile(robotsText(settings.data, origin), 'text/plain')
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
