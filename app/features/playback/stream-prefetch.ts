import type { QueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Lesson, Product, ViewerState } from '#contract/catalog.ts'
import type { Playback, playbackStart } from '#contract/playback.ts'
import { call } from '~/platform/api/call'
import { productToWatchQuery, saveProgress, seedProductToWatch, startPlayback } from './playback.functions'
import type { WatchSearch } from './playback.search'
import { preloadEngine } from './player/load-engine'

/** Whether to request a stream. The server decides again. */
export function mayPlay(product: Product, lesson: Lesson | undefined): boolean {
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

/** Requests a stream. */
export const startStream = (request: StreamRequest): Promise<Playback> =>
  call((signal) => startPlayback({ data: request, signal }), { expected: handledInline })

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
  const mine: Prefetched = { key: keyOf(request), answer: before.then(() => startStream(request)) }
  mine.answer.catch(() => {})
  prefetched = mine
  setTimeout(() => prefetched === mine && releasePrefetched(), prefetchLifetime)
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
  const left = prefetched
  prefetched = undefined
  if (!left) return
  try {
    const { productId: id, lessonId, resumeSeconds, positionAt, playId } = await left.answer
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
export async function loadProductToWatch(queryClient: QueryClient, code: string): Promise<Product> {
  preloadEngine()
  seedProductToWatch(queryClient, code)
  return queryClient.fetchQuery(productToWatchQuery(code))
}

/** Prefetches the stream where the player will start by itself. */
export function prefetchWatchedStream(product: Product, { lesson: lessonId }: WatchSearch): void {
  if (import.meta.env.SSR) return
  const lesson = product.lessons.find(({ id }) => id === lessonId)
  if (mayPlay(product, lesson) && !needsNotice(product.viewer))
    prefetchStream({ id: product.id, ...(lessonId && { lessonId }) })
}
