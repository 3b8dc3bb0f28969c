import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { EncoderFailed, EncoderMissing } from './refusal.ts'

export interface Programs {
  ffmpeg: string
  /** Absent where only the npm package's ffmpeg is there. */
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
 * Where the npm package keeps its ffmpeg, whether it is there or not. The program is not in the package: a script of its own fetches
 * it, which npm runs only where it is told to. Null without the package; its name is not written as an import, as it is optional.
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

/** ffmpeg as FFMPEG_PATH names it, else the PATH's, else the one of the optional package. */
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
  /** Each line the program writes to stderr. Throwing ends the program, and is what the run fails with. */
  onWords?: (line: string) => void
  /** Each line of the third pipe, where `-progress pipe:3` goes. */
  onProgress?: (line: string) => void
  onOutput?: (bytes: Buffer) => void
}

/** A program that has told of no progress and written nothing for so many milliseconds does not get on any more. */
const patience = 10 * 60_000

/** The last of what a program says is enough to know why it failed. */
const wordsKept = 64 * 1024

/**
 * Runs a program to its end and answers what it said. It has a process group of its own, is less urgent than serving, reads no
 * stdin, and is gone before the promise settles, so that its folders can be removed. Its output goes through a pipe: should this
 * process die, ffmpeg ends at its next write.
 */
export async function runProgram(program: string, args: readonly string[], run: Run): Promise<{ words: string }> {
  run.signal.throwIfAborted()
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    ...(run.cwd ? { cwd: run.cwd } : {}),
  })
  let failure: unknown
  let words = ''
  const stop = () => end(child)
  const stalled = setTimeout(() => {
    failure ??= new EncoderFailed(`${basename(program)} did not get on for ten minutes. ${words.trim()}`)
    stop()
  }, patience)
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
      // It may have ended already.
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
    words = `${words}${line}\n`.slice(-wordsKept)
    guarded(() => run.onWords?.(line))
  })
  try {
    const code = await new Promise<number | string | null>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (exit, by) => resolve(exit ?? by))
    })
    run.signal.throwIfAborted()
    if (failure) throw failure
    if (code !== 0) throw new EncoderFailed(`${basename(program)} ended with ${code}: ${words.trim()}`)
    return { words }
  } finally {
    clearTimeout(stalled)
    run.signal.removeEventListener('abort', stop)
    process.removeListener('exit', stop)
  }
}

const listed = new Map<string, string>()

/** Whether ffmpeg was built with all of `names`; what it lists is asked of each program once. */
export async function programHas(
  { ffmpeg }: Programs,
  list: 'encoders' | 'filters',
  names: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const key = `${list} ${ffmpeg}`
  let words = listed.get(key)
  if (words === undefined) {
    const parts: Buffer[] = []
    await runProgram(ffmpeg, ['-hide_banner', `-${list}`], { signal, onOutput: (bytes) => parts.push(bytes) })
    words = Buffer.concat(parts).toString()
    listed.set(key, words)
  }
  const has = words.split(/\s+/)
  return names.every((name) => has.includes(name))
}

/** The whole group, since a wrapper script named by FFMPEG_PATH has a child of its own. */
function end(child: ChildProcess) {
  if (child.pid === undefined || child.exitCode !== null) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

function lines(stream: Readable, tell: (line: string) => void) {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const parts = (rest + text).split(/\r?\n|\r/)
    rest = (parts.pop() ?? '').slice(-wordsKept)
    for (const part of parts) if (part) tell(part)
  })
  stream.on('end', () => rest && tell(rest))
  stream.on('error', () => undefined)
}
