import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { firstOf } from '#api/platform/elements.ts'
import type { Rate, SourceVideo } from './probe.ts'
import { EncoderFailed, EncoderMissing } from './refusals.ts'

export interface Programs {
  ffmpeg: string
  /** Null if only the ffmpeg of the npm package is available. */
  ffprobe: string | null
}

const howToInstall =
  'Install it (Debian and Ubuntu: `apt-get install ffmpeg`; macOS: `brew install ffmpeg`), or name one with FFMPEG_PATH, or fetch one with `npm install --no-save node-av@6.1.1` and `node node_modules/node-av/dist/ffmpeg/install.js`.'

const usable = async (path: string) =>
  (await access(path, constants.X_OK)
    .then(() => true)
    .catch(() => false)) && path

async function onPath(name: string): Promise<string | null> {
  const file = process.platform === 'win32' ? `${name}.exe` : name
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(isAbsolute)) {
    const path = await usable(join(folder, file))
    if (path) return path
  }
  return null
}

/**
 * Returns the path of ffmpeg in the optional npm package, whether the binary exists or not; null
 * without the package. The package's install script downloads the binary, and npm runs it only if
 * allowed. The name is not a static import because the package is optional.
 */
async function inPackage(): Promise<string | null> {
  const name = 'node-av/ffmpeg'
  try {
    const { ffmpegPath } = (await import(name)) as { ffmpegPath: () => string }
    return ffmpegPath()
  } catch {
    return null
  }
}

/**
 * Finds ffmpeg: FFMPEG_PATH, else the PATH, else the optional npm package.
 *
 * @throws EncoderMissing if there is none.
 */
export async function findPrograms(given?: string): Promise<Programs> {
  if (given) {
    const ffmpeg = isAbsolute(given) ? await usable(given) : await onPath(given)
    if (!ffmpeg) throw new EncoderMissing(`FFMPEG_PATH is ${given}, where there is no program. ${howToInstall}`)
    const beside = join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe'))
    return { ffmpeg, ffprobe: (beside !== ffmpeg && (await usable(beside))) || (await onPath('ffprobe')) }
  }
  const ffmpeg = await onPath('ffmpeg')
  if (ffmpeg) return { ffmpeg, ffprobe: await onPath('ffprobe') }
  const packaged = await inPackage()
  if (packaged && (await usable(packaged))) return { ffmpeg: packaged, ffprobe: null }
  if (packaged)
    throw new EncoderMissing(
      'Videos cannot be prepared: the package node-av is there, but the ffmpeg it brings has not been fetched. Run `node node_modules/node-av/dist/ffmpeg/install.js`, or install ffmpeg, or name one with FFMPEG_PATH.',
    )
  throw new EncoderMissing(`Videos cannot be prepared: ffmpeg is not installed. ${howToInstall}`)
}

interface Run {
  signal: AbortSignal
  cwd?: string
  /**
   * Called with each line of stderr. If it throws, the program is stopped and the run fails with
   * that error.
   */
  onErrorLine?: (line: string) => void
  /** Called with each line of the third pipe, the target of `-progress pipe:3`. */
  onProgress?: (line: string) => void
  onOutput?: (bytes: Buffer) => void
}

/** Milliseconds without progress or output after which a program is stopped. */
const stallTimeout = 10 * 60_000

/** Bytes of error output retained; the end of the output holds the cause. */
const maxErrorOutput = 64 * 1024

/**
 * Runs a program and returns its output. It runs in its own process group with low priority and
 * without stdin, and has exited before the promise settles, so that its folders can be removed.
 * Output uses a pipe: if this process dies, ffmpeg exits at its next write.
 */
