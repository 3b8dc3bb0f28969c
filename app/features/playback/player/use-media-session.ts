import { useEffect, useRef } from 'react'
import type { Picture } from '#contract/picture.ts'
import { siteName } from '~/platform/document/head'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import type { PlayerControls } from './use-player'

interface Controls {
  play: () => void
  pause: () => void
  seekBy: (seconds: number) => void
  seekTo: (seconds: number) => void
  /** Goes to the next chapter, after the last one to the next video. */
  previous: (() => void) | undefined
  next: (() => void) | undefined
}

/** Connects the player to the Media Session API. Returns a cleanup function. */
function joinMediaSession(
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

  const updatePosition = () => {
    const { duration, currentTime, playbackRate } = video
    if (!Number.isFinite(duration) || duration <= 0) return
    session.setPositionState({ duration, playbackRate, position: Math.min(currentTime, duration) })
  }
  const events = ['loadedmetadata', 'durationchange', 'seeked', 'ratechange', 'play', 'pause'] as const
  updatePosition()
  for (const event of events) video.addEventListener(event, updatePosition)
  return () => {
    for (const event of events) video.removeEventListener(event, updatePosition)
    session.metadata = null
    for (const [action] of handlers) session.setActionHandler(action, null)
  }
}

interface About {
  title: string
  poster: Picture
  next: (() => void) | undefined
}

/** Media Session: metadata, and previous and next by chapter, after the last one the next video. */
export function useMediaSession(player: PlayerControls, { title, poster, next }: About) {
  const store = siteName(useSiteSettings())
  const { media, video, stream } = player
  const latest = useRef({ player, next })
  latest.current = { player, next }
  const hasChapters = (stream?.chapters.length ?? 0) > 1
  const hasNext = hasChapters || next !== undefined
  useEffect(() => {
    if (!media.started || !video) return
    return joinMediaSession(
      video,
      { title, store, poster },
      {
        play: () => latest.current.player.play(),
        pause: () => video.pause(),
        seekBy: (seconds) => latest.current.player.seekBy(seconds),
        seekTo: (seconds) => latest.current.player.seek(seconds),
        previous: hasChapters ? () => void latest.current.player.stepChapter(-1) : undefined,
        next: hasNext ? () => latest.current.player.stepChapter(1) || latest.current.next?.() : undefined,
      },
    )
  }, [media.started, title, store, poster, video, hasChapters, hasNext])
}
