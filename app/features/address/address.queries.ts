import { queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { searchAddress } from './address.functions'

/** What is found for some words of an address; nothing is asked for without any. */
export const addressQuery = (words: string) =>
  queryOptions({
    queryKey: ['addresses', words],
    queryFn: ({ signal }) => call((s) => searchAddress({ data: { q: words }, signal: s }), { signal, expected: [429] }),
    select: ({ items }) => items,
    enabled: words !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
