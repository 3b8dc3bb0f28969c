import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '~/platform/api/answers'
import { robotsText } from '~/platform/document/robots'
import { sharedFile, unavailableFile } from '~/platform/document/shared-file'
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
