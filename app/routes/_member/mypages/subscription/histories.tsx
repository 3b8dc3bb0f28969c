import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { historiesSearch } from '~/features/subscriptions/plans.search'
import { historyQuery } from '~/features/subscriptions/subscription.functions'
import { SubscriptionHistories } from '~/features/subscriptions/ui/subscription-histories'
import { pageHead } from '~/platform/document/head'
import { firstPage } from '~/platform/navigation/search-schema'
import { AccountPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/subscription/histories')({
  validateSearch: historiesSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => historiesSearch.parse(search),
  loader: async ({ context, deps }) => {
    await context.queryClient.ensureQueryData({ ...historyQuery(deps), revalidateIfStale: true })
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Billing history`, noindex: true }),
  pendingComponent: AccountPending,
  component: () => <SubscriptionHistories search={historiesSearch.parse(Route.useSearch())} />,
})
