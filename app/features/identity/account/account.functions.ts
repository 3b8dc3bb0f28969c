import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { exposureQuery } from '#contract/catalog.ts'
import { likeBody } from '#contract/engagement.ts'
import { sortOption } from '#contract/enumerations.ts'
import { productId } from '#contract/ids.ts'
import { page, pagingQuery, size } from '#contract/paging.ts'
import { finishedShare } from '#contract/rules.ts'
import { call } from '~/platform/api/call'
import { exposureLimit } from '~/platform/constants'
import { firstPage, pageNumber, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'

/** Products that the member may watch or download now, latest first unless sorted otherwise. */
const getPaidProducts = readFn()
  .validator(checked(z.object({ sort: z.optional(sortOption), page, size })))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.purchased(data)))

/** Liked products, latest first. */
const getLikedProducts = readFn()
  .validator(checked(pagingQuery))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.liked(data)))

/** The last watched product, with the position. */
const getContinueWatching = readFn()
  .validator(checked(exposureQuery))
  .handler(({ data, context }) => context.callApi((api) => api.catalog.recentlyWatched(data)))

export const setLiked = writeFn()
  .validator(checked(z.extend(likeBody, { id: productId })))
  .handler(({ data, context }) => context.callApi((api) => api.engagement.like(data)))

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

/** Titles started and not finished. */
export const continueWatchingQuery = queryOptions({
  queryKey: ['continue-watching'],
  queryFn: ({ signal }) => call((s) => getContinueWatching({ data: { exposureLimit }, signal: s }), { signal }),
  select: ({ items, now }) => ({
    now,
    items: items.filter(({ viewer }) => viewer?.progress != null && viewer.progress < finishedShare),
  }),
})

const first = { page: 1 } as const
/** Only the number and the first few are used. */
const countPageSize = 4

export const ownedCountQuery = paidProductsQuery({ ...first, sort: undefined }, countPageSize)
export const likedCountQuery = likedProductsQuery(first, countPageSize)

export const loadOverview = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.fetchQuery({ ...continueWatchingQuery, staleTime: 0 }),
    queryClient.ensureQueryData({ ...ownedCountQuery, revalidateIfStale: true }),
    queryClient.ensureQueryData({ ...likedCountQuery, revalidateIfStale: true }),
  ])

/** `sort` is missing for the order of buying, latest first. */
export const paidProductsSearch = searchSchema({ sort: sortOption, page: pageNumber }, firstPage)
export type PaidProductsSearch = SearchOf<typeof paidProductsSearch>

export const likedProductsSearch = searchSchema({ page: pageNumber }, firstPage)
export type LikedProductsSearch = SearchOf<typeof likedProductsSearch>
