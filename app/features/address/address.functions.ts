import { queryOptions } from '@tanstack/react-query'
import { addressQuery } from '#contract/accounts.ts'
import { call } from '~/platform/api/call'
import { checked, readFn } from '~/platform/api/server-fn'

/** Postal addresses that hold all the words, nearest first. */
const searchAddress = readFn()
  .validator(checked(addressQuery))
  .handler(({ data, context }) => context.ask((api) => api.accounts.searchAddress(data)))

/** What is found for some words of an address; nothing is asked for without any. */
export const addressSearchQuery = (words: string) =>
  queryOptions({
    queryKey: ['addresses', words],
    queryFn: ({ signal }) => call((s) => searchAddress({ data: { q: words }, signal: s }), { signal, expected: [429] }),
    select: ({ items }) => items,
    enabled: words !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
