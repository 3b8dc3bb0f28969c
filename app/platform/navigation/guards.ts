import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import type { Me } from '#contract/accounts.ts'
import { meQuery } from '~/platform/shell/shell.queries'
import { safeReturnPath } from './return-path'

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
