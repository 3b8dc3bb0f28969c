import { createFileRoute } from '@tanstack/react-router'
import { requireSubscription } from '~/platform/navigation/guards'

/** Layout of pages that require a plan. */
export const Route = createFileRoute('/_member/_planned/_subscribed')({
  beforeLoad: requireSubscription,
})
