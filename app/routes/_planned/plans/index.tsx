import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { plansQuery } from '~/features/subscriptions/plans.functions'
import { plansSearch } from '~/features/subscriptions/plans.search'
import { PlansPage } from '~/features/subscriptions/ui/plans-page'
import { pageHead } from '~/platform/document/head'
import { PlansPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_planned/plans/')({
  validateSearch: plansSearch,
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData({ ...plansQuery, revalidateIfStale: true })
  },
  head: ({ match }) => pageHead(match.context, { title: msg`Plans` }),
  pendingComponent: PlansPending,
  component: () => <PlansPage cycle={Route.useSearch().cycle} />,
})
