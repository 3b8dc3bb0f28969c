import { dayAt } from '#api/platform/clock.ts'
import { watchedRangeCount } from '#contract/analytics.ts'
import type { LessonId } from '#contract/ids.ts'
import { finishedShare } from '#contract/rules.ts'
import { type PositionRow, wholeProduct } from './positions.queries.ts'

/** The highest playback rate of the player. */
const fastest = 2
/** Seconds by which the position and the played time may differ. */
const toleranceSeconds = 2

/** Returns the ranges between two times of a video, one bit each, the lowest bit first. */
const rangesBetween = (from: number, to: number, durationSeconds: number): number => {
  if (durationSeconds <= 0) return 0
  const rangeSeconds = durationSeconds / watchedRangeCount
  const first = Math.min(watchedRangeCount - 1, Math.max(0, Math.floor(from / rangeSeconds)))
  // A range that has only just started is not watched.
  const last = Math.min(watchedRangeCount - 1, Math.max(first, Math.ceil(to / rangeSeconds) - 1))
  return 2 ** (last + 1) - 2 ** first
}

/**
 * Returns the ranges watched between two positions: all ranges between them if the played time
 * explains the distance; otherwise the player has jumped, and only the ranges just before the new
 * position count.
 */
export const countWatchedRanges = (
  from: number,
  to: number,
  { playedSeconds, durationSeconds }: { playedSeconds: number; durationSeconds: number },
): number => {
  if (playedSeconds <= 0) return 0
  const isPlayedThrough = from <= to && to - from <= playedSeconds * fastest + toleranceSeconds
  return rangesBetween(isPlayedThrough ? from : to - playedSeconds, to, durationSeconds)
}

/** A finished video played from within this share starts a new play. */
const restartShare = 0.1

/** Returns the seconds after which a play counts: ten, or 30 % of a short video. */
const countsAfter = (durationSeconds: number) => Math.min(10, durationSeconds * 0.3)

/** Milliseconds of playing that may be reported late, after a network delay or a player's start. */
const lateReportTolerance = 60_000

export interface Report {
  /** The position to save. */
  positionSeconds: number
  playedSeconds: number
  /** The position up to which the video was played. */
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

/** The result of a report: the new position and what it counts. */
export interface ReportOutcome {
  after: Watched
  /** True for the report with which the play becomes long enough to count. */
  counts: boolean
  /** True for the report with which a counted play reaches the end. */
  finishes: boolean
  /** The ranges that the report adds to a counted play. */
  newRanges: number
  /** The reported seconds, limited to those that can have been played. */
  playedSeconds: number
}

/**
 * Applies a report to a position. The later of two devices wins: an older report does not move the
 * position, though its played time counts. `now` is the server's time: played time never exceeds
 * the time elapsed, however many players report. A play and its later events count on the day in
 * `timeZone` on which it started to count.
 */
export const applyReport = (before: Watched, report: Report, now: Date, timeZone: string): ReportOutcome => {
  const { durationSeconds } = before
  const { playedSeconds, playedUntil } = credit(before, report, now.getTime())
  const isOlder = report.at < Date.parse(before.at)
  const positionSeconds = isOlder ? before.positionSeconds : Math.min(report.positionSeconds, durationSeconds)
  const share = durationSeconds > 0 ? positionSeconds / durationSeconds : 0
  const isRestarted = !isOlder && before.finished && share < restartShare
  const played = (isRestarted ? 0 : before.playedSeconds) + playedSeconds
  const countedBefore = before.counted && !isRestarted
  const counted = countedBefore || played >= countsAfter(durationSeconds)
  const counts = counted && !countedBefore
  const countedOn = counts ? dayAt(now, timeZone) : isRestarted ? null : before.countedOn
  const finishedBefore = before.finished && !isRestarted
  const finished = finishedBefore || (!isOlder && share >= finishedShare)
  const to = Math.min(report.playedTo, durationSeconds)
  const watched = countWatchedRanges(before.positionSeconds, to, { playedSeconds, durationSeconds })
  const rangesBefore = isRestarted ? 0 : countedBefore ? before.watchedRanges : (before.watchedRanges ?? 0)
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
      // A play without known ranges when it counts is excluded from the retention curve.
      watchedRanges: counts ? watchedRanges || null : watchedRanges,
      at: isOlder ? before.at : new Date(report.at).toISOString(),
    },
    counts,
    finishes: finished && counted && !(finishedBefore && countedBefore),
    newRanges: counts ? (watchedRanges ?? 0) : counted ? (watchedRanges ?? 0) & ~(rangesBefore ?? 0) : 0,
    playedSeconds,
  }
}

/** Unplayed time is not credited, except for the tolerance for late reports. */
const credit = (before: Watched, report: Report, now: number) => {
  const from = Math.max(before.playedUntil === null ? 0 : Date.parse(before.playedUntil), now - lateReportTolerance)
  const playedSeconds = Math.max(0, Math.min(report.playedSeconds, (now - from) / 1000))
  return { playedSeconds, playedUntil: new Date(from + playedSeconds * 1000).toISOString() }
}

/** The part of a product that a position belongs to: a lesson's id or `main`. */
export const partOf = (lessonId: LessonId | null) => lessonId ?? wholeProduct

/** Returns the position to resume from: zero for a finished or unstarted video. */
export const resumeAt = (position: Pick<PositionRow, 'positionSeconds' | 'finished'> | undefined) =>
  position && !position.finished ? position.positionSeconds : 0
