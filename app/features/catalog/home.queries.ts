import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { shellFreshness } from '~/platform/constants'
import { getHome, getPersonalShelves } from './home.functions'

export const homeQuery = queryOptions({
  queryKey: ['products', 'home'],
  queryFn: ({ signal }) => call((s) => getHome({ signal: s }), { signal }),
  staleTime: shellFreshness,
})

export const personalShelvesQuery = queryOptions({
  queryKey: ['products', 'personal'],
  queryFn: ({ signal }) => call((s) => getPersonalShelves({ signal: s }), { signal }),
  staleTime: 0,
})
