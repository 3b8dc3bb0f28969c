import { type Engine, type EngineEvents, hasFailed, type StreamSource } from './engine'
import { loadEngine, playsNatively } from './load-engine'
import { createStallTimer, networkFailure } from './stream-errors'

/** Milliseconds between two checks for a stall. */
const stallCheckInterval = 5_000
/** Milliseconds that a URL must stay valid after the end of the video. */
const expiryMargin = 60_000

/** Safari's audio tracks of a stream. */
interface NativeTracks extends EventTarget {
  readonly length: number
  [index: number]: { language: string; label: string; enabled: boolean }
}
type VideoWithSounds = HTMLVideoElement & { audioTracks?: NativeTracks }

/** Plays a stream with the browser's own HLS support, which chooses the quality. */
function openNative(video: VideoWithSounds, source: StreamSource, startSeconds: number, events: EngineEvents): Engine {
  /** Where to start once the metadata are known; until then the element is at zero. */
  let startAt: number | undefined
  let hasOpened = false
  /** Whether the viewer wants it to play, even while the element has no stream. */
  let wantsToPlay = false
  let current = source
  const load = (fresh: StreamSource, seconds: number) => {
    current = fresh
    startAt = seconds
    video.src = fresh.manifestUrl
  }
  const onOpened = () => {
    hasOpened = true
    if (startAt) video.currentTime = startAt
    startAt = undefined
    onSounds()
  }
  const onPlay = () => {
    wantsToPlay = true
  }
  const onPause = () => {
    if (!hasFailed(video)) wantsToPlay = false
  }
  const onError = () => {
    const code = video.error?.code
    // The element does not distinguish a refused URL from a broken one, so the URL is renewed. A
    // stream that has played is not an unknown format, though some browsers report it so.
    if (code === MediaError.MEDIA_ERR_NETWORK || (hasOpened && code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED)) {
      // A reopened stream shows nothing until it plays, so a paused one keeps its picture and is
      // renewed when it resumes.
      if (wantsToPlay || !hasOpened) events.onRefused()
    } else events.onFailure(code === MediaError.MEDIA_ERR_DECODE ? 'DECODE' : 'NETWORK')
  }
  const sounds = () => Array.from<NativeTracks[number]>(video.audioTracks ?? [])
  const onSounds = () => {
    events.onSounds(sounds().map(({ language, label }, index) => ({ index, language, label })))
    events.onSound(sounds().findIndex(({ enabled }) => enabled))
  }
  const listeners = [
    ['error', onError],
    ['loadedmetadata', onOpened],
    ['play', onPlay],
    ['pause', onPause],
  ] as const
  for (const [event, listener] of listeners) video.addEventListener(event, listener)
  video.audioTracks?.addEventListener('change', onSounds)
  const end = new AbortController()
  const stallTimer = createStallTimer(video, end.signal)
  video.addEventListener('progress', stallTimer.arrived, { signal: end.signal })
  const stallCheck = setInterval(
    () => stallTimer.hasTimedOut() && events.onFailure(networkFailure()),
    stallCheckInterval,
  )
  load(source, startSeconds)
  return {
    setLevel: () => {},
    setSound: (soundId) => {
      for (const [index, sound] of sounds().entries()) sound.enabled = index === soundId
    },
    // The element stops loading by itself.
    stopLoading: () => {},
    renew: (fresh) => {
      // Another URL reopens the stream visibly, so the current one stays while it covers the rest.
      if (!hasFailed(video) && current.playId === fresh.playId && isValidToEnd(video, current.expiresAt))
        return current.expiresAt
      load(fresh, startAt ?? video.currentTime)
      if (wantsToPlay) void video.play().catch(() => {})
      return fresh.expiresAt
    },
    destroy: () => {
      clearInterval(stallCheck)
      end.abort()
      for (const [event, listener] of listeners) video.removeEventListener(event, listener)
      video.audioTracks?.removeEventListener('change', onSounds)
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** Whether a URL is valid until the end at the current speed. */
const isValidToEnd = ({ duration, currentTime, playbackRate }: HTMLVideoElement, expiresAt: string | null) =>
  expiresAt === null ||
  Date.parse(expiresAt) - Date.now() > ((duration - currentTime) / Math.max(playbackRate, 0.1)) * 1000 + expiryMargin

/**
 * Opens a stream in `video` at `startSeconds`.
 * @returns undefined after an abort, or where the browser cannot play it
 */
export async function openEngine(
  video: HTMLVideoElement,
  source: StreamSource,
  startSeconds: number,
  events: EngineEvents,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  // hls.js fetches the licences of encrypted streams in every browser.
  if (!source.drm && playsNatively(video)) return openNative(video, source, startSeconds, events)
  const [{ default: HlsEngine }, { openHls }] = await loadEngine()
  if (signal.aborted) return undefined
  if (!HlsEngine.isSupported()) {
    events.onFailure('UNSUPPORTED')
    return undefined
  }
  return openHls(HlsEngine, video, source, startSeconds, events)
}
