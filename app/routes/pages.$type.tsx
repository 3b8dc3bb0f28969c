import { createFileRoute } from '@tanstack/react-router'
import { excerpt, sitePageQuery } from '~/features/content/content.functions'
import { SitePage } from '~/features/content/ui/notices'
import { orNotFound } from '~/platform/api/call'
import { pageHead } from '~/platform/document/head'
import { TextSkeleton } from '~/site/layout/later-parts'

export const Route = createFileRoute('/pages/$type')({
  staticData: { content: true },
  loader: async ({ context, params }) => {
    const { title, body, locales } = await orNotFound(context.queryClient.ensureQueryData(sitePageQuery(params.type)))
    return { title, description: excerpt(body), locales }
  },
  head: ({ match, loaderData }) => (loaderData ? pageHead(match.context, { ...loaderData, type: 'article' }) : {}),
  component: () => <SitePage type={Route.useParams().type} />,
  pendingComponent: TextSkeleton,
})
