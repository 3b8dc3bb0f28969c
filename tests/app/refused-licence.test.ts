import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlayId } from '#contract/ids.ts'
import { openHls } from '~/features/playback/player/engine-hls'

/** What of hls.js a stream needs that is never played: its errors, and when it loads. */
class SilentHls {
  static Events = { ERROR: 'error', MANIFEST_PARSED: 'parsed' }
  static ErrorTypes = { KEY_SYSTEM_ERROR: 'key', NETWORK_ERROR: 'network', MEDIA_ERROR: 'media' }
  static DefaultConfig = { loader: class {} }
  static latest: SilentHls
  config = {}
  levels = [{}]
  startLoad = vi.fn()
  listeners = new Map<string, (name: string, data: object) => void>()
  constructor() {
    SilentHls.latest = this
  }
  on(name: string, listener: (name: string, data: object) => void) {
    this.listeners.set(name, listener)
  }
  report(data: object) {
    this.listeners.get(SilentHls.Events.ERROR)?.(SilentHls.Events.ERROR, data)
  }
  attachMedia() {}
  loadSource() {}
  stopLoad() {}
  destroy() {}
}

/** An element that waits for its key: it wants to play and shows nothing. */
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

test('a stream whose licence is refused and not requested again says that it cannot be opened', () => {
  const events = { onRefused: vi.fn(), onFailure: vi.fn() }
  // @ts-expect-error Only what this test needs of hls.js and of the events.
  const engine = openHls(SilentHls, waitingVideo(), source('https://store.example/m/1/master.m3u8'), 0, events)
  const refusal = { type: 'key', fatal: true, response: { code: 403 } }
  SilentHls.latest.report(refusal)
  expect(events.onRefused).toHaveBeenCalledOnce()
  // The store grants a new URL, and nothing is requested from then on.
  engine.renew(source('https://store.example/m/2/master.m3u8'))
  expect(SilentHls.latest.startLoad).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(5_000)
  expect(events.onFailure).not.toHaveBeenCalled()
  vi.advanceTimersByTime(3_000)
  expect(events.onFailure.mock.calls[0]).toEqual(['UNAVAILABLE'])
  engine.destroy()
})
