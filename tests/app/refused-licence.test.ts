import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlayId } from '#contract/ids.ts'
import { openHls } from '~/features/playback/player/engine-hls'

/** A stub of hls.js, which reports events and records calls of startLoad. */
class SilentHls {
  static Events = { ERROR: 'error', KEY_LOADED: 'key' }
  static ErrorTypes = { KEY_SYSTEM_ERROR: 'key', NETWORK_ERROR: 'network', MEDIA_ERROR: 'media' }
  static DefaultConfig = { loader: class {} }
  static latest: SilentHls
  config = {}
  levels = [{}]
  startLoad = vi.fn()
  listeners: [string, (name: string, data: object) => void][] = []
  constructor() {
    SilentHls.latest = this
  }
  on(name: string, listener: (name: string, data: object) => void) {
    this.listeners.push([name, listener])
  }
  report(name: string, data: object) {
    for (const [of, listener] of this.listeners) if (of === name) listener(name, data)
  }
  attachMedia() {}
  loadSource() {}
  stopLoad() {}
  destroy() {}
}

/** A video element that plays, but has no data. */
const waitingVideo = () =>
  Object.assign(new EventTarget(), { paused: false, ended: false, readyState: 1, currentTime: 0 }) as HTMLVideoElement

const source = (manifestUrl: string) => ({
  manifestUrl,
  playId: 'play' as PlayId,
  expiresAt: null,
  drm: { 'org.w3.clearkey': { licenceUrl: `${manifestUrl}/licence`, certificateUrl: null } },
})

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('HTMLMediaElement', { HAVE_FUTURE_DATA: 3 })
  vi.stubGlobal('location', new URL('https://store.example/'))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Opens a stream whose licence is refused, and renews its URL. */
const openRefused = () => {
  const events = { onRefused: vi.fn(), onFailure: vi.fn() }
  // @ts-expect-error Only what this test needs of hls.js and of the events.
  const engine = openHls(SilentHls, waitingVideo(), source('https://store.example/m/1/master.m3u8'), 0, events)
  const hls = SilentHls.latest
  hls.report(SilentHls.Events.ERROR, { type: 'key', fatal: true, response: { code: 403 } })
  expect(events.onRefused).toHaveBeenCalledOnce()
  engine.renew(source('https://store.example/m/2/master.m3u8'))
  expect(hls.startLoad).toHaveBeenCalledOnce()
  return { hls, events, engine }
}

test('a stream whose licence is refused and not requested again says that it cannot be opened', () => {
  const { events, engine } = openRefused()
  vi.advanceTimersByTime(5_000)
  expect(events.onFailure).not.toHaveBeenCalled()
  vi.advanceTimersByTime(3_000)
  expect(events.onFailure.mock.calls[0]).toEqual(['UNAVAILABLE'])
  engine.destroy()
})

test('a stream whose licence was granted after a renewal loads again when it stalls', () => {
  const { hls, events, engine } = openRefused()
  hls.report(SilentHls.Events.KEY_LOADED, {})
  vi.advanceTimersByTime(8_000)
  expect(hls.startLoad).toHaveBeenCalledTimes(2)
  expect(events.onFailure).not.toHaveBeenCalled()
  engine.destroy()
})
