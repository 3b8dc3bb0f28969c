import type { QueryClient } from '@tanstack/react-query'
import type { LoginAnswer } from '#contract/accounts.ts'
import { reportFailure } from '~/platform/api/failures'
import { ApiError } from '~/platform/api/problem'
import { requestTimeout } from '~/platform/constants'
import { categoriesQuery, contractQuery, meQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'

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

/** Hands the login's answer to the app server, which keeps the token out of every script's reach. */
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
  const problem = { code: 'ERROR', message: '', errors: {}, requestId: '', ...payload, status }
  reportFailure(problem)
  throw new ApiError(problem)
}