export async function runProgram(program: string, args: readonly string[], run: Run): Promise<{ output: string }> {
  run.signal.throwIfAborted()
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    ...(run.cwd ? { cwd: run.cwd } : {}),
  })
  let failure: unknown
  let output = ''
  const stop = () => end(child)
  const stalled = setTimeout(() => {
    failure ??= new EncoderFailed(`${basename(program)} did not get on for ten minutes. ${output.trim()}`)
    stop()
  }, stallTimeout)
  const guarded = (part: () => void) => {
    try {
      part()
    } catch (error) {
      failure ??= error
      stop()
    }
  }
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, 10)
    } catch {
      // The process may have exited already.
    }
  }
  run.signal.addEventListener('abort', stop)
  process.once('exit', stop)
  child.stdout?.on('data', (bytes: Buffer) => {
    stalled.refresh()
    guarded(() => run.onOutput?.(bytes))
  })
  lines(child.stdio[3] as Readable, (line) => {
    stalled.refresh()
    guarded(() => run.onProgress?.(line))
  })
  lines(child.stderr as Readable, (line) => {
    output = `${output}${line}\n`.slice(-maxErrorOutput)
    guarded(() => run.onErrorLine?.(line))
  })
  try {
    const code = await new Promise<number | string | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exit, by) => resolve(exit ?? by))
    })
    run.signal.throwIfAborted()
    if (failure) throw failure
    if (code !== 0) throw new EncoderFailed(`${basename(program)} ended with ${code}: ${output.trim()}`)
    return { output }
  } finally {
    clearTimeout(stalled)
    run.signal.removeEventListener('abort', stop)
    process.removeListener('exit', stop)
  }
}

const listed = new Map<string, string>()

/** Whether ffmpeg was built with all of `names`. The list is read once per program. */
export async function programHas(
  { ffmpeg }: Programs,
  list: 'encoders' | 'filters',
  names: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const key = `${list} ${ffmpeg}`
  let output = listed.get(key)
  if (output === undefined) {
    const parts: Buffer[] = []
    await runProgram(ffmpeg, ['-hide_banner', `-${list}`], { signal, onOutput: (bytes) => parts.push(bytes) })
    output = Buffer.concat(parts).toString()
    listed.set(key, output)
  }
  const has = output.split(/\s+/)
  return names.every((name) => has.includes(name))
}

/** Stops the whole process group: FFMPEG_PATH may name a wrapper script with a child process. */
function end(child: ChildProcess) {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has exited meanwhile.
  }
}

function lines(stream: Readable, onLine: (line: string) => void) {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const parts = (rest + text).split(/\r?\n|\r/)
    rest = (parts.pop() ?? '').slice(-maxErrorOutput)
    for (const part of parts) if (part) onLine(part)
  })
  stream.on('end', () => rest && onLine(rest))
  stream.on('error', () => undefined)
}

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
const STANDARD = [1080, 720, 480, 240]
/** A source larger than a standard size by this factor gets its own rung. */
const OWN_RUNG = 1.15
/** The widest aspect ratio at full height. Wider video is scaled down. */
const LONGEST = 2.4
const LEAST_LONG_SIDE = 1280

/**
 * Returns the rungs of the stream. None is larger than the source; all sides are even, as 4:2:0
 * requires.
 */
export function ladderFor(video: { width: number; height: number }, rate: Rate): Rung[] {
  const own = Math.min(video.width, video.height)
  const standard = STANDARD.filter((side) => side <= own)
  const top = standard[0] ?? 0
  const sides = own < firstOf(STANDARD) && own > top * OWN_RUNG ? [own, ...standard] : standard
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

/** Rounds down so that nothing is enlarged, but never below 2. */
const even = (length: number) => Math.max(2, 2 * Math.floor((length + 0.01) / 2))

export const framesPerSecond = ({ numerator, denominator }: Rate) => numerator / denominator

const STANDARD_RATES: Rate[] = (
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
const FASTEST = 60
const SLOWEST = 10

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
  const wanted = framesPerSecond(average) * 0.99
  return STANDARD_RATES.find((standard) => framesPerSecond(standard) >= wanted) ?? within(average)
}

function within({ numerator, denominator }: Rate): Rate {
  const fps = numerator / denominator
  const slower = Math.ceil(fps / FASTEST - 1e-9)
  const faster = Math.ceil(SLOWEST / fps - 1e-9)
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
  const whole = Math.floor(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  return whole < 3600
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`
}
