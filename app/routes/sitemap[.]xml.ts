import { createFileRoute } from '@tanstack/react-router'
import { methodNotAllowed } from '~/platform/api/answers'
import { baseOf } from '~/platform/document/addresses'
import { sharedFile, unavailableFile } from '~/platform/document/shared-file'
import { readFirstPart, readPart, sitemapIndexXml, sitemapXml } from '~/platform/document/sitemap'
import { visitMiddleware } from '~/platform/request/visit-middleware'

const notFound = () => new Response('Not found', { status: 404 })

export const Route = createFileRoute('/sitemap.xml')({
  server: {
    middleware: [visitMiddleware],
    handlers: {
      GET: async ({ context, request }) => {
        const { visit } = context
        const [settings, status] = await Promise.all([visit.tenant.settings(), visit.tenant.contract()])
        if (!settings.ok) return unavailableFile(visit.requestId, settings.problem)
        if (!status.ok) return unavailableFile(visit.requestId, status.problem)
        const { seo, operation } = settings.data
        const open = status.data.useCustomer && status.data.useSite && status.data.opened
        if (!seo.use || operation.useLogin || !open) return notFound()
        const asked = new URL(request.url).searchParams.get('part')
        if (asked !== null && !/^\d{1,4}$/.test(asked)) return notFound()
        const part = Number(asked ?? 0)
        const found = await visit.tenant.shared(`sitemap:${part}`, (api) =>
          part === 0 ? readFirstPart(api, settings.data) : readPart(api, part),
        )
        if (!found.ok) return unavailableFile(visit.requestId, found.problem)
        const { parts, entries } = found.data
        if (part > parts) return notFound()
        const address = baseOf(settings.data, visit.origin)
        return sharedFile(
          asked === null && parts > 1 ? sitemapIndexXml(parts, address) : sitemapXml(entries, address, settings.data),
          'application/xml',
        )
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
