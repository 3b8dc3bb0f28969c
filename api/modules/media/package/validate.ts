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
