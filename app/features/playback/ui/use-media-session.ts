import { useEffect, useRef } from 'react'
import type { Picture } from '#contract/picture.ts'
import { siteName } from '~/platform/document/head'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { joinMediaSession } from '../media-session'
import type { PlayerControls } from './use-player'

interface About {
  title: string
  poster: Picture
  next: (() => void) | undefined
}

/** What plays stands on the lock screen; its arrows go through the chapters, and past the last one to what comes next. */
export function useMediaSession(player: PlayerControls, { title, poster, next }: About) {
  const store = siteName(useSiteSettings())
  const { media, video, stream } = player
  const latest = useRef({ player, next })
  latest.current = { player, next }
  const hasChapters = (stream?.chapters.length ?? 0) > 1
  const hasNext = hasChapters || next !== undefined
  useEffect(() => {
    if (!media.begun || !video) return
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
  }, [media.begun, title, store, poster, video, hasChapters, hasNext])
}
