import type { QueryClient } from '@tanstack/react-query'
import { categoriesQuery, contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.queries'

const tenantWide = new Set([contractQuery, siteSettingsQuery, categoriesQuery].map(({ queryKey }) => queryKey[0]))

const isMembers = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] !== meQuery.queryKey[0] && !tenantWide.has(queryKey[0] as never)

/** The member is none any more: leads to a page for guests, and forgets what was theirs. */
export async function onSignOut(queryClient: QueryClient, leave: () => Promise<unknown>): Promise<void> {
  queryClient.setQueryData(meQuery.queryKey, null)
  await leave()
  queryClient.removeQueries({ type: 'inactive', predicate: isMembers })
  await queryClient.invalidateQueries({ predicate: isMembers })
}

/** Someone signed in: asks who it is, and takes everything that may depend on it as out of date. */
export async function onSignIn(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  queryClient.removeQueries({ type: 'inactive', predicate: isMembers })
  await queryClient.invalidateQueries({ predicate: isMembers })
}
