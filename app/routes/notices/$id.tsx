import { createFileRoute } from '@tanstack/react-router'
import { noticeQuery } from '~/features/content/content.functions'
import { excerpt } from '~/features/content/content-head'
import { NoticePage } from '~/features/content/ui/notices'
import { TextSkeleton } from '~/features/content/ui/text-skeleton'
import { pageHead } from '~/platform/document/head'
import { orNotFound } from '~/platform/navigation/address'

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
