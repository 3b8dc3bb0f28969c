import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadPlanResult } from '~/features/subscriptions/plan-loads'
import { planResultSearch } from '~/features/subscriptions/plans.search'
import { PlanResultPage } from '~/features/subscriptions/ui/plan-result-page'
import { PaymentPending } from '~/parts/payment-result'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/_member/_planned/plans/payment-result')({
  validateSearch: planResultSearch,
  loaderDeps: ({ search }) => planResultSearch.parse(search),
  loader: ({ context, deps }) => loadPlanResult(context.queryClient, deps.subscription),
  head: ({ match }) => pageHead(match.context, { title: msg`Payment`, noindex: true }),
  pendingComponent: PaymentPending,
  component: () => <PlanResultPage subscription={Route.useSearch().subscription} />,
})
