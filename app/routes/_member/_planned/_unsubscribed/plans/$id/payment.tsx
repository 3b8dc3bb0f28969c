import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadPlanPayment } from '~/features/subscriptions/plan-loads'
import { planPaymentSearch } from '~/features/subscriptions/plans.search'
import { handleSubscribeForm } from '~/features/subscriptions/subscription.server'
import { PlanPaymentPage } from '~/features/subscriptions/ui/plan-payment-page'
import { pageHead } from '~/platform/document/head'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { PlanPaymentPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/_planned/_unsubscribed/plans/$id/payment')({
  validateSearch: planPaymentSearch,
  loader: ({ context, params }) => loadPlanPayment(context.queryClient, params.id),
  head: ({ match, loaderData }) =>
    pageHead(match.context, {
      title: loaderData ? match.context.i18n._(msg`Subscribe to ${loaderData.name}`) : msg`Plans`,
      noindex: true,
    }),
  server: {
    middleware: [requestContextMiddleware],
    handlers: { POST: ({ request, context }) => handleSubscribeForm(request, context.requestContext) },
  },
  pendingComponent: PlanPaymentPending,
  component: PlanPayment,
})

function PlanPayment() {
  const { idempotencyKey } = Route.useLoaderData()
  return (
    <PlanPaymentPage
      planKey={Route.useParams().id}
      idempotencyKey={idempotencyKey}
      problem={Route.useSearch().problem}
    />
  )
}
