import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '~/platform/api/answers'
import { robotsText } from '~/platform/document/robots'
import { visitMiddleware } from '~/platform/request/visit-middleware'

export const Route = createFileRoute('/robots.txt')({
  server: {
    middleware: [visitMiddleware],
    handlers: {
      GET: async ({ context }) => {
        const settings = await context.visit.tenant.settings()
        const text = robotsText(settings.ok ? settings.data : undefined, context.visit.origin)
        return new Response(text, {
          headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' },
        })
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
