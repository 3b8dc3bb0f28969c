import type { LessonId, ProductId } from '#contract/ids.ts'
import { saveProgress } from './playback.functions'

interface Watched {
  id: ProductId
  lessonId: LessonId | null
}

const reportEvery = 10_000
/** A clock that stood still (sleep, a frozen tab) must not count as watching. */
const longestTick = 2

/**
 * Tells the server where a video stands: every ten seconds of playing, and whenever it stops, is hidden or is left.
 *
 * @returns how to stop: the last position is sent then, and kept when the promise is fulfilled.
 */
export function reportProgress(video: HTMLVideoElement, { id, lessonId }: Watched): () => Promise<void> {
  let played = 0
  let tickedAt: number | undefined
  // Kept apart from the element, which is back at zero once its stream is taken away.
  let position = 0
  let sentPosition = -1

  const tick = () => {
    const now = performance.now() / 1000
    if (tickedAt !== undefined) played += Math.min(now - tickedAt, longestTick)
    tickedAt = video.paused || video.seeking ? undefined : now
    if (video.readyState >= HTMLMediaElement.HAVE_METADATA) position = video.currentTime
  }

  const send = async () => {
    tick()
    const positionSeconds = Math.round(position * 10) / 10
    if (played < 0.1 && positionSeconds === sentPosition) return
    const playedSeconds = Math.min(Math.round(played * 10) / 10, 3600)
    const at = new Date().toISOString()
    played = 0
    sentPosition = positionSeconds
    // A position that is lost now is told again with the next one; there is nothing to show the person.
    await saveProgress({
      data: { id, ...(lessonId && { lessonId }), positionSeconds, playedSeconds, at },
      fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
    }).catch(() => {})
  }

  const sendIfHidden = () => {
    if (document.visibilityState === 'hidden') void send()
  }
  const timer = setInterval(() => !video.paused && void send(), reportEvery)
  video.addEventListener('timeupdate', tick)
  video.addEventListener('playing', tick)
  video.addEventListener('pause', send)
  video.addEventListener('ended', send)
  document.addEventListener('visibilitychange', sendIfHidden)
  window.addEventListener('pagehide', send)

  return async () => {
    clearInterval(timer)
    video.removeEventListener('timeupdate', tick)
    video.removeEventListener('playing', tick)
    video.removeEventListener('pause', send)
    video.removeEventListener('ended', send)
    document.removeEventListener('visibilitychange', sendIfHidden)
    window.removeEventListener('pagehide', send)
    if (position > 0) await send()
  }
}
