import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '~/platform/api/answers'
import { sharedFile, unavailableFile } from '~/platform/document/shared-file'
import { sitemapEntries, sitemapXml } from '~/platform/document/sitemap'
import { visitMiddleware } from '~/platform/request/visit-middleware'

export const Route = createFileRoute('/sitemap.xml')({
  server: {
    middleware: [visitMiddleware],
    handlers: {
      GET: async ({ context }) => {
        const { visit } = context
        const [settings, status] = await Promise.all([visit.tenant.settings(), visit.tenant.contract()])
        if (!settings.ok) return unavailableFile(visit.requestId, settings.problem)
        if (!status.ok) return unavailableFile(visit.requestId, status.problem)
        const { seo, base, operation } = settings.data
        const open = status.data.useCustomer && status.data.useSite
        if (!seo.use || operation.useLogin || !open) return new Response('Not found', { status: 404 })
        try {
          const entries = await sitemapEntries(visit.api)
          return sharedFile(sitemapXml(entries, seo.publicUrl ?? visit.origin, base.locales), 'application/xml')
        } catch (error) {
          return unavailableFile(visit.requestId, error)
        }
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
