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

/** Why a stream is not given to a person who is at the player, where they can do something about it. */
export type Refusal =
  | ({ reason: 'STREAM_LIMIT' } & StreamLimit)
  | ({ reason: 'DEVICE_LIMIT' } & DeviceLimit)
  | { reason: Exclude<RightMissing['reason'], 'NONE'> | 'ENDED'; code: ProductCode }

/** What the person chose in answer to a refusal: which play makes room, or which device is signed out. */
export interface RefusalAnswer {
  takeOver?: StreamLimit['plays'][number]['id']
  signOut?: DeviceLimit['devices'][number]['sessionId']
}

export class StreamRefused extends Error {
  override readonly name = 'StreamRefused'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(`The stream is not given: ${refusal.reason}`)
    this.refusal = refusal
  }
}

/** The refusal behind a failed call. */
export function refusalOf(error: unknown, code: ProductCode): Refusal | null {
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
