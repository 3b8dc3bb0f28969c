import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '~/platform/api/problem'
import { renewalFailure, retryUntilAnswered } from './stream-errors'

const failed = (status: number) => new ApiError({ status, code: 'X', message: '', errors: {}, requestId: '' })

/** A renewal that fails with these statuses in turn, and then returns an address. */
const failingRenewal = (...statuses: number[]) => {
  const remaining = [...statuses]
  return vi.fn(async () => {
    const status = remaining.shift()
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
  const renew = failingRenewal(0, 504, 503, 429, 502, 0)
  const answer = retryUntilAnswered(renew, stays)
  await vi.advanceTimersByTimeAsync(30_900)
  expect(renew).toHaveBeenCalledTimes(6)
  await vi.advanceTimersByTimeAsync(100)
  await expect(answer).resolves.toBe('address')
})

test('the last failure of a renewal is reported as a network failure', async () => {
  const reason = retryUntilAnswered(failingRenewal(0, 0, 0, 0, 0, 0, 503), stays).catch((error) => error)
  await vi.advanceTimersByTimeAsync(31_000)
  expect(await reason).toMatchObject({ problem: { status: 503 } })
  vi.stubGlobal('navigator', { onLine: true })
  expect(renewalFailure(await reason)).toBe('NETWORK')
  vi.stubGlobal('navigator', { onLine: false })
  expect(renewalFailure(await reason)).toBe('OFFLINE')
})

test.each([400, 401, 403, 404, 409, 410])('a refusal with %i is not retried', async (status) => {
  const renew = failingRenewal(status)
  const reason = await retryUntilAnswered(renew, stays).catch((error) => error)
  expect(renew).toHaveBeenCalledOnce()
  expect(renewalFailure(reason)).toBe('UNAVAILABLE')
})

test('staff who look at the store as a member are told that videos do not play', () => {
  const readOnly = new ApiError({ status: 403, code: 'READ_ONLY', message: '', errors: {}, requestId: '' })
  expect(renewalFailure(readOnly)).toBe('READ_ONLY')
})

test('an aborted renewal is not retried', async () => {
  const gone = new AbortController()
  const renew = failingRenewal(0, 0)
  const reason = retryUntilAnswered(renew, gone.signal).catch((error) => error)
  await vi.advanceTimersByTimeAsync(500)
  gone.abort()
  expect(await reason).toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renew).toHaveBeenCalledOnce()
})
