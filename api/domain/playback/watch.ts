import { type PositionRow, wholeProduct } from '#api/db/queries/positions.ts'

/** Watched this far, a video counts as finished. */
const finishedShare = 0.9
/** Back within this part of a finished video, it is watched anew. */
const begunAnewShare = 0.1

/** Seconds that have to be played until a play counts: ten, or 30 % of something short. */
const countsAfter = (durationSeconds: number) => Math.min(10, durationSeconds * 0.3)

export interface Report {
  positionSeconds: number
  playedSeconds: number
  /** Milliseconds since the epoch. */
  at: number
}

type Watched = Pick<
  PositionRow,
  'positionSeconds' | 'durationSeconds' | 'playedSeconds' | 'finished' | 'counted' | 'at'
>

/**
 * What a report makes of a position. Of two devices the later wins: an older report changes nothing. `counts` is true for the one
 * report with which a play becomes long enough.
 */
export const watch = (before: Watched, report: Report): { after: Watched; counts: boolean } => {
  if (report.at < Date.parse(before.at)) return { after: before, counts: false }
  const { durationSeconds } = before
  const positionSeconds = Math.min(report.positionSeconds, durationSeconds)
  const share = durationSeconds > 0 ? positionSeconds / durationSeconds : 0
  const anew = before.finished && share < begunAnewShare
  const playedSeconds = (anew ? 0 : before.playedSeconds) + report.playedSeconds
  const countedBefore = before.counted && !anew
  const counted = countedBefore || playedSeconds >= countsAfter(durationSeconds)
  return {
    after: {
      positionSeconds,
      durationSeconds,
      playedSeconds,
      finished: share >= finishedShare || (before.finished && !anew),
      counted,
      at: new Date(report.at).toISOString(),
    },
    counts: counted && !countedBefore,
  }
}

export const partOf = (lessonId: string | null) => lessonId ?? wholeProduct

/** Where to go on: the beginning for what was finished, or never begun. */
export const resumeAt = (position: Pick<PositionRow, 'positionSeconds' | 'finished'> | undefined) =>
  position && !position.finished ? position.positionSeconds : 0
