import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { suggest } from './suggest.functions'

export const suggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['suggestions', q],
    queryFn: ({ signal }) => call((s) => suggest({ data: { q }, signal: s }), { signal }),
    staleTime: 60_000,
  })
