import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = process.env.FFMPEG_PATH ?? 'ffmpeg'
const folder = mkdtempSync(join(tmpdir(), 'marquee-films-'))

const ffmpeg = (...options: string[]) => execFileSync(program, ['-nostdin', '-v', 'error', '-y', ...options])

/** Makes a small film of a test picture and a tone. */
export const makeFilm = (name: string, { seconds = 2, size = '320x180' } = {}): string => {
  const path = join(folder, name)
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=12:duration=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest']
  ffmpeg(...picture, ...sound, ...coded, path)
  return path
}

/** Makes a long film: a short one many times over, which takes no encoding. */
export const makeLongFilm = (name: string, { times, size }: { times: number; size: string }): string => {
  const path = join(folder, name)
  const short = makeFilm(`part-of-${name}`, { seconds: 10, size })
  ffmpeg('-stream_loop', String(times - 1), '-i', short, '-c', 'copy', path)
  return path
}

export const writeText = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
