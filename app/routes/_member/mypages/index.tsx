import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadOverview } from '~/features/account/account.queries'
import { AccountPending } from '~/features/account/ui/account-pending'
import { Overview } from '~/features/account/ui/overview'
import { recentOrdersQuery } from '~/features/orders/orders.queries'
import { RecentOrders } from '~/features/orders/ui/recent-orders'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/_member/mypages/')({
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadOverview(queryClient), queryClient.ensureQueryData(recentOrdersQuery)]),
  head: ({ match }) => pageHead(match.context, { title: msg`My page`, noindex: true }),
  pendingComponent: AccountPending,
  component: () => <Overview orders={<RecentOrders />} />,
})
