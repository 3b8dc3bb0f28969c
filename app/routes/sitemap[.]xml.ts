import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '~/platform/api/answers'
import { sitemapEntries, sitemapXml } from '~/platform/document/sitemap'
import { visitMiddleware } from '~/platform/request/visit-middleware'

export const Route = createFileRoute('/sitemap.xml')({
  server: {
    middleware: [visitMiddleware],
    handlers: {
      GET: async ({ context }) => {
        const { visit } = context
        const [settings, status] = await Promise.all([visit.tenant.settings(), visit.tenant.contract()])
        const open = status.ok && status.data.useCustomer && status.data.useSite
        if (!settings.ok || !settings.data.seo.use || settings.data.operation.useLogin || !open) {
          return new Response('Not found', { status: 404 })
        }
        const xml = sitemapXml(
          await sitemapEntries(visit.api),
          settings.data.seo.publicUrl ?? visit.origin,
          settings.data.base.locales,
        )
        return new Response(xml, {
          headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=300' },
        })
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
