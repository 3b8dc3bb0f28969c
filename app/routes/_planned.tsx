import { createFileRoute, Outlet } from '@tanstack/react-router'
import { requirePlans } from '~/platform/navigation/guards'

/** Pages below show the store's plans to anyone. */
export const Route = createFileRoute('/_planned')({ beforeLoad: requirePlans, component: Outlet })
