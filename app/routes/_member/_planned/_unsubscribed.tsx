import { createFileRoute } from '@tanstack/react-router'
import { requireNoSubscription } from '~/features/subscriptions/plan-loads'

/** Layout of pages that start a subscription. A member has at most one. */
export const Route = createFileRoute('/_member/_planned/_unsubscribed')({
  beforeLoad: ({ context }) => requireNoSubscription(context.queryClient),
})
