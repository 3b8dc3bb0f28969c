import type { QueryClient } from '@tanstack/react-query'
import { categoriesQuery, contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.queries'

const tenantWide = new Set([contractQuery, siteSettingsQuery, categoriesQuery].map(({ queryKey }) => queryKey[0]))

/** Someone signed in: asks who it is, and takes everything that may depend on it as out of date. */
export async function welcomeMember(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  queryClient.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] && !tenantWide.has(queryKey[0] as never),
  })
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] && !tenantWide.has(queryKey[0] as never),
  })
}
