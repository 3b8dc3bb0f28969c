import { dayAt } from '#api/platform/clock.ts'
import { watchedRangeCount } from '#contract/analytics.ts'
import { type PositionRow, wholeProduct } from './positions.queries.ts'

/** The fastest a player plays. */
const fastest = 2
/** Seconds by which a place and what was played may miss each other. */
const slack = 2

/** The stretches between two seconds of a video; a bit each, the first the lowest. */
const rangesBetween = (from: number, to: number, durationSeconds: number): number => {
  if (durationSeconds <= 0) return 0
  const stretch = durationSeconds / watchedRangeCount
  const first = Math.min(watchedRangeCount - 1, Math.max(0, Math.floor(from / stretch)))
  // Where a stretch only begins, nothing of it has been watched.
  const last = Math.min(watchedRangeCount - 1, Math.max(first, Math.ceil(to / stretch) - 1))
  return 2 ** (last + 1) - 2 ** first
}

/**
 * The stretches that were watched on the way from one place to the next: all between them, where playing alone can have led from the
 * one to the other; else the player has jumped, and what it played lies right before the place where it is now.
 */
export const countWatchedRanges = (
  from: number,
  to: number,
  { playedSeconds, durationSeconds }: { playedSeconds: number; durationSeconds: number },
): number => {
  if (playedSeconds <= 0) return 0
  const isPlayedThrough = from <= to && to - from <= playedSeconds * fastest + slack
  return rangesBetween(isPlayedThrough ? from : to - playedSeconds, to, durationSeconds)
}

/** Watched this far, a video counts as finished. */
const finishedShare = 0.9
/** Back within this part of a finished video, it is watched anew. */
const begunAnewShare = 0.1

/** Seconds that have to be played until a play counts: ten, or 30 % of something short. */
const countsAfter = (durationSeconds: number) => Math.min(10, durationSeconds * 0.3)

/** Milliseconds of playing that may be told late: a report that waited for the network, and the first of a player. */
const told = 60_000

export interface Report {
  /** The place that is to be kept. */
  positionSeconds: number
  playedSeconds: number
  /** The place it was played up to. */
  playedTo: number
  /** Milliseconds since the epoch. */
  at: number
}

type Watched = Pick<
  PositionRow,
  | 'positionSeconds'
  | 'durationSeconds'
  | 'playedSeconds'
  | 'finished'
  | 'counted'
  | 'countedOn'
  | 'watchedRanges'
  | 'at'
  | 'playedUntil'
>

/** What a report makes of a position, and what of it is counted. */
export interface Watching {
  after: Watched
  /** The report with which a play becomes long enough. */
  counts: boolean
  /** The report with which a play that counts has come to the end. */
  finishes: boolean
  /** The stretches of the video by which the report adds to what a play that counts has watched. */
  newRanges: number
  /** Of the seconds it tells, those that can have been played. */
  playedSeconds: number
}

/**
 * Of two devices the later wins: an older report moves nothing, though what was played counts. `now` is the server's time: nobody
 * plays more seconds than go by, however many players report. A play counts on the day `timeZone` has then, and so does all that
 * comes of it later.
 */
export const watch = (before: Watched, report: Report, now: Date, timeZone: string): Watching => {
  const { durationSeconds } = before
  const { playedSeconds, playedUntil } = credit(before, report, now.getTime())
  const isOlder = report.at < Date.parse(before.at)
  const positionSeconds = isOlder ? before.positionSeconds : Math.min(report.positionSeconds, durationSeconds)
  const share = durationSeconds > 0 ? positionSeconds / durationSeconds : 0
  const anew = !isOlder && before.finished && share < begunAnewShare
  const played = (anew ? 0 : before.playedSeconds) + playedSeconds
  const countedBefore = before.counted && !anew
  const counted = countedBefore || played >= countsAfter(durationSeconds)
  const counts = counted && !countedBefore
  const countedOn = counts ? dayAt(now, timeZone) : anew ? null : before.countedOn
  const finishedBefore = before.finished && !anew
  const finished = finishedBefore || (!isOlder && share >= finishedShare)
  const to = Math.min(report.playedTo, durationSeconds)
  const watched = countWatchedRanges(before.positionSeconds, to, { playedSeconds, durationSeconds })
  const rangesBefore = anew ? 0 : countedBefore ? before.watchedRanges : (before.watchedRanges ?? 0)
  const watchedRanges = rangesBefore === null ? null : rangesBefore | watched
  return {
    after: {
      positionSeconds,
      durationSeconds,
      playedSeconds: played,
      finished,
      counted,
      playedUntil,
      countedOn,
      // A play of which nothing is known when it counts stays so: it is in no curve.
      watchedRanges: counts ? watchedRanges || null : watchedRanges,
      at: isOlder ? before.at : new Date(report.at).toISOString(),
    },
    counts,
    finishes: finished && counted && !(finishedBefore && countedBefore),
    newRanges: counts ? (watchedRanges ?? 0) : counted ? (watchedRanges ?? 0) & ~(rangesBefore ?? 0) : 0,
    playedSeconds,
  }
}

/** Time that went by unplayed is not saved up, but for what may be told late. */
const credit = (before: Watched, report: Report, now: number) => {
  const from = Math.max(before.playedUntil === null ? 0 : Date.parse(before.playedUntil), now - told)
  const playedSeconds = Math.max(0, Math.min(report.playedSeconds, (now - from) / 1000))
  return { playedSeconds, playedUntil: new Date(from + playedSeconds * 1000).toISOString() }
}

export const partOf = (lessonId: string | null) => lessonId ?? wholeProduct

/** Where to go on: the beginning for what was finished, or never begun. */
export const resumeAt = (position: Pick<PositionRow, 'positionSeconds' | 'finished'> | undefined) =>
  position && !position.finished ? position.positionSeconds : 0
