import type { Rate, SourceVideo } from './probe.ts'

/** One size of the picture. */
export interface Rung {
  name: string
  width: number
  height: number
  /** The ceiling in kbit/s, held over two seconds. */
  ceiling: number
  /** The constant rate factor: lower is finer. */
  factor: number
}

/** The shorter sides, from the best down. Above 1080 H.264 costs more than it shows. */
const STANDARD = [1080, 720, 480, 240]
/** So much larger than a standard size is worth a rung of its own. */
const OWN_RUNG = 1.15
/** A picture much longer than a cinema's is made smaller, not finer. */
const LONGEST = 2.4
const LEAST_LONG_SIDE = 1280

/** The sizes a picture is streamed in. None is larger than the picture itself; all sides are even, as 4:2:0 needs. */
export function ladderFor(video: { width: number; height: number }, rate: Rate): Rung[] {
  const own = Math.min(video.width, video.height)
  const standard = STANDARD.filter((side) => side <= own)
  const top = standard[0] ?? 0
  const sides = own < STANDARD[0]! && own > top * OWN_RUNG ? [own, ...standard] : standard
  const rungs = sides.map((side) => rungOf(video, side, rate))
  return rungs.filter((rung, at) => rungs.findIndex(({ name }) => name === rung.name) === at)
}

function rungOf({ width, height }: { width: number; height: number }, side: number, rate: Rate): Rung {
  const scale = Math.min(
    side / Math.min(width, height),
    Math.max(side * LONGEST, LEAST_LONG_SIDE) / Math.max(width, height),
    1,
  )
  const size = { width: even(width * scale), height: even(height * scale) }
  const pixels = size.width * size.height
  const fast = framesPerSecond(rate) > 31 ? 1.4 : 1
  return {
    name: `${Math.min(size.width, size.height)}p`,
    ...size,
    ceiling: Math.max(150, Math.round(5200 * (pixels / (1920 * 1080)) ** 0.75 * fast)),
    factor: side >= 720 ? 22 : 23,
  }
}

/** Down, so that nothing is enlarged; up only where nothing would be left. */
const even = (length: number) => Math.max(2, 2 * Math.floor((length + 0.01) / 2))

export const framesPerSecond = ({ numerator, denominator }: Rate) => numerator / denominator

const USUAL: Rate[] = [
  [24000, 1001],
  [24, 1],
  [25, 1],
  [30000, 1001],
  [30, 1],
  [50, 1],
  [60000, 1001],
  [60, 1],
].map(([numerator, denominator]) => ({ numerator: numerator!, denominator: denominator! }))
const FASTEST = 60
const SLOWEST = 10

/**
 * The constant rate of the stream. A constant source keeps its own, odd or not, halved (or less) until at most 60 and multiplied
 * until at least 10; a varying one gets the usual rate next above its average.
 */
export function rateFor({ rate, averageRate }: Pick<SourceVideo, 'rate' | 'averageRate'>): Rate {
  const average = averageRate ?? rate
  if (!average) return { numerator: 30, denominator: 1 }
  const constant = rate && Math.abs(framesPerSecond(rate) / framesPerSecond(average) - 1) < 0.01
  if (constant) return within(rate)
  const wanted = framesPerSecond(average) * 0.99
  return USUAL.find((usual) => framesPerSecond(usual) >= wanted) ?? within(average)
}

function within({ numerator, denominator }: Rate): Rate {
  const fps = numerator / denominator
  const slower = Math.ceil(fps / FASTEST - 1e-9)
  const faster = Math.ceil(SLOWEST / fps - 1e-9)
  const value = { numerator: numerator * Math.max(1, faster), denominator: denominator * Math.max(1, slower) }
  // A clock finer than this overflows nothing, and no player needs more.
  return value.numerator <= 240_000
    ? value
    : { numerator: Math.round((value.numerator / value.denominator) * 1000), denominator: 1000 }
}

/** Frames from one key frame to the next: two seconds, as nearly as whole frames allow. */
export const framesPerGop = (rate: Rate) => Math.max(1, Math.round(2 * framesPerSecond(rate)))
