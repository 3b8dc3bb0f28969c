import { createFileRoute } from '@tanstack/react-router'
import { requirePlans } from '~/platform/navigation/guards'

/** Layout of the mypages that require a store with plans. */
export const Route = createFileRoute('/_member/mypages/_planned')({ beforeLoad: requirePlans })
