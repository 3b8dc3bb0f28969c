import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = process.env.FFMPEG_PATH ?? 'ffmpeg'
const folder = mkdtempSync(join(tmpdir(), 'marquee-films-'))

/** Makes a small film of a test picture and a tone. */
export const makeFilm = (name: string, { seconds = 2, size = '320x180' } = {}): string => {
  const path = join(folder, name)
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=12:duration=${seconds}`]
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
  const coded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-shortest']
  execFileSync(program, ['-nostdin', '-v', 'error', '-y', ...picture, ...sound, ...coded, path])
  return path
}

export const writeText = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
