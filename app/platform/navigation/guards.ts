import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import type { Me } from '#contract/identity.ts'
import { safeReturnPath } from '~/platform/address'
import { contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'
import type { noticeReasons } from './search-schema'

interface GuardContext {
  context: { queryClient: QueryClient }
  location: ParsedLocation
}

/**
 * The guard of pages for members.
 * @throws a redirect to the login page, which returns here
 */
export function requireMember({ context, location }: GuardContext): { member: Me } {
  const member = context.queryClient.getQueryData(meQuery.queryKey)
  if (!member) throw redirect({ to: '/login', search: { redirect: safeReturnPath(location.href) } })
  return { member }
}

/** Sign-up ends on this page, signed in. The page has its own check. */
const endOfJoining = '/join/completed'

/**
 * The guard of pages for guests.
 * @throws a redirect to the return path, or home
 */
export function requireGuest({
  context,
  location,
  search,
}: GuardContext & { search: { redirect?: string | undefined } }) {
  if (!context.queryClient.getQueryData(meQuery.queryKey) || location.pathname === endOfJoining) return
  throw redirect({ href: safeReturnPath(search.redirect) ?? '/' })
}

export type NoticeReason = (typeof noticeReasons)[number]

/** A redirect to another page, which shows the reason. Throw it in `beforeLoad`. */
export const redirectWithNotice = (to: '/' | '/login' | '/plans' | '/mypages', reason: NoticeReason) =>
  redirect({ to, search: { notice: reason } })

interface CheckContext {
  context: { queryClient: QueryClient }
}

/** The plan check: redirects home in a store without plans. */
export function requirePlans({ context }: CheckContext): void {
  const settings = context.queryClient.getQueryData(siteSettingsQuery.queryKey)
  if (!settings?.order.useSubscribe) throw redirectWithNotice('/', 'PLANS_CLOSED')
}

/** Whether a member has a plan, paid or granted by a partnership. */
export const isSubscribed = (member: Pick<Me, 'usePlan'> | null): boolean =>
  member !== null && (member.usePlan.regular || member.usePlan.partnership)

/**
 * The subscription check: redirects a member without a plan to the plans. A plan that just began
 * elsewhere counts.
 */
export async function requireSubscription({ context: { queryClient } }: CheckContext): Promise<void> {
  if (isSubscribed(queryClient.getQueryData(meQuery.queryKey) ?? null)) return
  if (isSubscribed(await queryClient.fetchQuery({ ...meQuery, staleTime: 0 }))) return
  throw redirectWithNotice('/plans', 'PLAN_NEEDED')
}

/** Seconds, where it is not known when the store opens. */
const retryAfter = '3600'

const answerUnavailable = createIsomorphicFn()
  .server(({ context: { queryClient } }: CheckContext) => {
    setResponseStatus(503)
    const backAt = queryClient.getQueryData(contractQuery.queryKey)?.maintenance?.backAt
    setResponseHeader('retry-after', backAt ? new Date(backAt).toUTCString() : retryAfter)
  })
  .client(() => {})

/** The route options of the closed store's pages: error layout, 503, Retry-After and noindex. */
export const closedStoreRouteOptions = {
  staticData: { layout: 'error' as const },
  beforeLoad: (check: CheckContext) => answerUnavailable(check),
  headers: () => ({ 'x-robots-tag': 'noindex', 'cache-control': 'no-store' }),
  head: () => ({ meta: [{ name: 'robots', content: 'noindex,nofollow' }] }),
}
