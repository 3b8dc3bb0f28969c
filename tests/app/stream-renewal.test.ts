import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renewalFailure, retryUntilAnswered } from '~/features/playback/player/stream-errors'
import { ApiError } from '~/platform/api/problem'

const failed = (status: number) => new ApiError({ status, code: 'X', message: '', errors: {}, requestId: '' })

/** Fails with these statuses, one after the other, and then gives an address. */
const askOf = (...statuses: number[]) => {
  const left = [...statuses]
  return vi.fn(async () => {
    const status = left.shift()
    if (status !== undefined) throw failed(status)
    return 'address'
  })
}
const stays = new AbortController().signal

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a renewal is retried for half a minute while the network or the server fails', async () => {
  const ask = askOf(0, 504, 503, 429, 502, 0)
  const answer = retryUntilAnswered(ask, stays)
  await vi.advanceTimersByTimeAsync(30_900)
  expect(ask).toHaveBeenCalledTimes(6)
  await vi.advanceTimersByTimeAsync(100)
  await expect(answer).resolves.toBe('address')
})

test('the last failure of a renewal is reported as a network failure', async () => {
  const reason = retryUntilAnswered(askOf(0, 0, 0, 0, 0, 0, 503), stays).catch((error) => error)
  await vi.advanceTimersByTimeAsync(31_000)
  expect(await reason).toMatchObject({ problem: { status: 503 } })
  vi.stubGlobal('navigator', { onLine: true })
  expect(renewalFailure(await reason)).toBe('NETWORK')
  vi.stubGlobal('navigator', { onLine: false })
  expect(renewalFailure(await reason)).toBe('OFFLINE')
})

test.each([400, 401, 403, 404, 409, 410])('a refusal with %i is not retried', async (status) => {
  const ask = askOf(status)
  const reason = await retryUntilAnswered(ask, stays).catch((error) => error)
  expect(ask).toHaveBeenCalledOnce()
  expect(renewalFailure(reason)).toBe('UNAVAILABLE')
})

test('an aborted renewal is not retried', async () => {
  const gone = new AbortController()
  const ask = askOf(0, 0)
  const reason = retryUntilAnswered(ask, gone.signal).catch((error) => error)
  await vi.advanceTimersByTimeAsync(500)
  gone.abort()
  expect(await reason).toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ask).toHaveBeenCalledOnce()
})
