import type Hls from 'hls.js'
import type { ProductCode } from '#contract/ids.ts'
import {
  type DeviceLimit,
  deviceLimit,
  type RightMissing,
  rightMissing,
  type StreamLimit,
  streamLimit,
} from '#contract/playback-refusals.ts'
import { problemOf } from '~/platform/api/problem'
import { hasFailed, type StreamFailure } from './engine'

/** Milliseconds of a stall without received bytes. */
const longestSilence = 30_000
/** Milliseconds of a stall while bytes arrive, but too few. */
const longestStall = 120_000

export interface StallTimer {
  /** Call when bytes of the stream have arrived. */
  arrived: () => void
  /**
   * Whether a stall has lasted too long. False while paused or while there is something to play.
   */
  hasTimedOut: () => boolean
  /** Call when a stream that could not be loaded is loaded again: a stall begins anew. */
  restart: () => void
}

/** Measures how long playback has stalled, until `signal` aborts. */
export function createStallTimer(video: HTMLVideoElement, signal: AbortSignal): StallTimer {
  let progressedAt = performance.now()
  let arrivedAt = progressedAt
  const onProgress = () => {
    progressedAt = performance.now()
  }
  for (const event of ['play', 'timeupdate', 'seeking']) video.addEventListener(event, onProgress, { signal })
  return {
    arrived: () => {
      arrivedAt = performance.now()
    },
    restart: onProgress,
    hasTimedOut: () => {
      if (video.paused || !isStarved(video)) return false
      const now = performance.now()
      return now - progressedAt > longestStall || now - Math.max(progressedAt, arrivedAt) > longestSilence
    },
  }
}

/** Whether an element that is not at its end has nothing more to play. */
export const isStarved = ({ readyState, ended }: HTMLVideoElement) =>
  !ended && readyState < HTMLMediaElement.HAVE_FUTURE_DATA

/** Resets allowed within `resetPeriod` of the one before. */
const maxResets = 2
/** Milliseconds. */
const resetPeriod = 60_000

/**
 * Returns a function that gives the element a new source, which plays on where the former one was;
 * false after too many. hls.js resets by itself after some errors: the element is paused then,
 * without an event.
 */
export function createReset(
  hls: Hls,
  { MEDIA_ATTACHED }: typeof Hls.Events,
  video: HTMLVideoElement,
  signal: AbortSignal,
) {
  let wantsToPlay = !video.paused
  const onChange = ({ type }: Event) => {
    // An error pauses the element too.
    if (!hasFailed(video)) wantsToPlay = type === 'play'
  }
  for (const event of ['play', 'pause']) video.addEventListener(event, onChange, { signal })
  hls.on(MEDIA_ATTACHED, () => {
    if (wantsToPlay && video.paused) void video.play().catch(() => {})
  })
  let resets = 0
  let resetAt = 0
  return (): boolean => {
    if (performance.now() - resetAt > resetPeriod) resets = 0
    if (resets++ >= maxResets) return false
    resetAt = performance.now()
    hls.recoverMediaError()
    return true
  }
}

/** The failure of a network problem: offline, or a lost connection. */
export const networkFailure = () => (navigator.onLine ? 'NETWORK' : 'OFFLINE')

/** Milliseconds before each retry. The buffer keeps playing. */
const retryDelays = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000]

/** Whether a retry may succeed: no network, timeout, rate limit, or server error. */
const isTransient = (error: unknown) => {
  const status = problemOf(error)?.status
  return status !== undefined && (status === 0 || status === 429 || status >= 500)
}

/**
 * Retries until there is an answer or a refusal, at most as often as there are delays.
 * @throws the last error, or the reason of an aborted `signal`
 */
export async function retryUntilAnswered<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of retryDelays) {
    try {
      return await run()
    } catch (error) {
      if (!isTransient(error)) throw error
    }
    await delay(pause, signal)
    signal.throwIfAborted()
  }
  return run()
}

/** The failure after an answer that another try would not change. */
export const lastingFailure = (error: unknown): StreamFailure =>
  // Staff look at the store as a member.
  problemOf(error)?.code === 'READ_ONLY' ? 'READ_ONLY' : 'UNAVAILABLE'

export function renewalFailure(error: unknown): StreamFailure {
  if (!isTransient(error)) return lastingFailure(error)
  return networkFailure()
}

const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** A refusal that the viewer can resolve in the player. */
export type StreamRefusal =
  | ({ reason: 'STREAM_LIMIT' } & StreamLimit)
  | ({ reason: 'DEVICE_LIMIT' } & DeviceLimit)
  | { reason: Exclude<RightMissing['reason'], 'NONE'> | 'ENDED'; code: ProductCode }

/** The viewer's answer to a refusal: the play to end, or the device to sign out. */
export interface RefusalAnswer {
  takeOver?: StreamLimit['plays'][number]['id']
  signOut?: DeviceLimit['devices'][number]['sessionId']
}

export class StreamRefusedError extends Error {
  override readonly name = 'StreamRefusedError'
  readonly refusal: StreamRefusal
  constructor(refusal: StreamRefusal) {
    super(`The stream was refused: ${refusal.reason}`)
    this.refusal = refusal
  }
}

/** Returns the refusal behind an error, null for any other error. */
export function refusalOf(error: unknown, code: ProductCode): StreamRefusal | null {
  const problem = problemOf(error)
  if (problem?.code === 'STREAM_LIMIT') {
    const limit = streamLimit.safeParse(problem.data)
    return limit.success ? { reason: 'STREAM_LIMIT', ...limit.data } : null
  }
  if (problem?.code === 'DEVICE_LIMIT') {
    const limit = deviceLimit.safeParse(problem.data)
    return limit.success ? { reason: 'DEVICE_LIMIT', ...limit.data } : null
  }
  if (problem?.status === 401) return { reason: 'SIGN_IN', code }
  if (problem?.code !== 'NOT_ENTITLED') return null
  const missing = rightMissing.safeParse(problem.data)
  const reason = missing.success ? missing.data.reason : 'NONE'
  return { reason: reason === 'NONE' ? 'ENDED' : reason, code }
}
