import { queryOptions } from '@tanstack/react-query'
import { addressQuery } from '#contract/accounts.ts'
import { call } from '~/platform/api/call'
import { checked, readFn } from '~/platform/api/server-fn'

/** Postal addresses that contain all words, best match first. */
const searchAddress = readFn()
  .validator(checked(addressQuery))
  .handler(({ data, context }) => context.ask((api) => api.accounts.searchAddress(data)))

/** The addresses that match a text. No request without a text. */
export const addressSearchQuery = (text: string) =>
  queryOptions({
    queryKey: ['addresses', text],
    queryFn: ({ signal }) => call((s) => searchAddress({ data: { q: text }, signal: s }), { signal, expected: [429] }),
    select: ({ items }) => items,
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
