import { msg } from '@lingui/core/macro'
import { createFileRoute, stripSearchParams } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { ordersQuery, ordersSearch } from '~/features/orders/orders.functions'
import { OrderHistories as OrderHistoriesNow } from '~/features/orders/ui/order-histories'
import { pageHead } from '~/platform/document/head'
import { hydratedLater, inSuspense } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
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

const OrderHistories = createIsomorphicFn()
  .server(() => inSuspense(OrderHistoriesNow))
  .client(() =>
    hydratedLater(() =>
      withMessages(import('~/features/orders/ui/order-histories')).then((part) => part.OrderHistories),
    ),
  )()
