import { createFileRoute } from '@tanstack/react-router'
import { requirePlans } from '~/platform/navigation/guards'

/** Layout of members' pages that require a store with plans. */
export const Route = createFileRoute('/_member/_planned')({ beforeLoad: requirePlans })
