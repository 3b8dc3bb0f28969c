import { firstOf } from '#api/platform/elements.ts'
import type { Rate, Source, SourceVideo } from './probe.ts'
import { VideoRefused } from './refusals.ts'

/** One resolution of the adaptive stream. */
export interface Rung {
  name: string
  width: number
  height: number
  /** The maximum bit rate in kbit/s, over two seconds. */
  ceiling: number
  /** The constant rate factor; lower is better quality. */
  factor: number
}

/** Shorter sides in pixels, descending. Above 1080, H.264 costs more than it improves. */
const standardSides = [1080, 720, 480, 240]
/** A source larger than a standard size by this factor gets its own rung. */
const ownRung = 1.15
/** The widest aspect ratio at full height. Wider video is scaled down. */
const widestRatio = 2.4
const minLongSide = 1280

/**
 * Returns the rungs of the stream. None is larger than the source; all sides are even, as 4:2:0
 * requires.
 */
export function ladderFor(video: { width: number; height: number }, rate: Rate): Rung[] {
  const shortSide = Math.min(video.width, video.height)
  const standard = standardSides.filter((side) => side <= shortSide)
  const top = standard[0] ?? 0
  const sides = shortSide < firstOf(standardSides) && shortSide > top * ownRung ? [shortSide, ...standard] : standard
  const rungs = sides.map((side) => rungOf(video, side, rate))
  return rungs.filter((rung, at) => rungs.findIndex(({ name }) => name === rung.name) === at)
}

function rungOf({ width, height }: { width: number; height: number }, side: number, rate: Rate): Rung {
  const scale = Math.min(
    side / Math.min(width, height),
    Math.max(side * widestRatio, minLongSide) / Math.max(width, height),
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

/** Rounds down so that nothing is enlarged, but never below 2. */
const even = (length: number) => Math.max(2, 2 * Math.floor((length + 0.01) / 2))

/** Returns a frame rate as a number. */
export const framesPerSecond = ({ numerator, denominator }: Rate) => numerator / denominator

const standardRates: Rate[] = (
  [
    [24000, 1001],
    [24, 1],
    [25, 1],
    [30000, 1001],
    [30, 1],
    [50, 1],
    [60000, 1001],
    [60, 1],
  ] as const
).map(([numerator, denominator]) => ({ numerator, denominator }))
const maxFrameRate = 60
const minFrameRate = 10

/**
 * Returns the constant frame rate of the stream. A constant source rate is retained, divided until
 * at most 60 and multiplied until at least 10. A variable rate becomes the next standard rate above
 * its average.
 */
export function rateFor({ rate, averageRate }: Pick<SourceVideo, 'rate' | 'averageRate'>): Rate {
  const average = averageRate ?? rate
  if (!average) return { numerator: 30, denominator: 1 }
  const constant = rate && Math.abs(framesPerSecond(rate) / framesPerSecond(average) - 1) < 0.01
  if (constant) return within(rate)
  const minimum = framesPerSecond(average) * 0.99
  return standardRates.find((standard) => framesPerSecond(standard) >= minimum) ?? within(average)
}

function within({ numerator, denominator }: Rate): Rate {
  const fps = numerator / denominator
  const slower = Math.ceil(fps / maxFrameRate - 1e-9)
  const faster = Math.ceil(minFrameRate / fps - 1e-9)
  const value = { numerator: numerator * Math.max(1, faster), denominator: denominator * Math.max(1, slower) }
  // A finer timescale could overflow, and no player needs it.
  return value.numerator <= 240_000
    ? value
    : { numerator: Math.round((value.numerator / value.denominator) * 1000), denominator: 1000 }
}

/** Frames between key frames: two seconds, rounded to whole frames. */
export const framesPerGop = (rate: Rate) => Math.max(1, Math.round(2 * framesPerSecond(rate)))

/** Formats a time in seconds for messages: 1:05, 1:02:03. */
export function clock(seconds: number): string {
  const wholeSeconds = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(wholeSeconds / 60)
  return wholeSeconds < 3600
    ? `${minutes}:${two(wholeSeconds % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(wholeSeconds % 60)}`
}

/** The longest side in pixels, 8K. Decoding larger frames takes gigabytes of memory. */
export const longestSide = 8192
const shortestSide = 32
const longestSeconds = 12 * 3600

/** A source that can be encoded. */
export type Playable = Source & { video: SourceVideo }

/**
 * Checks that the decoded length matches the stated one. A header without a separate video duration
 * may include audio that ends later.
 *
 * @throws VideoRefused if part of the film is missing.
 */
export function validateLength({ seconds, video }: Playable, decoded: number, name: string): void {
  const [min, part] = video.seconds === null ? [1, 0.05] : [0.5, 0.01]
  if (decoded >= seconds - Math.max(min, seconds * part)) return
  throw new VideoRefused(
    'DAMAGED',
    `"${name}" is incomplete: it contains only ${clock(decoded)} of ${clock(seconds)}. The file was probably not copied completely. Upload the complete file.`,
  )
}

/**
 * Checks that a readable file can be streamed.
 *
 * @throws VideoRefused with the reason.
 */
export function validate(source: Source, name: string): Playable {
  const { video, seconds } = source
  if (!video)
    throw new VideoRefused(
      'NO_PICTURE',
      source.audio.length > 0
        ? `"${name}" has audio but no video. A cover image is not a video. Upload a file with a video track.`
        : `"${name}" has no video. Upload a file with a video track.`,
    )
  const { width, height, codec } = video
  if (codec === 'unknown' || codec === 'none')
    throw new VideoRefused(
      'UNREADABLE_CODEC',
      `The video codec of "${name}" is not supported. Export it as H.264, H.265, VP9, AV1 or ProRes.`,
    )
  if (width === 0 || height === 0)
    throw new VideoRefused('DAMAGED', `"${name}" has a video track without a readable frame.`)
  if (width > longestSide || height > longestSide)
    throw new VideoRefused(
      'TOO_LARGE',
      `"${name}" has ${width} × ${height} pixels. Each side must have at most ${longestSide}.`,
    )
  if (Math.min(width, height) < shortestSide)
    throw new VideoRefused(
      'TOO_SMALL',
      `"${name}" has ${width} × ${height} pixels. Each side must have at least ${shortestSide}.`,
    )
  if (!(seconds > 0)) throw new VideoRefused('DAMAGED', `"${name}" has no duration. It is damaged or empty.`)
  if (seconds > longestSeconds)
    throw new VideoRefused(
      'TOO_LONG',
      `"${name}" lasts ${Math.round(seconds / 360) / 10} hours. The maximum is ${longestSeconds / 3600} hours.`,
    )
  return { ...source, video }
}
