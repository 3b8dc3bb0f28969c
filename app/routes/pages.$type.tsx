import { createFileRoute } from '@tanstack/react-router'
import { sitePageQuery } from '~/features/content/content.functions'
import { excerpt } from '~/features/content/content-head'
import { SitePage } from '~/features/content/ui/site-page'
import { TextSkeleton } from '~/features/content/ui/text-skeleton'
import { pageHead } from '~/platform/document/head'
import { orNotFound } from '~/platform/navigation/address'

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
