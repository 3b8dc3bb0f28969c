import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { timestamp } from '#contract/captions.ts'
import { maxPosters } from '#contract/media.ts'
import { clock, framesPerSecond } from './encoding-plan.ts'
import type { Rate } from './probe.ts'
import { type Programs, programHas, runProgram } from './programs.ts'
import { VideoRefused } from './refusals.ts'

/** How the timeline pictures are sampled and arranged. */
export interface Tiles {
  /** Takes one of this many frames. */
  everyFrames: number
  width: number
  height: number
}

/** The side, in pixels, of the gray copies used to rate frames. */
export const graySide = 16

/** The frames of the storyboard as 16 × 16 bytes of brightness each. */
export type GrayFrames = Buffer

const longerSide = 160
const maxPerSide = 10

/** Chooses one picture per second for short films, down to one per ten seconds for long ones. */
export function tilesFor({ width, height }: { width: number; height: number }, seconds: number, rate: Rate): Tiles {
  const interval = Math.min(10, Math.max(1, Math.ceil(seconds / 100)))
  const everyFrames = Math.max(1, Math.round(interval * framesPerSecond(rate)))
  const scale = Math.min(1, longerSide / Math.max(width, height))
  const even = (length: number) => Math.max(2, 2 * Math.round((length * scale) / 2))
  return {
    everyFrames,
    width: even(width),
    height: even(height),
  }
}

/** Returns the seconds between two timeline pictures. */
export const tileSeconds = ({ everyFrames }: Tiles, rate: Rate) => everyFrames / framesPerSecond(rate)

/** The file to which the encoder writes the timeline pictures. */
export const tilesFile = (workFolder: string) => join(workFolder, 'tiles.mjpeg')

interface Storyboard {
  workFolder: string
  folder: string
  tiles: Tiles
  /** The number of pictures. */
  count: number
  rate: Rate
  seconds: number
  signal: AbortSignal
}

/** Arranges the pictures on sheets and writes a WebVTT index that maps times to parts of sheets. */
export async function writeStoryboard(programs: Programs, storyboard: Storyboard): Promise<string | null> {
  const { workFolder, tiles, count, rate, seconds, signal } = storyboard
  if (count === 0) return null
  const columns = Math.min(maxPerSide, count)
  const rows = Math.min(maxPerSide, Math.ceil(count / columns))
  const folder = join(storyboard.folder, 'storyboard')
  await mkdir(folder, { recursive: true })
  await runProgram(
    programs.ffmpeg,
    [
      ...['-nostdin', '-hide_banner', '-v', 'error', '-y', '-f', 'mjpeg', '-i', `file:${tilesFile(workFolder)}`],
      ...[
        '-vf',
        `tile=${columns}x${rows}`,
        '-fps_mode',
        'passthrough',
        '-c:v',
        'mjpeg',
        '-q:v',
        '5',
        '-f',
        'image2',
        '%03d.jpg',
      ],
    ],
    { signal, cwd: folder },
  )
  const interval = tileSeconds(tiles, rate)
  const cues = Array.from({ length: count }, (_, tile) => {
    const place = tile % (columns * rows)
    const sheet = `${String(Math.floor(tile / (columns * rows)) + 1).padStart(3, '0')}.jpg`
    const [x, y] = [(place % columns) * tiles.width, Math.floor(place / columns) * tiles.height]
    const end = Math.min((tile + 1) * interval, seconds)
    return `${timestamp(tile * interval)} --> ${timestamp(end)}\n${sheet}#xywh=${x},${y},${tiles.width},${tiles.height}\n`
  })
  await writeFile(join(folder, 'index.vtt'), ['WEBVTT\n', ...cues].join('\n'))
  return 'storyboard/index.vtt'
}

const largestWidth = 1280
/** The range of average brightness, of 255, of an acceptable frame. */
const [DARKEST, BRIGHTEST] = [24, 235]

