import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { Product } from '#contract/catalog.ts'
import { type ProductId, productId, type VideoId, videoId } from '#contract/ids.ts'
import { dismissWatchedPut, playbackStart, progressPut } from '#contract/playback.ts'
import { call } from '~/platform/api/call'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { notFoundStatuses } from '~/platform/navigation/address'

/** The product of a player page. */
const getProductToWatch = readFn()
  .validator(checked(z.object({ code: z.string().check(z.minLength(1), z.maxLength(64)) })))
  .handler(({ data, context }) => context.ask((api) => api.catalog.product({ id: data.code, view: false })))

/** Starts a stream; 403 NOT_ENTITLED without a right to it. Request it again before it expires. */
export const startPlayback = writeFn()
  .validator(checked(playbackStart))
  .handler(({ data, context }) => context.ask((api) => api.playback.startPlayback(data)))

/** Saves the position on the server, for every device. */
export const saveProgress = writeFn()
  .validator(checked(progressPut))
  .handler(({ data, context }) => context.ask((api) => api.playback.progress(data)))

/** Removes a title from the continue-watching list, or restores it. */
export const dismissWatched = writeFn()
  .validator(checked(dismissWatchedPut))
  .handler(({ data, context }) => context.ask((api) => api.playback.dismissWatched(data)))

/** The public preview's stream. */
const getPreview = readFn()
  .validator(checked(z.object({ id: productId, previewId: videoId })))
  .handler(({ data, context }) => context.ask((api) => api.playback.preview(data)))

/** The product of a player page, with its lessons and what the viewer may play. */
export const productToWatchQuery = (code: string) =>
  queryOptions({
    queryKey: ['product-to-watch', code],
    queryFn: ({ signal }) =>
      call((s) => getProductToWatch({ data: { code }, signal: s }), { signal, expected: [...notFoundStatuses, 410] }),
  })

/** Seeds the query with the product page's data where those are newer. */
export function seedProductToWatch(queryClient: QueryClient, code: string): void {
  const { queryKey } = productToWatchQuery(code)
  const page = queryClient.getQueryState<{ product: Product }>(['product', code])
  if (!page?.data || page.isInvalidated) return
  const known = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  if (page.dataUpdatedAt > known)
    queryClient.setQueryData(queryKey, page.data.product, { updatedAt: page.dataUpdatedAt })
}

export const previewQuery = (id: ProductId, previewId: VideoId) =>
  queryOptions({
    queryKey: ['preview', id, previewId],
    queryFn: ({ signal }) => call((s) => getPreview({ data: { id, previewId }, signal: s }), { signal }),
    // The URL expires within minutes and is requested again when refused. The prefetched one serves
    // the player.
    staleTime: 5_000,
  })
