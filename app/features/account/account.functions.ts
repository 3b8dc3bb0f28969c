import * as z from 'zod/mini'
import { exposureQuery } from '#contract/catalog.ts'
import { likeBody } from '#contract/engagement.ts'
import { sortOption } from '#contract/enumerations.ts'
import { productId } from '#contract/ids.ts'
import { page, pagingQuery, size } from '#contract/paging.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'

/** Products with a live right, latest first unless sorted otherwise. */
export const getPaidProducts = readFn()
  .validator(checked(z.object({ sort: z.optional(sortOption), page, size })))
  .handler(({ data, context }) => context.ask((api) => api.engagement.purchased(data)))

/** Liked products, latest first. */
export const getLikedProducts = readFn()
  .validator(checked(pagingQuery))
  .handler(({ data, context }) => context.ask((api) => api.engagement.liked(data)))

/** What was watched last, with the position. */
export const getContinueWatching = readFn()
  .validator(checked(exposureQuery))
  .handler(({ data, context }) => context.ask((api) => api.catalog.recentlyWatched(data)))

export const setLiked = writeFn()
  .validator(checked(z.extend(likeBody, { id: productId })))
  .handler(({ data, context }) => context.ask((api) => api.engagement.like(data)))
