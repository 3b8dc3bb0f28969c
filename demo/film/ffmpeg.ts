import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

const PROGRAM = process.env.FFMPEG_PATH ?? 'ffmpeg'

/** A running ffmpeg: frames are written to its stdin, `finished` resolves with its stderr. */
export interface Running {
  readonly stdin: Writable
  readonly finished: Promise<string>
}

/** Starts ffmpeg; `finished` rejects with its error output when it fails. */
export function ffmpeg(...options: string[]): Running {
  const child: ChildProcessByStdio<Writable, null, Readable> = spawn(PROGRAM, ['-nostdin', '-y', ...options], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  child.stdin.on('error', () => {}) // A closed pipe shows in the exit code, with ffmpeg's reason.
  const finished = new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(words)
      else reject(new Error(`ffmpeg ended with ${code}: ${words.trim()}`))
    })
  })
  return { stdin: child.stdin, finished }
}
