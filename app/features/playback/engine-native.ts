import type { Engine, EngineEvents, StreamSource } from './engine'
import { isBroken } from './is-broken'
import { createPatience, unreached } from './patience'

/** Milliseconds between two looks at whether anything comes. */
const lookEvery = 5_000
/** An address must outlast the rest of the film by so much. */
const toSpare = 60_000

/** What Safari tells of a stream's sound tracks. */
interface NativeTracks extends EventTarget {
  readonly length: number
  [index: number]: { language: string; label: string; enabled: boolean }
}
type VideoWithSounds = HTMLVideoElement & { audioTracks?: NativeTracks }

/** Leaves the stream to the browser, which chooses the quality by itself. */
export function openNative(
  video: VideoWithSounds,
  source: StreamSource,
  startSeconds: number,
  events: EngineEvents,
): Engine {
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
    if (!isBroken(video)) goesOn = false
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
  const patience = createPatience(video, end.signal)
  video.addEventListener('progress', patience.arrived, { signal: end.signal })
  const looks = setInterval(() => patience.isOver() && events.onFailure(unreached()), lookEvery)
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
      if (!isBroken(video) && inUse.playId === fresh.playId && outlasts(video, inUse.expiresAt)) return inUse.expiresAt
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
  Date.parse(expiresAt) - Date.now() > ((duration - currentTime) / Math.max(playbackRate, 0.1)) * 1000 + toSpare
