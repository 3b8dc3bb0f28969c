import { queryOptions } from '@tanstack/react-query'
import type { ProductId, VideoId } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { readCues } from './cues'
import { getPreview, getProductToWatch } from './playback.functions'

/** The product a player page is about, with its lessons and what the person may play. */
export const productToWatchQuery = (code: string) =>
  queryOptions({
    queryKey: ['product-to-watch', code],
    queryFn: ({ signal }) =>
      call((s) => getProductToWatch({ data: { code }, signal: s }), { signal, expected: [404, 410] }),
    staleTime: 0,
  })

export const previewQuery = (id: ProductId, previewId: VideoId) =>
  queryOptions({
    queryKey: ['preview', id, previewId],
    queryFn: ({ signal }) => call((s) => getPreview({ data: { id, previewId }, signal: s }), { signal }),
    // Its address lives only for minutes, and is asked for again when it was refused.
    staleTime: 0,
  })

/** What is said, from a stream's captions. Their address is renewed while the film plays; what was read of it stays. */
export const transcriptQuery = (track: { language: string; url: string } | undefined) =>
  queryOptions({
    // The file's own place, without the part of the address that changes by the hour.
    queryKey: ['transcript', track?.url.split('/').slice(-3).join('/')],
    queryFn: ({ signal }) => readCues(track!.url, signal),
    enabled: track !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  })
