import { problemOf } from '~/platform/api/problem'
import type { StreamFailure } from './engine'
import { unreached } from './patience'

/** Milliseconds before each new try. What is buffered plays on meanwhile. */
const pauses = [1_000, 2_000, 4_000, 8_000, 8_000, 8_000]

/** Whether a later try may be answered: no network, no answer in time, too many calls, or a server in trouble. */
const mayPass = (error: unknown) => {
  const status = problemOf(error)?.status
  return status !== undefined && (status === 0 || status === 429 || status >= 500)
}

/** Asks until it is answered or refused, or the tries are used up; gives up at once when `signal` says so. */
export async function askUntilAnswered<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const pause of pauses) {
    try {
      return await ask()
    } catch (error) {
      if (!mayPass(error)) throw error
    }
    await waited(pause, signal)
    signal.throwIfAborted()
  }
  return ask()
}

/** Why no fresh address came. */
export function renewalFailure(error: unknown): StreamFailure | 'NOT_GIVEN' {
  if (!mayPass(error)) return 'NOT_GIVEN'
  return unreached()
}

const waited = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
