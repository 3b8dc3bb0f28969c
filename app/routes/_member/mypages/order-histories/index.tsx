import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { ordersQuery, ordersSearch } from '~/features/orders/orders.functions'
import { OrderHistories } from '~/features/orders/ui/order-histories'
import { pageHead } from '~/platform/document/head'
import { firstPage } from '~/platform/navigation/search-schema'
import { AccountPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/order-histories/')({
  validateSearch: ordersSearch,
  search: { middlewares: [stripSearchParams(firstPage)] },
  loaderDeps: ({ search }) => ordersSearch.parse(search),
  loader: async ({ context, deps }) => {
    await context.queryClient.ensureQueryData({ ...ordersQuery(deps), revalidateIfStale: true })
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Orders`, noindex: true }),
  pendingComponent: AccountPending,
  component: () => <OrderHistories search={ordersSearch.parse(Route.useSearch())} />,
})
