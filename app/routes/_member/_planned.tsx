import { createFileRoute, Outlet } from '@tanstack/react-router'
import { requirePlans } from '~/platform/navigation/guards'

/** Pages below are a member's, about the store's plans. */
export const Route = createFileRoute('/_member/_planned')({ beforeLoad: requirePlans, component: Outlet })
