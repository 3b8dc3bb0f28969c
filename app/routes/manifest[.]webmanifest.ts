import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '~/platform/api/problem'
import { defaultFaviconPath } from '~/platform/constants'
import { siteName } from '~/platform/document/head'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'

export const Route = createFileRoute('/manifest.webmanifest')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      GET: async ({ context }) => {
        const answer = await context.requestContext.tenant.settings()
        const settings = answer.ok ? answer.data : undefined
        const name = siteName(settings)
        const manifest = {
          name,
          short_name: settings?.base.name ?? name,
          description: settings?.seo.description ?? undefined,
          lang: settings?.base.locale,
          start_url: '/',
          display: 'standalone',
          theme_color: settings?.theme.accent,
          icons: [{ src: settings?.base.faviconPublicUrl ?? defaultFaviconPath, sizes: 'any' }],
        }
        return Response.json(manifest, {
          headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=300' },
        })
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
