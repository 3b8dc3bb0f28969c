import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { Me } from '#contract/accounts.ts'
import { meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'
import { safeReturnPath } from './address'
import type { noticeReasons } from './search-schema'

interface GuardContext {
  context: { queryClient: QueryClient }
  location: ParsedLocation
}

/** The member, for pages that need one; a guest is asked to sign in and comes back. */
export function requireMember({ context, location }: GuardContext): { member: Me } {
  const member = context.queryClient.getQueryData(meQuery.queryKey)
  if (!member) throw redirect({ to: '/login', search: { redirect: safeReturnPath(location.href) } })
  return { member }
}

/** Joining ends there signed in: its own check knows who has just joined. */
const endOfJoining = '/join/completed'

/** For pages that make no sense to a member: where they wanted to go, or home. */
export function requireGuest({
  context,
  location,
  search,
}: GuardContext & { search: { redirect?: string | undefined } }) {
  if (!context.queryClient.getQueryData(meQuery.queryKey) || location.pathname === endOfJoining) return
  throw redirect({ href: safeReturnPath(search.redirect) ?? '/' })
}

export type NoticeReason = (typeof noticeReasons)[number]

/** Leads to another page of the store, which says the reason. Throw it in `beforeLoad`. */
export const redirectWithNotice = (to: '/' | '/login' | '/plans' | '/mypages', reason: NoticeReason) =>
  redirect({ to, search: { notice: reason } })

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
