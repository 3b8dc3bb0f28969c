import { queryOptions } from '@tanstack/react-query'
import { suggestQuery } from '#contract/catalog.ts'
import { call } from '~/platform/api/call'
import { checked, readFn } from '~/platform/api/server-fn'

/** Suggested products and categories for the typed text. */
const suggest = readFn()
  .validator(checked(suggestQuery))
  .handler(({ data, context }) => context.ask((api) => api.catalog.suggest(data)))

export const suggestionsQuery = (q: string) =>
  queryOptions({
    queryKey: ['suggestions', q],
    queryFn: ({ signal }) => call((s) => suggest({ data: { q }, signal: s }), { signal }),
    staleTime: 60_000,
  })
