import type { QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/accounts.ts'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.queries'
import { redirectWithNotice } from './redirect-with-notice'

interface CheckContext {
  context: { queryClient: QueryClient }
}

/** The plan check: a store that has no plans shows none of their pages. */
export function requirePlans({ context }: CheckContext): void {
  const settings = context.queryClient.getQueryData(siteSettingsQuery.queryKey)
  if (!settings?.order.useSubscribe) throw redirectWithNotice('/', 'PLANS_CLOSED')
}

/** Whether a member may watch by a plan: one they pay for, or one that was granted. */
export const isSubscribed = (member: Pick<Me, 'usePlan'> | null): boolean =>
  member !== null && (member.usePlan.regular || member.usePlan.partnership)

/** The subscribe check: who has no plan is shown those there are. A plan begun elsewhere a moment ago counts. */
export async function requireSubscription({ context: { queryClient } }: CheckContext): Promise<void> {
  if (isSubscribed(queryClient.getQueryData(meQuery.queryKey) ?? null)) return
  if (isSubscribed(await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }))) return
  throw redirectWithNotice('/plans', 'PLAN_NEEDED')
}
