import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { noticesQuery } from '~/features/content/content.queries'
import { noticesSearch } from '~/features/content/content.search'
import { NoticeList } from '~/features/content/ui/notice-list'
import { TextSkeleton } from '~/features/content/ui/text-skeleton'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/notices/')({
  validateSearch: noticesSearch,
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: async ({ context, deps }) => {
    await context.queryClient.ensureQueryData(noticesQuery(deps.page))
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Notices` }),
  component: () => <NoticeList page={Route.useSearch().page ?? 1} />,
  pendingComponent: TextSkeleton,
})
