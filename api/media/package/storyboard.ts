import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { timestamp } from './captions.ts'
import { framesPerSecond } from './ladder.ts'
import type { Rate } from './probe.ts'
import { type Programs, runProgram } from './program.ts'

/** How the pictures of the timeline are taken and laid out. */
export interface Tiles {
  /** Of the stream's frames, one in so many. */
  everyFrames: number
  width: number
  height: number
}

/** The side of the small gray copies that tell good frames from bad ones. */
export const GRAY_SIDE = 16

const LONGER_SIDE = 160
const MOST_PER_SIDE = 10

/** One picture a second for short films, one in ten seconds for long ones. */
export function tilesFor({ width, height }: { width: number; height: number }, seconds: number, rate: Rate): Tiles {
  const interval = Math.min(10, Math.max(1, Math.ceil(seconds / 100)))
  const everyFrames = Math.max(1, Math.round(interval * framesPerSecond(rate)))
  const scale = Math.min(1, LONGER_SIDE / Math.max(width, height))
  const even = (length: number) => Math.max(2, 2 * Math.round((length * scale) / 2))
  return {
    everyFrames,
    width: even(width),
    height: even(height),
  }
}

/** Seconds of the film between two frames of the timeline. */
export const tileSeconds = ({ everyFrames }: Tiles, rate: Rate) => everyFrames / framesPerSecond(rate)

/** The file the encoder writes the single pictures to, one after the other. */
export const tilesFile = (workFolder: string) => join(workFolder, 'tiles.mjpeg')

interface Storyboard {
  workFolder: string
  folder: string
  tiles: Tiles
  /** How many pictures there are. */
  count: number
  rate: Rate
  seconds: number
  signal: AbortSignal
}

/** Lays the pictures out on sheets, beside an index in WebVTT that says which part of which sheet shows which moment. */
export async function writeStoryboard(programs: Programs, storyboard: Storyboard): Promise<string | null> {
  const { workFolder, tiles, count, rate, seconds, signal } = storyboard
  if (count === 0) return null
  const columns = Math.min(MOST_PER_SIDE, count)
  const rows = Math.min(MOST_PER_SIDE, Math.ceil(count / columns))
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
