import { videoStretches } from '#contract/figures.ts'

/** The fastest a player plays. */
const fastest = 2
/** Seconds by which a place and what was played may miss each other. */
const slack = 2

/** The stretches between two seconds of a video; a bit each, the first the lowest. */
const stretchesBetween = (from: number, to: number, durationSeconds: number): number => {
  if (durationSeconds <= 0) return 0
  const stretch = durationSeconds / videoStretches
  const first = Math.min(videoStretches - 1, Math.max(0, Math.floor(from / stretch)))
  // Where a stretch only begins, nothing of it has been watched.
  const last = Math.min(videoStretches - 1, Math.max(first, Math.ceil(to / stretch) - 1))
  return 2 ** (last + 1) - 2 ** first
}

/**
 * The stretches that were watched on the way from one place to the next: all between them, where playing alone can have led from the
 * one to the other; else the player has jumped, and what it played lies right before the place where it is now.
 */
export const stretchesWatched = (
  from: number,
  to: number,
  { playedSeconds, durationSeconds }: { playedSeconds: number; durationSeconds: number },
): number => {
  if (playedSeconds <= 0) return 0
  const isPlayedThrough = from <= to && to - from <= playedSeconds * fastest + slack
  return stretchesBetween(isPlayedThrough ? from : to - playedSeconds, to, durationSeconds)
}
