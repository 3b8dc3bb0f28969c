import { once } from 'node:events'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { fragmentedAudio, fragmentedVideo } from '#api/modules/media/package/cut.ts'
import { ffmpeg } from './ffmpeg.ts'
import { progress } from './scenes/paint.ts'
import { type Context, FILM_SECONDS, FRAMES_PER_SECOND, HEIGHT, type Painter, WIDTH } from './scenes/scene.ts'

export interface Rendition {
  readonly name: string
  readonly width: number
  readonly height: number
  /** Added to the film's own rate factor. */
  readonly factor: number
  /** The ceiling in kbit/s, held over two seconds. */
  readonly ceiling: number
}

/** From the best down. */
export const RENDITIONS: readonly Rendition[] = [
  { name: '720p', width: 1280, height: 720, factor: 0, ceiling: 1400 },
  { name: '480p', width: 854, height: 480, factor: 1.5, ceiling: 600 },
  { name: '240p', width: 426, height: 240, factor: 2.5, ceiling: 200 },
]

const AUDIO_KBITS = 64
/**
 * AAC begins with one frame of lead-in. Cutting as much off the music keeps sound and pictures
 * together from zero on.
 */
const LEAD_IN = 'atrim=start_sample=1024'
/** In LUFS, as the large streaming services ask for. */
const LOUDNESS = -16

/** Where a rendition's track lies while it waits to be cut. */
export const trackFile = (work: string, name: string) => join(work, `${name}.mp4`)

/** Draws every frame and writes a track for each rendition. */
export async function encode(painter: Painter, rateFactor: number, work: string): Promise<void> {
  const running = ffmpeg(
    ...['-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-s', `${WIDTH}x${HEIGHT}`],
    ...['-r', `${FRAMES_PER_SECOND}`, '-i', 'pipe:0', '-filter_complex', scaling()],
    ...RENDITIONS.flatMap(({ name, factor, ceiling }, index) => [
      ...['-map', `[v${index}]`, '-c:v', 'libx264', '-preset', 'slower', '-tune', 'animation'],
      // More reference frames would save little and raise the level beyond what small devices
      // decode.
      ...['-x264-params', 'aq-mode=3:b-pyramid=none', '-refs', '4', '-crf', `${rateFactor + factor}`],
      ...['-maxrate', `${ceiling}k`, '-bufsize', `${ceiling * 2}k`],
      ...['-g', `${2 * FRAMES_PER_SECOND}`, '-keyint_min', `${2 * FRAMES_PER_SECOND}`, '-sc_threshold', '0'],
      ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
      ...['-t', `${FILM_SECONDS}`, ...fragmentedVideo, trackFile(work, name)],
    ]),
  )
  const canvas = createCanvas(WIDTH, HEIGHT)
  const context = canvas.getContext('2d')
  for (let frame = 0; frame < FILM_SECONDS * FRAMES_PER_SECOND; frame++) {
    const seconds = frame / FRAMES_PER_SECOND
    painter(context, seconds)
    curtain(context, seconds)
    // A copy, since the canvas draws the next frame into the same memory.
    const accepted = running.stdin.write(Buffer.from(canvas.data()))
    if (!accepted) await Promise.race([once(running.stdin, 'drain').catch(() => running.finished), running.finished])
  }
  running.stdin.end()
  await running.finished
}

/**
 * Music as a track of its own. A second one has a lower rate, so that no film's stated bandwidth
 * grows by it.
 */
export async function encodeSound(music: string, work: string, name: string): Promise<void> {
  const level = await measureLoudnessFilter(music)
  const kbits = name === 'audio' ? AUDIO_KBITS : AUDIO_KBITS - 16
  const running = ffmpeg(
    ...['-v', 'error', '-i', music, '-c:a', 'aac', '-b:a', `${kbits}k`, '-ar', '48000'],
    ...['-af', `${level},${LEAD_IN}`, '-t', `${FILM_SECONDS}`, ...fragmentedAudio, trackFile(work, name)],
  )
  running.stdin.end()
  await running.finished
}

/** One frame as WebP, without the fade. */
export async function still(painter: Painter, seconds: number): Promise<Buffer> {
  const canvas = createCanvas(WIDTH, HEIGHT)
  painter(canvas.getContext('2d'), seconds)
  return canvas.encode('webp', 70)
}

function scaling(): string {
  const split = RENDITIONS.map((_, index) => `[s${index}]`).join('')
  const scales = RENDITIONS.map(
    ({ width, height }, index) =>
      `[s${index}]scale=${width}:${height}:flags=lanczos:out_color_matrix=bt709:out_range=tv,setsar=1,format=yuv420p[v${index}]`,
  )
  return [`[0:v]split=${RENDITIONS.length}${split}`, ...scales].join(';')
}

/** Every film opens from black and closes to it. */
function curtain(context: Context, seconds: number): void {
  const shown = Math.min(progress(seconds, -0.1, 0.6), 1 - progress(seconds, FILM_SECONDS - 0.9, 0.8))
  if (shown >= 1) return
  context.globalAlpha = 1 - shown
  context.fillStyle = '#000'
  context.fillRect(0, 0, WIDTH, HEIGHT)
  context.globalAlpha = 1
}

/**
 * The filter that brings a file to the target loudness, from a first pass over it; it leaves 3 dB
 * above the peaks, which AAC raises.
 */
async function measureLoudnessFilter(music: string): Promise<string> {
  const measuring = ffmpeg('-i', music, '-af', 'loudnorm=print_format=json', '-f', 'null', '-')
  measuring.stdin.end()
  const words = await measuring.finished
  const measured = JSON.parse(words.slice(words.lastIndexOf('{'), words.lastIndexOf('}') + 1))
  return `volume=${(LOUDNESS - Number(measured.input_i)).toFixed(2)}dB,alimiter=limit=0.68:level=false`
}
