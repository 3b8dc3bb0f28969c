import { afterEach, expect, test, vi } from 'vitest'
import { runProgram } from '#api/modules/media/package/programs.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a program without progress is ended, and one with progress is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { signal } = new AbortController()
  const onProgress = vi.fn()
  const run = runProgram(process.execPath, ['-e', 'console.log("on"); setInterval(() => {}, 1000)'], {
    signal,
    onOutput: () => onProgress(),
  }).catch((error: unknown) => error)
  vi.advanceTimersByTime(599_000)
  await vi.waitUntil(() => onProgress.mock.calls.length > 0, { timeout: 10_000 })
  vi.advanceTimersByTime(599_000)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2_000)
  expect(await run).toMatchObject({ name: 'EncoderFailed', message: expect.stringContaining('made no progress') })
})
