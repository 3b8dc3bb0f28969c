import type { QueryClient } from '@tanstack/react-query'
import type { LoginAnswer } from '#contract/identity.ts'
import { reportFailure } from '~/platform/api/failures'
import { ApiError, unknownError } from '~/platform/api/problem'
import { requestTimeout } from '~/platform/constants'
import { categoriesQuery, contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'

const tenantWide = new Set<unknown>(
  [contractQuery, siteSettingsQuery, categoriesQuery].map(({ queryKey }) => queryKey[0]),
)

const isMemberData = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[0] !== meQuery.queryKey[0] && !tenantWide.has(queryKey[0])

/**
 * After a sign-out or the deletion of an account: calls `leave`, which navigates to a page for
 * guests, and drops the member’s data.
 */
export async function onSignOut(queryClient: QueryClient, leave: () => Promise<unknown>): Promise<void> {
  queryClient.setQueryData(meQuery.queryKey, null)
  await leave()
  queryClient.removeQueries({ type: 'inactive', predicate: isMemberData })
  await queryClient.invalidateQueries({ predicate: isMemberData })
}

/** After a sign-in: loads the member and invalidates everything that may depend on it. */
export async function onSignIn(queryClient: QueryClient): Promise<void> {
  await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
  queryClient.removeQueries({ type: 'inactive', predicate: isMemberData })
  await queryClient.invalidateQueries({ predicate: isMemberData })
}

/**
 * Passes the login result to the storefront's server, which stores the token in a cookie that no
 * script can read.
 * @throws ApiError if the server refuses it
 */
export async function registerWithApp(login: LoginAnswer): Promise<void> {
  const response = await fetch('/api/approval', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
    },
    body: JSON.stringify(login),
    signal: AbortSignal.timeout(requestTimeout),
  })
  if (response.ok) return
  const { status } = response
  const payload = await response.json().catch(() => ({}))
  const problem = { code: unknownError, message: '', errors: {}, requestId: '', ...payload, status }
  reportFailure(problem)
  throw new ApiError(problem)
}
