import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { loadSubscription } from '~/features/subscriptions/plan-loads'
import { subscriptionSearch } from '~/features/subscriptions/plans.search'
import { handleSubscriptionForm } from '~/features/subscriptions/subscription.server'
import { SubscriptionPage } from '~/features/subscriptions/ui/subscription-page'
import { pageHead } from '~/platform/document/head'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { SubscriptionPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/_planned/subscription/')({
  validateSearch: subscriptionSearch,
  loaderDeps: ({ search: { step, plan } }) => ({ step, plan }),
  loader: ({ context, deps, cause }) => loadSubscription(context.queryClient, deps, cause !== 'preload'),
  head: ({ match }) => pageHead(match.context, { title: msg`Subscription`, noindex: true }),
  server: {
    middleware: [requestContextMiddleware],
    handlers: { POST: ({ request, context }) => handleSubscriptionForm(request, context.requestContext) },
  },
  pendingComponent: SubscriptionPending,
  component: () => (
    <SubscriptionPage idempotencyKey={Route.useLoaderData().idempotencyKey} search={Route.useSearch()} />
  ),
})
