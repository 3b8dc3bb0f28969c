import { createFileRoute } from '@tanstack/react-router'
import { urlOf } from '#contract/request-url.ts'
import { storeStateOf } from '#contract/store-state.ts'
import { methodNotAllowed } from '~/platform/api/problem'
import { baseOf } from '~/platform/document/addresses'
import {
  readFirstPart,
  readPart,
  sharedFile,
  sitemapIndexXml,
  sitemapXml,
  unavailableFile,
} from '~/platform/document/crawler-files'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'

const notFound = () => new Response('Not found', { status: 404 })

export const Route = createFileRoute('/sitemap.xml')({
  server: {
    middleware: [requestContextMiddleware],
    handlers: {
      GET: async ({ context, request }) => {
        const { requestContext } = context
        const [settings, status] = await Promise.all([
          requestContext.tenant.settings(),
          requestContext.tenant.contract(),
        ])
        if (!settings.ok) return unavailableFile(requestContext.requestId, settings.problem)
        if (!status.ok) return unavailableFile(requestContext.requestId, status.problem)
        const { seo, operation } = settings.data
        if (!seo.use || operation.useLogin || storeStateOf(status.data) !== 'OPEN') return notFound()
        const requested = urlOf(request).searchParams.get('part')
        if (requested !== null && !/^\d{1,4}$/.test(requested)) return notFound()
        const part = Number(requested ?? 0)
        const answer = await requestContext.tenant.shared(`sitemap:${part}`, (api) =>
          part === 0 ? readFirstPart(api, settings.data) : readPart(api, part),
        )
        if (!answer.ok) return unavailableFile(requestContext.requestId, answer.problem)
        const { parts, entries } = answer.data
        if (part > parts) return notFound()
        const address = baseOf(settings.data, requestContext.origin)
        return sharedFile(
          requested === null && parts > 1
            ? sitemapIndexXml(parts, address)
            : sitemapXml(entries, address, settings.data),
          'application/xml',
        )
      },
      ANY: methodNotAllowed('GET'),
    },
  },
})
