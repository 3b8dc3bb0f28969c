import { afterEach, expect, test, vi } from 'vitest'
import { runProgram } from '#api/modules/media/package/encoding-plan.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a program that does not get on any more is ended, and one that does is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { signal } = new AbortController()
  const heard = vi.fn()
  const run = runProgram(process.execPath, ['-e', 'console.log("on"); setInterval(() => {}, 1000)'], {
    signal,
    onOutput: () => heard(),
  }).catch((error: unknown) => error)
  vi.advanceTimersByTime(599_000)
  await vi.waitUntil(() => heard.mock.calls.length > 0, { timeout: 10_000 })
  vi.advanceTimersByTime(599_000)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2_000)
  expect(await run).toMatchObject({ name: 'EncoderFailed', message: expect.stringContaining('did not get on') })
})
