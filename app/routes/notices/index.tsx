import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { noticesQuery } from '~/features/content/content.functions'
import { NoticeList as NoticeListNow } from '~/features/content/ui/notices'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { isPastLastPage, pageNumber, searchSchema } from '~/platform/navigation/search-schema'
import { TextSkeleton } from '~/site/layout/later-parts'

export const Route = createFileRoute('/notices/')({
  validateSearch: searchSchema({ page: pageNumber }),
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: async ({ context, deps }) => {
    const answer = await context.queryClient.ensureQueryData(noticesQuery(deps.page))
    return { pastLastPage: isPastLastPage(deps.page, answer) }
  },
  head: ({ match, loaderData }) => pageHead(match.context, { title: msg`Notices`, noindex: loaderData?.pastLastPage }),
  component: () => <NoticeList page={Route.useSearch().page ?? 1} />,
  pendingComponent: TextSkeleton,
})

const NoticeList = createIsomorphicFn()
  .server(() => inSuspense(NoticeListNow))
  .client(() =>
    hydratedLater(() => withMessages(import('~/features/content/ui/notices')).then((part) => part.NoticeList)),
  )()
