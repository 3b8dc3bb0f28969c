import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createThrottle, followChanges } from './change-stream.ts'

const url = 'https://store.example/api/v1/admin/changes'

/** Answers each request with a stream that the test writes. */
const serve = () => {
  const streams: { send: (text: string) => void; end: () => void }[] = []
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        signal.addEventListener('abort', () => controller.error(signal.reason))
        streams.push({
          send: (text) => controller.enqueue(new TextEncoder().encode(text)),
          end: () => controller.close(),
        })
      },
    })
    return Promise.resolve(new Response(body))
  })
  return streams
}

const later = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const follow = () => {
  const stop = new AbortController()
  const events: string[] = []
  void followChanges(url, stop.signal, {
    onEvent: ({ name, data }) => events.push(`${name} ${data}`.trim()),
    onLost: () => events.push('LOST'),
  })
  return { events, stop }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a stream of changes', () => {
  test('that is silent for a minute is given up, and opened again', async () => {
    const streams = serve()
    const { events, stop } = follow()
    await later(0)
    streams[0]?.send('event: ready\ndata:\n\n')
    for (let seconds = 0; seconds < 200; seconds += 20) {
      streams[0]?.send(':\n\n')
      await later(20_000)
    }
    expect([events, streams.length]).toEqual([['ready'], 1])
    await later(41_000)
    expect(events).toEqual(['ready', 'LOST'])
    await later(2_000)
    expect(streams).toHaveLength(2)
    stop.abort()
  })

  test('that ends as planned is opened again at once', async () => {
    const streams = serve()
    const { events, stop } = follow()
    await later(0)
    streams[0]?.send('event: ready\ndata:\n\nevent: change\ndata: home\n\n')
    await later(15_000)
    streams[0]?.end()
    await later(0)
    expect([events, streams.length]).toEqual([['ready', 'change home'], 2])
    stop.abort()
    await later(100_000)
    expect([events, streams.length]).toEqual([['ready', 'change home'], 2])
  })

  test('that says that changes are lost is opened again after a minute', async () => {
    const streams = serve()
    const { events, stop } = follow()
    await later(0)
    streams[0]?.send('event: ready\ndata:\n\n')
    await later(15_000)
    streams[0]?.send('event: lost\ndata:\n\n')
    streams[0]?.end()
    await later(59_000)
    expect([events[1], streams.length]).toEqual(['LOST', 1])
    await later(2_000)
    expect(streams).toHaveLength(2)
    stop.abort()
  })
})

test('a throttle runs at once, and what comes meanwhile once at the end', async () => {
  const runs: string[] = []
  const { call, stop } = createThrottle(
    (name: string) => runs.push(name),
    (name) => (name === 'home' ? 5_000 : 1_000),
  )
  for (let time = 0; time < 20; time++) {
    call('home')
    call('mails')
    await later(200)
  }
  expect(runs.filter((name) => name === 'home')).toHaveLength(1)
  expect(runs.filter((name) => name === 'mails')).toHaveLength(5)
  await later(10_000)
  expect(runs.filter((name) => name === 'home')).toHaveLength(2)
  expect(runs.filter((name) => name === 'mails')).toHaveLength(5)
  call('home')
  call('home')
  stop()
  await later(10_000)
  expect(runs.filter((name) => name === 'home')).toHaveLength(3)
})
