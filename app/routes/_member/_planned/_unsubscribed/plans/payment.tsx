import { msg } from '@lingui/core/macro'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { loadPlanChoice } from '~/features/subscriptions/plan-loads'
import { planChoiceSearch } from '~/features/subscriptions/plans.search'
import { PlanChoicePage } from '~/features/subscriptions/ui/plan-payment-page'
import { pageHead } from '~/platform/document/head'
import { PlanPaymentPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/_planned/_unsubscribed/plans/payment')({
  validateSearch: planChoiceSearch,
  beforeLoad: ({ search: { plan } }) => {
    if (plan) throw redirect({ to: '/plans/$id/payment', params: { id: plan } })
  },
  loader: ({ context }) => loadPlanChoice(context.queryClient),
  head: ({ match }) => pageHead(match.context, { title: msg`Choose your plan`, noindex: true }),
  pendingComponent: PlanPaymentPending,
  component: PlanChoicePage,
})
