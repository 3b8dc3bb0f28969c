import { mkdir } from 'node:fs/promises'
import { mostPosters } from '#contract/videos.ts'
import type { GrayFrames } from './encode.ts'
import { type Programs, programHas, runProgram } from './program.ts'
import { GRAY_SIDE } from './storyboard.ts'

const LARGEST_WIDTH = 1280
/** Brightness, of 255, that a frame must have on average to be more than a dark moment, and may have. */
const [DARKEST, BRIGHTEST] = [24, 235]

/** The moments of the best frames, one of each fifth of the film: neither dark nor blank, and rich in contrast. */
export function posterMoments(gray: GrayFrames, intervalSeconds: number): number[] {
  const pixels = GRAY_SIDE * GRAY_SIDE
  const frames = Array.from({ length: Math.floor(gray.length / pixels) }, (_, at) => ({
    at,
    ...worthOf(gray.subarray(at * pixels, (at + 1) * pixels)),
  }))
  const parts = Math.min(mostPosters, frames.length)
  const chosen = Array.from({ length: parts }, (_, part) =>
    frames
      .slice(Math.floor((part * frames.length) / parts), Math.floor(((part + 1) * frames.length) / parts))
      .reduce((best, frame) => (frame.worth > best.worth ? frame : best)),
  )
  const good = chosen.filter(({ worth }) => worth > 0)
  // Of a film of dark and blank frames the brightest is the least bad.
  const [brightest] = frames.toSorted((a, b) => b.mean - a.mean)
  return (good.length > 0 || !brightest ? good : [brightest]).map(({ at }) => at * intervalSeconds)
}

/** The spread of brightness; nothing for a frame that is black or white as a whole. */
function worthOf(frame: Buffer): { mean: number; worth: number } {
  const mean = frame.reduce((sum, value) => sum + value, 0) / frame.length
  const spread = Math.sqrt(frame.reduce((sum, value) => sum + (value - mean) ** 2, 0) / frame.length)
  return { mean, worth: mean < DARKEST || mean > BRIGHTEST ? 0 : spread }
}

/** Writes the candidates, taken from the best rung, and answers their names. */
export async function writePosters(
  programs: Programs,
  encoded: string,
  moments: readonly number[],
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const webp = await programHas(programs, 'encoders', ['libwebp'], signal)
  const names = moments.map((_, at) => `poster-${at + 1}.${webp ? 'webp' : 'jpg'}`)
  await runProgram(
    programs.ffmpeg,
    [
      ...['-nostdin', '-hide_banner', '-v', 'error', '-y'],
      ...moments.flatMap((seconds) => ['-ss', seconds.toFixed(3), '-i', `file:${encoded}`]),
      ...names.flatMap((name, at) => [
        ...['-map', `${at}:v`, '-frames:v', '1', '-vf', `scale='min(${LARGEST_WIDTH},iw)':-2:flags=lanczos`],
        ...(webp
          ? ['-c:v', 'libwebp', '-quality', '82', '-compression_level', '2']
          : ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p']),
        ...['-update', '1', '-f', 'image2', `file:${name}`],
      ]),
    ],
    { signal, cwd: folder },
  )
  return names
}
