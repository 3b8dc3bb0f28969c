import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { getProfile, getSessions, getWithdrawal } from './profile.functions'

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call((s) => getProfile({ signal: s }), { signal }),
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call((s) => getSessions({ signal: s }), { signal }),
  select: ({ items }) => items,
})

/** What leaving would mean now: what was true a while ago does not count. */
export const withdrawalQuery = queryOptions({
  queryKey: ['withdrawal'],
  queryFn: ({ signal }) => call((s) => getWithdrawal({ signal: s }), { signal, expected: [404] }),
  staleTime: 0,
  gcTime: 0,
  retry: false,
})
