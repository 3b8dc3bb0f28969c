import type { Playback } from '#contract/playback.ts'
import { loadEngine, playsNatively } from './load-engine'
import { createStallTimer, networkFailure } from './stream-errors'

/** Whether an element has given its stream up. Safari then pauses it by itself, which is not the person's pause. */
export const hasFailed = (video: HTMLVideoElement): boolean => video.error !== null

/** Milliseconds between two looks at whether anything comes. */
const stallCheckInterval = 5_000
/** An address must outlast the rest of the film by so much. */
const expiryMargin = 60_000

/** What Safari tells of a stream's sound tracks. */
interface NativeTracks extends EventTarget {
  readonly length: number
  [index: number]: { language: string; label: string; enabled: boolean }
}
type VideoWithSounds = HTMLVideoElement & { audioTracks?: NativeTracks }

/** Leaves the stream to the browser, which chooses the quality by itself. */
function openNative(video: VideoWithSounds, source: StreamSource, startSeconds: number, events: EngineEvents): Engine {
  /** Where a stream that is being opened is to begin: until it is known the element stands at zero. */
  let startAt: number | undefined
  let playedBefore = false
  /** Whether the person wants it to play, though the element stands still for want of a stream. */
  let goesOn = false
  let inUse = source
  const load = (fresh: StreamSource, seconds: number) => {
    inUse = fresh
    startAt = seconds
    video.src = fresh.manifestUrl
  }
  const onOpened = () => {
    playedBefore = true
    if (startAt) video.currentTime = startAt
    startAt = undefined
    onSounds()
  }
  const onPlay = () => {
    goesOn = true
  }
  const onPause = () => {
    if (!hasFailed(video)) goesOn = false
  }
  const onError = () => {
    const code = video.error?.code
    // The element does not tell a refused address from a broken one: a fresh one settles it. A stream that was open once is no
    // unknown format either, though some browsers call it so.
    if (code === MediaError.MEDIA_ERR_NETWORK || (playedBefore && code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED)) {
      // A stream that is opened anew shows nothing until it plays: what is paused keeps its picture, and is asked for when it goes on.
      if (goesOn || !playedBefore) events.onRefused()
    } else events.onFailure(code === MediaError.MEDIA_ERR_DECODE ? 'DECODE' : 'NETWORK')
  }
  const sounds = () => Array.from({ length: video.audioTracks?.length ?? 0 }, (_, index) => video.audioTracks![index]!)
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
  const patience = createStallTimer(video, end.signal)
  video.addEventListener('progress', patience.arrived, { signal: end.signal })
  const looks = setInterval(() => patience.isOver() && events.onFailure(networkFailure()), stallCheckInterval)
  load(source, startSeconds)
  return {
    setLevel: () => {},
    setSound: (wanted) => {
      for (const [index, sound] of sounds().entries()) sound.enabled = index === wanted
    },
    // The element stops by itself once it has buffered enough.
    rest: () => {},
    renew: (fresh) => {
      // Another address is a stream opened anew, which shows: the one in use stays for as long as it opens all that is left.
      if (!hasFailed(video) && inUse.playId === fresh.playId && outlasts(video, inUse.expiresAt)) return inUse.expiresAt
      load(fresh, startAt ?? video.currentTime)
      if (goesOn) void video.play().catch(() => {})
      return fresh.expiresAt
    },
    destroy: () => {
      clearInterval(looks)
      end.abort()
      for (const [event, listener] of listeners) video.removeEventListener(event, listener)
      video.audioTracks?.removeEventListener('change', onSounds)
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** Whether an address is good until the end, at the speed it plays. */
const outlasts = ({ duration, currentTime, playbackRate }: HTMLVideoElement, expiresAt: string | null) =>
  expiresAt === null ||
  Date.parse(expiresAt) - Date.now() > ((duration - currentTime) / Math.max(playbackRate, 0.1)) * 1000 + expiryMargin

export interface QualityLevel {
  index: number
  /** Lines of the picture: 1080, 720, … */
  height: number
}

/** A sound track of the stream. */
export interface SoundTrack {
  index: number
  /** BCP 47; empty where the stream states none. */
  language: string
  label: string
}

/** Why a stream does not play. */
export type StreamFailure = 'OFFLINE' | 'NETWORK' | 'GONE' | 'DECODE' | 'UNSUPPORTED' | 'PROTECTED'

export interface EngineEvents {
  onLevels: (levels: QualityLevel[]) => void
  /** The level that plays now; while quality is automatic it changes by itself. */
  onLevel: (index: number) => void
  onSounds: (sounds: SoundTrack[]) => void
  /** The sound track that plays now. */
  onSound: (index: number) => void
  /** The address is no longer good: hand a fresh one to `renew`. */
  onRefused: () => void
  onFailure: (failure: StreamFailure) => void
}

/** What moves a stream into a video element. */
export interface Engine {
  /** A level's index, or -1 for automatic. */
  setLevel: (index: number) => void
  setSound: (index: number) => void
  /** Goes on with a fresh address of the same stream, without a gap where that is possible. Answers when the one it uses ends. */
  renew: (fresh: StreamSource) => string | null
  /** Asks for nothing more until it is renewed. */
  rest: () => void
  destroy: () => void
}

export const automaticLevel = -1

/** A stream, and where the licences of an encrypted one are. */
export interface StreamSource {
  manifestUrl: string
  /** When the address stops being good; null when it does not. */
  expiresAt: string | null
  /** What the address ends with, whatever its time; null or absent where nobody counts. */
  playId?: string | null
  drm?: Playback['drm']
}

/** Opens a stream in `video`, starting at `startSeconds`. */
export async function openEngine(
  video: HTMLVideoElement,
  source: StreamSource,
  startSeconds: number,
  events: EngineEvents,
  signal: AbortSignal,
): Promise<Engine | undefined> {
  // Licences are fetched by the engine everywhere: the element alone would not know where.
  if (!source.drm && playsNatively(video)) return openNative(video, source, startSeconds, events)
  const [{ default: HlsEngine }, { openHls }] = await loadEngine()
  if (signal.aborted) return undefined
  if (!HlsEngine.isSupported()) {
    events.onFailure('UNSUPPORTED')
    return undefined
  }
  return openHls(HlsEngine, video, source, startSeconds, events)
}