/**
 * Returns the times, in seconds, of the best frame of each fifth of the film: neither dark nor
 * blank, with high contrast.
 */
export function choosePosterTimes(gray: GrayFrames, intervalSeconds: number): number[] {
  const pixels = graySide * graySide
  const frames = Array.from({ length: Math.floor(gray.length / pixels) }, (_, at) => ({
    at,
    ...rateFrame(gray.subarray(at * pixels, (at + 1) * pixels)),
  }))
  const parts = Math.min(maxPosters, frames.length)
  const chosen = Array.from({ length: parts }, (_, part) =>
    frames
      .slice(Math.floor((part * frames.length) / parts), Math.floor(((part + 1) * frames.length) / parts))
      .reduce((best, frame) => (frame.score > best.score ? frame : best)),
  )
  const good = chosen.filter(({ score }) => score > 0)
  // If all frames are dark or blank, the brightest is used.
  const [brightest] = frames.toSorted((a, b) => b.mean - a.mean)
  return (good.length > 0 || !brightest ? good : [brightest]).map(({ at }) => at * intervalSeconds)
}

/** Rates a frame by the spread of its brightness; zero for a black or white frame. */
function rateFrame(frame: Buffer): { mean: number; score: number } {
  const mean = frame.reduce((sum, value) => sum + value, 0) / frame.length
  const spread = Math.sqrt(frame.reduce((sum, value) => sum + (value - mean) ** 2, 0) / frame.length)
  return { mean, score: mean < DARKEST || mean > BRIGHTEST ? 0 : spread }
}

/** Writes the poster candidates from the best rung and returns their file names. */
export async function writePosters(
  programs: Programs,
  encoded: string,
  times: readonly number[],
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const webp = await programHas(programs, 'encoders', ['libwebp'], signal)
  const names = times.map((_, at) => `poster-${at + 1}.${webp ? 'webp' : 'jpg'}`)
  await runProgram(
    programs.ffmpeg,
    [
      ...['-nostdin', '-hide_banner', '-v', 'error', '-y'],
      ...times.flatMap((seconds) => ['-ss', seconds.toFixed(3), '-i', `file:${encoded}`]),
      ...names.flatMap((name, at) => [
        ...['-map', `${at}:v`, '-frames:v', '1', '-vf', `scale='min(${largestWidth},iw)':-2:flags=lanczos`],
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

const defaultPreviewSeconds = 30
/** Limits the preview of a short film, so that it does not show most of the film. */
const defaultPreviewShare = 1 / 3
const maxPreviewSide = 480

/**
 * Returns the part of the film that is a public preview, or null. It begins and ends on key frames.
 */
export function previewFor(options: { previewSeconds?: number; previewStartSeconds?: number }, filmSeconds: number) {
  const { previewSeconds, previewStartSeconds = 0 } = options
  if (previewSeconds === 0) return null
  if (previewSeconds !== undefined && !(previewSeconds > 0))
    throw new VideoRefused('BAD_PREVIEW', `A preview cannot have ${previewSeconds} seconds. Use 0 for no preview.`)
  if (!(previewStartSeconds >= 0 && previewStartSeconds < filmSeconds))
    throw new VideoRefused(
      'BAD_PREVIEW',
      `The preview starts at ${previewStartSeconds} seconds, but the film lasts only ${clock(filmSeconds)}.`,
    )
  const duration = previewSeconds ?? Math.min(defaultPreviewSeconds, filmSeconds * defaultPreviewShare)
  return {
    maxSide: maxPreviewSide,
    onKeyFrames(gopSeconds: number, seconds: number) {
      const gops = Math.ceil(seconds / gopSeconds - 0.001)
      const first = Math.min(Math.floor(previewStartSeconds / gopSeconds + 0.001), gops - 1)
      const last = first + Math.max(1, Math.round(duration / gopSeconds))
      return { fromSeconds: first * gopSeconds, toSeconds: Math.min(last * gopSeconds, seconds) }
    },
  }
}
