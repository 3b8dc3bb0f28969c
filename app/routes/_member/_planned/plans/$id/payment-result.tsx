import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadPlanResult } from '~/features/subscriptions/plan-loads'
import { planQuery } from '~/features/subscriptions/plans.functions'
import { planResultSearch } from '~/features/subscriptions/plans.search'
import { PlanResultPage } from '~/features/subscriptions/ui/plan-result-page'
import { PaymentPending } from '~/parts/payment-result'
import { orNotFound } from '~/platform/api/call'
import { pageHead } from '~/platform/document/head'

export const Route = createFileRoute('/_member/_planned/plans/$id/payment-result')({
  validateSearch: planResultSearch,
  loaderDeps: ({ search }) => planResultSearch.parse(search),
  loader: async ({ context: { queryClient }, params, deps }) => {
    await Promise.all([
      orNotFound(queryClient.ensureQueryData(planQuery(params.id))),
      loadPlanResult(queryClient, deps.subscription),
    ])
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Payment`, noindex: true }),
  pendingComponent: PaymentPending,
  component: () => <PlanResultPage subscription={Route.useSearch().subscription} plan={Route.useParams().id} />,
})
