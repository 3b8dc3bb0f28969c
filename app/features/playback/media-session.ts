import type { Picture } from '#contract/picture.ts'

interface Controls {
  play: () => void
  pause: () => void
  seekBy: (seconds: number) => void
  next: (() => void) | undefined
}

/** Lets the keyboard's media keys, the lock screen and headphones steer the player. Answers how to let go. */
export function joinMediaSession(about: { title: string; store: string; poster: Picture }, controls: Controls) {
  const session = navigator.mediaSession
  if (!session) return () => {}
  session.metadata = new MediaMetadata({
    title: about.title,
    artist: about.store,
    artwork: [
      { src: new URL(about.poster.url, location.href).href, sizes: `${about.poster.width}x${about.poster.height}` },
    ],
  })
  const handlers: [MediaSessionAction, MediaSessionActionHandler | null][] = [
    ['play', controls.play],
    ['pause', controls.pause],
    ['seekbackward', ({ seekOffset }) => controls.seekBy(-(seekOffset ?? 10))],
    ['seekforward', ({ seekOffset }) => controls.seekBy(seekOffset ?? 10)],
    ['nexttrack', controls.next ?? null],
  ]
  for (const [action, handler] of handlers) session.setActionHandler(action, handler)
  return () => {
    session.metadata = null
    for (const [action] of handlers) session.setActionHandler(action, null)
  }
}
