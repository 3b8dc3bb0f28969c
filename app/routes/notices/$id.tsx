import { createFileRoute } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { excerpt, noticeQuery } from '~/features/content/content.functions'
import { NoticePage as NoticePageNow } from '~/features/content/ui/notices'
import { orNotFound } from '~/platform/api/call'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
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

const NoticePage = createIsomorphicFn()
  .server(() => inSuspense(NoticePageNow))
  .client(() =>
    hydratedLater(() => withMessages(import('~/features/content/ui/notices')).then((part) => part.NoticePage)),
  )()
