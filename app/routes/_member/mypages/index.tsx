import { msg } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { loadOverview } from '~/features/identity/account/account.functions'
import { Overview } from '~/features/identity/account/ui/overview'
import { recentOrdersQuery, waitingDepositsQuery } from '~/features/orders/orders.functions'
import { PendingDeposits, RecentOrders } from '~/features/orders/ui/recent-orders'
import { subscriptionQuery } from '~/features/subscriptions/subscription.functions'
import { PlanAtAGlance } from '~/features/subscriptions/ui/plan-at-a-glance'
import { latestInquiryQuery } from '~/features/support/inquiries.functions'
import { LatestAnswer } from '~/features/support/ui/inquiry-summary'
import { dayMilliseconds } from '~/platform/constants'
import { pageHead } from '~/platform/document/head'
import { siteSettingsQuery, useSiteSettings } from '~/platform/shell/shell.functions'
import { AccountPending } from '~/site/layout/later-parts'

/** Milliseconds for which an answered inquiry is shown as new. */
const recentMilliseconds = 14 * dayMilliseconds

export const Route = createFileRoute('/_member/mypages/')({
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([loadOverview(queryClient), loadSubscriptionStatus(queryClient)])
    return { since: new Date(Date.now() - recentMilliseconds).toISOString() }
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Your account`, noindex: true }),
  pendingComponent: AccountPending,
  component: MyPage,
})

/** Loads the orders, and plans and inquiries if the store has them. */
async function loadSubscriptionStatus(queryClient: QueryClient) {
  const { order } = await queryClient.ensureQueryData(siteSettingsQuery)
  await Promise.all([
    queryClient.ensureQueryData(recentOrdersQuery),
    queryClient.fetchQuery({ ...waitingDepositsQuery, staleTime: 0 }),
    order.useSubscribe && queryClient.fetchQuery({ ...subscriptionQuery, staleTime: 0 }),
    order.useInquiry && queryClient.fetchQuery({ ...latestInquiryQuery, staleTime: 0 }),
  ])
}

function MyPage() {
  const { since } = Route.useLoaderData()
  const { useSubscribe: hasPlans, useInquiry: hasInquiries } = useSiteSettings().order
  return (
    <Overview
      news={
        <>
          <PendingDeposits />
          {hasInquiries && <LatestAnswer since={since} />}
        </>
      }
      plan={hasPlans && <PlanAtAGlance />}
      orders={<RecentOrders />}
    />
  )
}
