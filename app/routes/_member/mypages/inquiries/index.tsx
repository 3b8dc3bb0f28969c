import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { inquiriesQuery, inquiriesSearch } from '~/features/support/inquiries.functions'
import { InquiryList } from '~/features/support/ui/inquiry-list'
import { pageHead } from '~/platform/document/head'
import { firstPage } from '~/platform/navigation/search-schema'
import { InquiriesPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/inquiries/')({
  validateSearch: inquiriesSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => inquiriesSearch.parse(search),
  loader: async ({ context, deps }) => {
    await context.queryClient.ensureQueryData({ ...inquiriesQuery(deps), revalidateIfStale: true })
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Support`, noindex: true }),
  pendingComponent: InquiriesPending,
  component: () => <InquiryList search={inquiriesSearch.parse(Route.useSearch())} />,
})
