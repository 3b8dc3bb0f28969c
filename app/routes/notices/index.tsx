import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { noticesQuery } from '~/features/content/content.functions'
import { noticesSearch } from '~/features/content/content.search'
import { NoticeList } from '~/features/content/ui/notices'
import { TextSkeleton } from '~/features/content/ui/text-skeleton'
import { pageHead } from '~/platform/document/head'
import { isBeyond } from '~/platform/navigation/search-schema'

export const Route = createFileRoute('/notices/')({
  validateSearch: noticesSearch,
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: async ({ context, deps }) => {
    const answer = await context.queryClient.ensureQueryData(noticesQuery(deps.page))
    return { beyond: isBeyond(deps.page, answer) }
  },
  head: ({ match, loaderData }) => pageHead(match.context, { title: msg`Notices`, noindex: loaderData?.beyond }),
  component: () => <NoticeList page={Route.useSearch().page ?? 1} />,
  pendingComponent: TextSkeleton,
})
