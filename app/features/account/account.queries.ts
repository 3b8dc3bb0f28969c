import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { exposureLimit } from '~/platform/constants'
import { getContinueWatching, getLikedProducts, getPaidProducts } from './account.functions'
import type { LikedProductsSearch, PaidProductsSearch } from './account.search'

export const productsPerPage = 12

export const paidProductsQuery = (search: PaidProductsSearch, size: number = productsPerPage) =>
  queryOptions({
    queryKey: ['paid-products', search, size],
    queryFn: ({ signal }) => call((s) => getPaidProducts({ data: { ...search, size }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

export const likedProductsQuery = (search: LikedProductsSearch, size: number = productsPerPage) =>
  queryOptions({
    queryKey: ['liked-products', search, size],
    queryFn: ({ signal }) => call((s) => getLikedProducts({ data: { ...search, size }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

/** Begun and not finished: what a person is most likely back for. */
export const continueWatchingQuery = queryOptions({
  queryKey: ['continue-watching'],
  queryFn: ({ signal }) => call((s) => getContinueWatching({ data: { exposureLimit }, signal: s }), { signal }),
  select: ({ items }) => items.filter(({ viewer }) => viewer?.progress != null && viewer.progress < finishedAt),
})

/** The part from which a video counts as watched to its end. */
const finishedAt = 0.9

const first = { page: 1 } as const
/** Only the number is looked at, and the first few. */
const fewest = 4

export const ownedCountQuery = paidProductsQuery({ ...first, sort: undefined }, fewest)
export const likedCountQuery = likedProductsQuery(first, fewest)

/** What the overview shows, side by side. */
export const loadOverview = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.fetchQuery({ ...continueWatchingQuery, staleTime: 0 }),
    queryClient.ensureQueryData({ ...ownedCountQuery, revalidateIfStale: true }),
    queryClient.ensureQueryData({ ...likedCountQuery, revalidateIfStale: true }),
  ])
