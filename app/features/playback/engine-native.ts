import type { Engine, EngineEvents } from './engine'

/** What Safari tells of a stream's sound tracks. */
interface NativeTracks extends EventTarget {
  readonly length: number
  [index: number]: { language: string; label: string; enabled: boolean }
}
type VideoWithSounds = HTMLVideoElement & { audioTracks?: NativeTracks }

/** Leaves the stream to the browser, which chooses the quality by itself. */
export function openNative(
  video: VideoWithSounds,
  manifestUrl: string,
  startSeconds: number,
  events: EngineEvents,
): Engine {
  const startAt = (seconds: number) => {
    const seek = () => {
      video.currentTime = seconds
    }
    video.addEventListener('loadedmetadata', seek, { once: true })
  }
  const onError = () => {
    // The element does not tell a refused address from a broken one: a fresh one settles it.
    if (video.error?.code === MediaError.MEDIA_ERR_NETWORK) events.onRefused()
    else events.onFailure(video.error?.code === MediaError.MEDIA_ERR_DECODE ? 'DECODE' : 'NETWORK')
  }
  const sounds = () => Array.from({ length: video.audioTracks?.length ?? 0 }, (_, index) => video.audioTracks![index]!)
  const onSounds = () => {
    events.onSounds(sounds().map(({ language, label }, index) => ({ index, language, label })))
    events.onSound(sounds().findIndex(({ enabled }) => enabled))
  }
  startAt(startSeconds)
  video.src = manifestUrl
  video.addEventListener('error', onError)
  video.addEventListener('loadedmetadata', onSounds)
  video.audioTracks?.addEventListener('change', onSounds)
  return {
    setLevel: () => {},
    setSound: (wanted) => {
      for (const [index, sound] of sounds().entries()) sound.enabled = index === wanted
    },
    // The element stops by itself once it has buffered enough.
    rest: () => {},
    renew: (fresh) => {
      const wasPlaying = !video.paused
      startAt(video.currentTime)
      video.src = fresh
      if (wasPlaying) void video.play().catch(() => {})
    },
    destroy: () => {
      video.removeEventListener('error', onError)
      video.removeEventListener('loadedmetadata', onSounds)
      video.audioTracks?.removeEventListener('change', onSounds)
      video.removeAttribute('src')
      video.load()
    },
  }
}
