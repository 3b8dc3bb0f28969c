import { createFileRoute, Outlet } from '@tanstack/react-router'
import { requirePlans } from '~/platform/navigation/guards'

/** Of the member's own pages those that are about a plan. */
export const Route = createFileRoute('/_member/mypages/_planned')({ beforeLoad: requirePlans, component: Outlet })
