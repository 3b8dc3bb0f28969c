import { createFileRoute } from '@tanstack/react-router'
import { excerpt, noticeQuery } from '~/features/content/content.functions'
import { NoticePage } from '~/features/content/ui/notices'
import { orNotFound } from '~/platform/api/call'
import { pageHead } from '~/platform/document/head'
import { TextSkeleton } from '~/site/layout/later-parts'

export const Route = createFileRoute('/notices/$id')({
  staticData: { content: true },
  loader: async ({ context, params }) => {
    const { title, body, locales } = await orNotFound(context.queryClient.ensureQueryData(noticeQuery(params.id)))
    return { title, description: excerpt(body), locales }
  },
  head: ({ match, loaderData }) => (loaderData ? pageHead(match.context, { ...loaderData, type: 'article' }) : {}),
  component: () => <NoticePage id={Route.useParams().id} />,
  pendingComponent: TextSkeleton,
})
