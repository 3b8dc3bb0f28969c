import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Product } from '#contract/catalog.ts'
import type { ProductId, VideoId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { notFoundStatuses } from '~/platform/navigation/address'
import { getPreview, getProductToWatch } from './playback.functions'

/** The product a player page is about, with its lessons and what the person may play. */
export const productToWatchQuery = (code: string) =>
  queryOptions({
    queryKey: ['product-to-watch', code],
    queryFn: ({ signal }) =>
      call((s) => getProductToWatch({ data: { code }, signal: s }), { signal, expected: [...notFoundStatuses, 410] }),
  })

/** Takes the product from its own page, where that has it as fresh as it is shown. */
export function knowProduct(queryClient: QueryClient, code: string): void {
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
    // Its address lives only for minutes, and is asked for again when it was refused. What the press asked for serves the player.
    staleTime: 5_000,
  })
