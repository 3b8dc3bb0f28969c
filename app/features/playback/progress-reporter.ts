import type { LessonId, PlayId, ProductId } from '#contract/ids.ts'
import { keepaliveFetch } from '~/platform/api/call'
import { saveProgress } from './playback.functions'
import { hasFailed } from './player/engine'

interface Watched {
  id: ProductId
  lessonId: LessonId | null
  /** When the position this player goes on from was kept; null without one. */
  positionAt: string | null
  /** Another device has gone on to `seconds` since. `accept` takes this player's place for the right one again. */
  onElsewhere: (elsewhere: { seconds: number; accept: () => void }) => void
  /** The play this player holds now; null where none is counted. */
  playOf: () => PlayId | null
  /** It plays, but its place is another's by now. */
  onPlayOver: () => void
  /** Its place is being given back; `told` is fulfilled once the server knows. */
  onLeaving: (told: Promise<void>) => void
}

const reportInterval = 10_000
/** A clock that stood still (sleep, a frozen tab) must not count as watching. */
const longestTick = 2
/** Standing still for so long, another device may have gone on. */
const resumeCheckAfter = 4_000
/** Closer than this, two devices are at the same place. */
const samePositionWithin = 8

/**
 * Tells the server where a video stands: every ten seconds of playing, and whenever it stops, is hidden or is left. When it is
 * taken up again, it asks first whether another device has gone on.
 *
 * @returns how to stop: the last position is sent then, and kept when the promise is fulfilled.
 */
export function reportProgress(video: HTMLVideoElement, watched: Watched): () => Promise<void> {
  const { id, lessonId, onElsewhere, playOf, onPlayOver, onLeaving } = watched
  let knownAt = watched.positionAt
  let played = 0
  let tickedAt: number | undefined
  // Kept apart from the element, which is back at zero once its stream is taken away.
  let position = 0
  let sentPosition = -1
  // Two reports may overtake each other; this player's own are no other device.
  const own = new Set<string>()

  const tick = () => {
    const now = performance.now() / 1000
    if (tickedAt !== undefined) played += Math.min(now - tickedAt, longestTick)
    tickedAt = video.paused || video.seeking ? undefined : now
    if (video.readyState >= HTMLMediaElement.HAVE_METADATA) position = video.currentTime
  }

  const send = async (always = false, state: 'PLAYING' | 'LEFT' = 'PLAYING') => {
    const playId = playOf()
    tick()
    const positionSeconds = Math.round(position * 10) / 10
    // A play that is held is kept alive, or given back, whether or not there is anything else to say.
    if (!always && !playId && played < 0.1 && positionSeconds === sentPosition) return
    const playedSeconds = Math.min(Math.round(played * 10) / 10, 3600)
    const before = knownAt
    const at = timestampAfter(before)
    played = 0
    sentPosition = positionSeconds
    knownAt = at
    own.add(at)
    // A position that is lost now is told again with the next one; there is nothing to show the person.
    const answer = await saveProgress({
      data: {
        ...{ id, ...(lessonId && { lessonId }), positionSeconds, playedSeconds, at, knownAt: before },
        ...(playId && { playId, state }),
      },
      fetch: keepaliveFetch,
    }).catch(() => null)
    if (!video.paused && playId === playOf() && isOver(answer)) onPlayOver()
    const elsewhere = answer?.ok ? answer.data.elsewhere : null
    if (!elsewhere || own.has(elsewhere.at)) return
    if (Math.abs(elsewhere.positionSeconds - positionSeconds) < samePositionWithin) return
    // Until the person has chosen, the other device's place stays the one that is kept.
    knownAt = before
    const accept = () => {
      knownAt = elsewhere.at
      void send(true)
    }
    onElsewhere({ seconds: elsewhere.positionSeconds, accept })
  }
  const stop = () => onLeaving(send(false, 'LEFT'))
  const rest = () => {
    if (!hasFailed(video)) stop()
  }
  const look = () => void send()
  const takeUp = () => {
    const rested = knownAt === null || Date.now() - Date.parse(knownAt) > resumeCheckAfter
    if (position > 0 && rested) void send(true)
  }

  const onVisibility = () => {
    if (document.visibilityState === 'hidden') look()
    else takeUp()
  }
  const timer = setInterval(() => !video.paused && void send(), reportInterval)
  const listeners: [EventTarget, string, () => void][] = [
    [video, 'timeupdate', tick],
    [video, 'playing', tick],
    [video, 'play', takeUp],
    [video, 'pause', rest],
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

/** The present, by a clock that may be behind the one which wrote the position before. */
const timestampAfter = (before: string | null) =>
  new Date(Math.max(Date.now(), before === null ? 0 : Date.parse(before) + 1)).toISOString()

/** Whether the answer says that this must not go on playing: its place, the right to it or the session is gone. */
const isOver = (answer: Awaited<ReturnType<typeof saveProgress>> | null) =>
  answer !== null &&
  (answer.ok
    ? answer.data.play !== null && answer.data.play !== 'LIVE'
    : answer.problem.status === 401 || answer.problem.code === 'NOT_ENTITLED')
