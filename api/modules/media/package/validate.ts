import { clock } from './encoding-plan.ts'
import type { Source, SourceVideo } from './probe.ts'
import { VideoRefused } from './refusals.ts'

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
    `"${name}" is cut off: of ${clock(seconds)} only ${clock(decoded)} are there. It was probably not copied or uploaded to its end; send the whole file.`,
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
        ? `"${name}" has sound but no picture; a cover image does not count. Send a file with a video track.`
        : `"${name}" has no picture. Send a file with a video track.`,
    )
  const { width, height, codec } = video
  if (codec === 'unknown' || codec === 'none')
    throw new VideoRefused(
      'UNREADABLE_CODEC',
      `The pictures of "${name}" are written in a way (codec) that is not known here. Export it as H.264, H.265, VP9, AV1 or ProRes.`,
    )
  if (width === 0 || height === 0)
    throw new VideoRefused('DAMAGED', `"${name}" names a video track, but not one picture of it can be read.`)
  if (width > longestSide || height > longestSide)
    throw new VideoRefused(
      'TOO_LARGE',
      `"${name}" measures ${width} × ${height} pixels; at most ${longestSide} on either side are taken.`,
    )
  if (Math.min(width, height) < shortestSide)
    throw new VideoRefused(
      'TOO_SMALL',
      `"${name}" measures ${width} × ${height} pixels; at least ${shortestSide} on either side are needed.`,
    )
  if (!(seconds > 0))
    throw new VideoRefused(
      'DAMAGED',
      `"${name}" does not say how long it is, or has no pictures; it is damaged or empty.`,
    )
  if (seconds > longestSeconds)
    throw new VideoRefused(
      'TOO_LONG',
      `"${name}" lasts ${Math.round(seconds / 360) / 10} hours; at most ${longestSeconds / 3600} are taken.`,
    )
  return { ...source, video }
}
