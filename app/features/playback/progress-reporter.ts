import type { LessonId, PlayId, ProductId } from '#contract/ids.ts'
import { keepaliveFetch } from '~/platform/api/call'
import { saveProgress } from './playback.functions'
import { hasFailed } from './player/engine'

interface Watched {
  id: ProductId
  lessonId: LessonId | null
  /** When the position that this player continues from was saved; null without one. */
  positionAt: string | null
  /**
   * Another device has saved `seconds` since. `accept` makes this player's position current again.
   */
  onElsewhere: (elsewhere: { seconds: number; accept: () => void }) => void
  /** The current play; null if plays are not limited. */
  playOf: () => PlayId | null
  /** It plays, but another device has taken its place. */
  onPlayOver: () => void
  /** The play is being released; `released` resolves when the server has answered. */
  onLeaving: (released: Promise<void>) => void
}

const reportInterval = 10_000
/** Seconds. A clock that stopped (sleep, a frozen tab) must not count as watching. */
const longestTick = 2
/** Milliseconds of pause after which another device may have continued. */
const resumeCheckAfter = 4_000
/** Seconds within which two positions count as equal. */
const samePositionWithin = 8

/**
 * Saves the position on the server: every ten seconds of playback, and when the video stops, is
 * hidden or is left. On resume it first checks whether another device has continued.
 * @returns the function that stops it: its promise resolves when the last position is saved
 */
export function reportProgress(video: HTMLVideoElement, watched: Watched): () => Promise<void> {
  const { id, lessonId, onElsewhere, playOf, onPlayOver, onLeaving } = watched
  let knownAt = watched.positionAt
  let unreportedSeconds = 0
  let tickedAt: number | undefined
  // Stored here because the element is reset to zero without a stream.
  let position = 0
  let sentPosition = -1
  // Reports may overtake each other; this player's own are not another device's.
  const ownReportTimes = new Set<string>()

  const tick = () => {
    const now = performance.now() / 1000
    if (tickedAt !== undefined) unreportedSeconds += Math.min(now - tickedAt, longestTick)
    tickedAt = video.paused || video.seeking ? undefined : now
    if (video.readyState >= HTMLMediaElement.HAVE_METADATA) position = video.currentTime
  }

  const send = async (always = false, state: 'PLAYING' | 'LEFT' = 'PLAYING') => {
    const playId = playOf()
    tick()
    const positionSeconds = Math.round(position * 10) / 10
    // A play is kept alive, or released, even without a new position.
    if (!always && !playId && unreportedSeconds < 0.1 && positionSeconds === sentPosition) return
    const playedSeconds = Math.min(Math.round(unreportedSeconds * 10) / 10, 3600)
    const before = knownAt
    const at = timestampAfter(before)
    unreportedSeconds = 0
    sentPosition = positionSeconds
    knownAt = at
    ownReportTimes.add(at)
    // The next report repeats a lost position, so there is nothing to show.
    const answer = await saveProgress({
      data: {
        id,
        ...(lessonId && { lessonId }),
        positionSeconds,
        playedSeconds,
        at,
        knownAt: before,
        ...(playId && { playId, state }),
      },
      fetch: keepaliveFetch,
    }).catch(() => null)
    if (!video.paused && playId === playOf() && mustStop(answer)) onPlayOver()
    const elsewhere = answer?.ok ? answer.data.elsewhere : null
    if (!elsewhere || ownReportTimes.has(elsewhere.at)) return
    if (Math.abs(elsewhere.positionSeconds - positionSeconds) < samePositionWithin) return
    // Until the viewer chooses, the other device's position stays the saved one.
    knownAt = before
    const accept = () => {
      knownAt = elsewhere.at
      void send(true)
    }
    onElsewhere({ seconds: elsewhere.positionSeconds, accept })
  }
  const stop = () => onLeaving(send(false, 'LEFT'))
  const onPause = () => {
    if (!hasFailed(video)) stop()
  }
  const report = () => void send()
  const onResume = () => {
    const pausedLong = knownAt === null || Date.now() - Date.parse(knownAt) > resumeCheckAfter
    if (position > 0 && pausedLong) void send(true)
  }

  const onVisibility = () => {
    if (document.visibilityState === 'hidden') report()
    else onResume()
  }
  const timer = setInterval(() => !video.paused && void send(), reportInterval)
  const listeners: [EventTarget, string, () => void][] = [
    [video, 'timeupdate', tick],
    [video, 'playing', tick],
    [video, 'play', onResume],
    [video, 'pause', onPause],
    [video, 'ended', stop],
    [document, 'visibilitychange', onVisibility],
    [window, 'pagehide', stop],
  ]
  for (const [target, event, listener] of listeners) target.addEventListener(event, listener)

  return async () => {
    clearInterval(timer)
    for (const [target, event, listener] of listeners) target.removeEventListener(event, listener)
    if (position > 0 || playOf()) await send(false, 'LEFT')
  }
}

/** The current time, but later than `before`, whose clock may be ahead. */
const timestampAfter = (before: string | null) =>
  new Date(Math.max(Date.now(), before === null ? 0 : Date.parse(before) + 1)).toISOString()

/** Whether playback must stop, because the play, the right or the session has ended. */
const mustStop = (answer: Awaited<ReturnType<typeof saveProgress>> | null) =>
  answer !== null &&
  (answer.ok
    ? answer.data.play !== null && answer.data.play !== 'LIVE'
    : answer.problem.status === 401 || answer.problem.code === 'NOT_ENTITLED')
