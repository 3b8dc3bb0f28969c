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
import type { StreamFailure } from './engine'

/** Milliseconds a picture may stand while not a byte arrives. */
const longestSilence = 30_000
/** The same while bytes arrive, but never enough of them. */
const longestStall = 120_000

export interface StallTimer {
  /** Something of the stream has arrived. */
  arrived: () => void
  /** Whether somebody has looked at a picture that stands for too long. Nobody waits while it is paused, or while something is left to play. */
  isOver: () => boolean
}

/** How long a stream is hoped for that does not come, until `signal` ends it. */
export function createStallTimer(video: HTMLVideoElement, signal: AbortSignal): StallTimer {
  let movedAt = performance.now()
  let arrivedAt = movedAt
  const onMove = () => {
    movedAt = performance.now()
  }
  for (const event of ['play', 'timeupdate', 'seeking']) video.addEventListener(event, onMove, { signal })
  return {
    arrived: () => {
      arrivedAt = performance.now()
    },
    isOver: () => {
      if (video.paused || video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA) return false
      const now = performance.now()
      return now - movedAt > longestStall || now - Math.max(movedAt, arrivedAt) > longestSilence
    },
  }
}

/** Why nothing comes, as far as the browser knows. */
export const networkFailure = () => (navigator.onLine ? 'NETWORK' : 'OFFLINE')

/** Milliseconds before each new try. What is buffered plays on meanwhile. */
const retryDelays = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000]

/** Whether a later try may be answered: no network, no answer in time, too many calls, or a server in trouble. */
const isTransient = (error: unknown) => {
  const status = problemOf(error)?.status
  return status !== undefined && (status === 0 || status === 429 || status >= 500)
}

/** Asks until it is answered or refused, or the tries are used up; gives up at once when `signal` says so. */
export async function retryUntilAnswered<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of retryDelays) {
    try {
      return await ask()
    } catch (error) {
      if (!isTransient(error)) throw error
    }
    await delay(pause, signal)
    signal.throwIfAborted()
  }
  return ask()
}

/** Why no fresh address came. */
export function renewalFailure(error: unknown): StreamFailure | 'NOT_GIVEN' {
  if (!isTransient(error)) return 'NOT_GIVEN'
  return networkFailure()
}

const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Why a stream is not given to a person who is at the player, where they can do something about it. */
export type StreamRefusal =
  | ({ reason: 'STREAM_LIMIT' } & StreamLimit)
  | ({ reason: 'DEVICE_LIMIT' } & DeviceLimit)
  | { reason: Exclude<RightMissing['reason'], 'NONE'> | 'ENDED'; code: ProductCode }

/** What the person chose in answer to a refusal: which play makes room, or which device is signed out. */
export interface RefusalAnswer {
  takeOver?: StreamLimit['plays'][number]['id']
  signOut?: DeviceLimit['devices'][number]['sessionId']
}

export class StreamRefusedError extends Error {
  override readonly name = 'StreamRefused'
  readonly refusal: StreamRefusal
  constructor(refusal: StreamRefusal) {
    super(`The stream is not given: ${refusal.reason}`)
    this.refusal = refusal
  }
}

/** The refusal behind a failed call. */
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
