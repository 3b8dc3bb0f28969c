import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { EncoderFailed, EncoderMissing } from './refusals.ts'

export interface Programs {
  ffmpeg: string
  /** Null if only the ffmpeg of the npm package is available. */
  ffprobe: string | null
}

const howToInstall =
  'Install it (Debian and Ubuntu: `apt-get install ffmpeg`; macOS: `brew install ffmpeg`), or set FFMPEG_PATH, or download it with `npm install --no-save node-av@6.1.1` and `node node_modules/node-av/dist/ffmpeg/install.js`.'

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
    // The compiler does not know the package, which need not be installed. Vite must not look for
    // it either.
    const { ffmpegPath } = (await import(/* @vite-ignore */ name)) as { ffmpegPath: () => string }
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
export async function findPrograms(configuredPath?: string): Promise<Programs> {
  if (configuredPath) {
    const ffmpeg = isAbsolute(configuredPath) ? await usable(configuredPath) : await onPath(configuredPath)
    if (!ffmpeg) throw new EncoderMissing(`FFMPEG_PATH is ${configuredPath}, which is not a program. ${howToInstall}`)
    const beside = join(dirname(ffmpeg), basename(ffmpeg).replace('ffmpeg', 'ffprobe'))
    return { ffmpeg, ffprobe: (beside !== ffmpeg && (await usable(beside))) || (await onPath('ffprobe')) }
  }
  const ffmpeg = await onPath('ffmpeg')
  if (ffmpeg) return { ffmpeg, ffprobe: await onPath('ffprobe') }
  const packaged = await inPackage()
  if (packaged && (await usable(packaged))) return { ffmpeg: packaged, ffprobe: null }
  if (packaged)
    throw new EncoderMissing(
      'Videos cannot be encoded: the package node-av is installed, but its ffmpeg was not downloaded. Run `node node_modules/node-av/dist/ffmpeg/install.js`, or install ffmpeg, or set FFMPEG_PATH.',
    )
  throw new EncoderMissing(`Videos cannot be encoded: ffmpeg is not installed. ${howToInstall}`)
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
    failure ??= new EncoderFailed(`${basename(program)} made no progress for ten minutes. ${output.trim()}`)
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
  // `stdio` makes it a pipe.
  lines(child.stdio[3] as Readable, (line) => {
    stalled.refresh()
    guarded(() => run.onProgress?.(line))
  })
  // `stdio` makes it a pipe.
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
