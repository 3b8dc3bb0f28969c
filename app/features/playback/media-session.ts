import type { Picture } from '#contract/picture.ts'

interface Controls {
  play: () => void
  pause: () => void
  seekBy: (seconds: number) => void
  seekTo: (seconds: number) => void
  /** Chapters, and after the last of them what comes next. */
  previous: (() => void) | undefined
  next: (() => void) | undefined
}

/** Lets the keyboard's media keys, the lock screen and headphones steer the player. Answers how to let go. */
export function joinMediaSession(
  video: HTMLVideoElement,
  about: { title: string; store: string; poster: Picture },
  controls: Controls,
) {
  const session = navigator.mediaSession
  if (!session) return () => {}
  const { title, store, poster } = about
  session.metadata = new MediaMetadata({
    title,
    artist: store,
    artwork: poster.url
      ? [{ src: new URL(poster.url, location.href).href, sizes: `${poster.width}x${poster.height}` }]
      : [],
  })
  const handlers: [MediaSessionAction, MediaSessionActionHandler | null][] = [
    ['play', controls.play],
    ['pause', controls.pause],
    ['seekbackward', ({ seekOffset }) => controls.seekBy(-(seekOffset ?? 10))],
    ['seekforward', ({ seekOffset }) => controls.seekBy(seekOffset ?? 10)],
    ['seekto', ({ seekTime }) => seekTime != null && controls.seekTo(seekTime)],
    ['previoustrack', controls.previous ?? null],
    ['nexttrack', controls.next ?? null],
  ]
  for (const [action, handler] of handlers) session.setActionHandler(action, handler)

  const tellPosition = () => {
    const { duration, currentTime, playbackRate } = video
    if (!Number.isFinite(duration) || duration <= 0) return
    session.setPositionState({ duration, playbackRate, position: Math.min(currentTime, duration) })
  }
  const events = ['loadedmetadata', 'durationchange', 'seeked', 'ratechange', 'play', 'pause'] as const
  tellPosition()
  for (const event of events) video.addEventListener(event, tellPosition)
  return () => {
    for (const event of events) video.removeEventListener(event, tellPosition)
    session.metadata = null
    for (const [action] of handlers) session.setActionHandler(action, null)
  }
}
