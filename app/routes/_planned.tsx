import { createFileRoute } from '@tanstack/react-router'
import { requirePlans } from '~/platform/navigation/guards'

/** Layout of public pages that require a store with plans. */
export const Route = createFileRoute('/_planned')({ beforeLoad: requirePlans })
