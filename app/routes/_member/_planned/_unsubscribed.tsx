import { createFileRoute, Outlet } from '@tanstack/react-router'
import { requireNoSubscription } from '~/features/plans/plan-loads'

/** Pages below begin a subscription, of which a member has one at most. */
export const Route = createFileRoute('/_member/_planned/_unsubscribed')({
  beforeLoad: ({ context }) => requireNoSubscription(context.queryClient),
  component: Outlet,
})
