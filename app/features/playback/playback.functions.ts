import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { ViewerState } from '#contract/catalog.ts'
import { lessonId, type ProductId, productId, productIdOrCode, type VideoId, videoId } from '#contract/ids.ts'
import { dismissWatchedPut, type Playback, playbackStart, progressPut } from '#contract/playback.ts'
import type { Lesson, ProductDetail } from '#contract/product-page.ts'
import { call, notFoundStatuses } from '~/platform/api/call'
import { amountUpTo, type SearchOf, searchSchema } from '~/platform/navigation/search-schema'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { preloadEngine } from './player/load-engine'

/** The product of a player page. */
const getProductToWatch = readFn()
  .validator(checked(z.object({ code: productIdOrCode })))
  .handler(({ data, context }) =>
    context.callApi(async (api): Promise<ProductDetail> => {
      const { related: _, ...product } = await api.catalog.product({ id: data.code, view: false })
      return product
    }),
  )

/** Starts a stream; 403 NOT_ENTITLED without a right to it. Request it again before it expires. */
const startPlayback = writeFn()
  .validator(checked(playbackStart))
  .handler(({ data, context }) => context.callApi((api) => api.playback.startPlayback(data)))

/** Saves the position on the server, for every device. */
export const saveProgress = writeFn()
  .validator(checked(progressPut))
  .handler(({ data, context }) => context.callApi((api) => api.playback.progress(data)))

/** Removes a title from the continue-watching list, or restores it. */
export const dismissWatched = writeFn()
  .validator(checked(dismissWatchedPut))
  .handler(({ data, context }) => context.callApi((api) => api.playback.dismissWatched(data)))

/** The public preview's stream. */
const getPreview = readFn()
  .validator(checked(z.object({ id: productId, previewId: videoId })))
  .handler(({ data, context }) => context.callApi((api) => api.playback.preview(data)))

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
  const page = queryClient.getQueryState<{ product: ProductDetail }>(['product', code])
  if (!page?.data || page.isInvalidated) return
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  if (page.dataUpdatedAt > updatedAt)
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

/** Whether to request a stream. The server decides again. */
export function mayPlay(product: ProductDetail, lesson: Lesson | undefined): boolean {
  if (product.viewer?.entitled || product.access === 'FREE') return true
  return lesson ? lesson.playable : product.lessons.some(({ playable }) => playable)
}

/**
 * The first play of a purchase begins its fulfillment, so the member must be informed before it.
 */
export function needsNotice(viewer: ViewerState | null): boolean {
  if (!viewer?.entitled) return false
  if (viewer.refundable) return true
  return viewer.source === 'RENT' ? viewer.startBy !== null : viewer.source === 'OWN' && viewer.progress === null
}

type StreamRequest = z.input<typeof playbackStart>

/** The player shows these failures itself, without a toast. */
const handledInline = [0, 400, 401, 403, 404, 409, 410, 429, 500, 502, 503, 504]

export const startStream = (request: StreamRequest): Promise<Playback> =>
  call((signal) => startPlayback({ data: request, signal }), { expected: handledInline, unhydrated: true })

interface Prefetched {
  key: string
  answer: Promise<Playback>
}

let prefetched: Prefetched | undefined
let players = 0

const keyOf = ({ id, lessonId }: StreamRequest) => `${id} ${lessonId ?? ''}`

/** Milliseconds after which an unused prefetched stream is released. */
const prefetchLifetime = 15_000

/**
 * Requests a stream when a link to its player is pressed. The player uses it when mounted. Does
 * nothing while a player is mounted: its own request replaces its play.
 */
function prefetchStream(request: StreamRequest): void {
  if (players > 0) return
  const before = releasePrefetched()
  const prefetch: Prefetched = { key: keyOf(request), answer: before.then(() => startStream(request)) }
  prefetch.answer.catch(() => {})
  prefetched = prefetch
  setTimeout(() => prefetched === prefetch && releasePrefetched(), prefetchLifetime)
}

/** Returns the prefetched stream, where it is the same one. */
export function takePrefetchedStream(request: StreamRequest): Promise<Playback> | undefined {
  if (prefetched?.key !== keyOf(request)) return undefined
  const { answer } = prefetched
  prefetched = undefined
  return answer
}

/** Registers a mounted player. Returns the function that unregisters it. */
export function registerPlayer(): () => void {
  players++
  return () => {
    players--
    void releasePrefetched()
  }
}

/** Releases an unused stream, which would count against the stream limit. */
async function releasePrefetched() {
  const released = prefetched
  prefetched = undefined
  if (!released) return
  try {
    const { productId: id, lessonId, resumeSeconds, positionAt, playId } = await released.answer
    if (!playId) return
    await saveProgress({
      data: {
        id,
        ...(lessonId && { lessonId }),
        positionSeconds: resumeSeconds,
        playedSeconds: 0,
        at: positionAt ?? new Date().toISOString(),
        knownAt: positionAt,
        playId,
        state: 'LEFT',
      },
    })
  } catch {}
}

/** Loads the product, and preloads the engine. */
export async function loadProductToWatch(queryClient: QueryClient, code: string): Promise<ProductDetail> {
  preloadEngine()
  seedProductToWatch(queryClient, code)
  return queryClient.fetchQuery(productToWatchQuery(code))
}

/** Prefetches the stream where the player starts automatically. */
export function prefetchWatchedStream(product: ProductDetail, { lesson: lessonId }: WatchSearch): void {
  if (import.meta.env.SSR) return
  const lesson = product.lessons.find(({ id }) => id === lessonId)
  if (mayPlay(product, lesson) && !needsNotice(product.viewer))
    prefetchStream({ id: product.id, ...(lessonId && { lessonId }) })
}

/** `lesson`: the lesson of a course; `t`: the second where a shared link starts. */
export const watchSearch = searchSchema({ lesson: lessonId, t: amountUpTo(1_000_000) })
export type WatchSearch = SearchOf<typeof watchSearch>
