import type { QueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import type { Lesson, Product, ViewerState } from '#contract/catalog.ts'
import type { Playback, playbackStart } from '#contract/playback.ts'
import { call } from '~/platform/api/call'
import { productToWatchQuery, saveProgress, seedProductToWatch, startPlayback } from './playback.functions'
import type { WatchSearch } from './playback.search'
import { preloadEngine } from './player/load-engine'

/** Whether it is worth asking for a stream. The server decides again when it is asked. */
export function mayPlay(product: Product, lesson: Lesson | undefined): boolean {
  if (product.viewer?.entitled || product.access === 'FREE') return true
  return lesson ? lesson.playable : product.lessons.some(({ playable }) => playable)
}

/** The first play of something bought begins its fulfillment: the person must know before, not after. */
export function needsNotice(viewer: ViewerState | null): boolean {
  if (!viewer?.entitled) return false
  if (viewer.refundable) return true
  return viewer.source === 'RENT' ? viewer.startBy !== null : viewer.source === 'OWN' && viewer.progress === null
}

type StreamRequest = z.input<typeof playbackStart>

/** The player says in place what went wrong; nothing is left for a toast. */
const handledInline = [0, 400, 401, 403, 404, 409, 410, 429, 500, 502, 503, 504]

/** Asks for a stream. */
export const startStream = (wanted: StreamRequest): Promise<Playback> =>
  call((signal) => startPlayback({ data: wanted, signal }), { expected: handledInline })

interface Prefetched {
  key: string
  answer: Promise<Playback>
}

let prefetched: Prefetched | undefined
let players = 0

const keyOf = ({ id, lessonId }: StreamRequest) => `${id} ${lessonId ?? ''}`

/** Milliseconds in which a player has to stand; one that comes later asks itself. */
const prefetchLifetime = 15_000

/**
 * Asks for a stream at the press that leads to its player, which takes the answer over once it stands. A player that stands already
 * asks itself: it holds a play, which makes room for the new one.
 */
function prefetchStream(wanted: StreamRequest): void {
  if (players > 0) return
  const before = releasePrefetched()
  const mine: Prefetched = { key: keyOf(wanted), answer: before.then(() => startStream(wanted)) }
  mine.answer.catch(() => {})
  prefetched = mine
  setTimeout(() => prefetched === mine && releasePrefetched(), prefetchLifetime)
}

/** The answer to what was asked ahead, where it is the same. */
export function takePrefetchedStream(wanted: StreamRequest): Promise<Playback> | undefined {
  if (prefetched?.key !== keyOf(wanted)) return undefined
  const { answer } = prefetched
  prefetched = undefined
  return answer
}

/** Says that a player stands, until the answer is called. */
export function registerPlayer(): () => void {
  players++
  return () => {
    players--
    void releasePrefetched()
  }
}

/** A stream that nobody came to watch would keep its place from another for a while. */
async function releasePrefetched() {
  const left = prefetched
  prefetched = undefined
  if (!left) return
  try {
    const { productId: id, lessonId, resumeSeconds, positionAt, playId } = await left.answer
    if (!playId) return
    await saveProgress({
      data: {
        ...{ id, ...(lessonId && { lessonId }), positionSeconds: resumeSeconds, playedSeconds: 0 },
        ...{ at: positionAt ?? new Date().toISOString(), knownAt: positionAt, playId, state: 'LEFT' },
      },
    })
  } catch {}
}

/** The product, and the engine beside it. */
export async function loadProductToWatch(queryClient: QueryClient, code: string): Promise<Product> {
  preloadEngine()
  seedProductToWatch(queryClient, code)
  return queryClient.fetchQuery(productToWatchQuery(code))
}

/** Asks for the stream of what plays by itself once its player stands. */
export function prefetchWatchedStream(product: Product, { lesson: lessonId }: WatchSearch): void {
  if (import.meta.env.SSR) return
  const lesson = product.lessons.find(({ id }) => id === lessonId)
  if (mayPlay(product, lesson) && !needsNotice(product.viewer))
    prefetchStream({ id: product.id, ...(lessonId && { lessonId }) })
}
