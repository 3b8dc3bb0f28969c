import { createFileRoute, Outlet } from '@tanstack/react-router'
import { requireSubscription } from '~/platform/navigation/guards'

/** Pages below are for who has a plan. */
export const Route = createFileRoute('/_member/_planned/_subscribed')({
  beforeLoad: requireSubscription,
  component: Outlet,
})
