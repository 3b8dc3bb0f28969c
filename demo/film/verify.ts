// Usage: npm run node -- demo/film/verify.ts (checks every packaged stream; make.ts
// does so for what it makes)
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { checkStream } from '#api/modules/media/package/check-stream.ts'
import { ffmpeg } from './ffmpeg.ts'

/** ffmpeg's warning for every caption playlist, because it does not support them. */
const SUBTITLES_IGNORED = /Can't support the subtitle/

/**
 * Throws when a packaged stream does not decode without warnings, or its playlists do not match its
 * segments.
 */
export async function verify(folder: string): Promise<void> {
  const faults = await checkStream(folder)
  if (faults.length > 0) throw new Error(`${folder}: ${faults.join('; ')}`)
  await decode(join(folder, 'master.m3u8'))
}

async function decode(playlist: string): Promise<void> {
  const running = ffmpeg('-v', 'warning', '-i', playlist, '-map', '0:v', '-map', '0:a', '-f', 'null', '-')
  running.stdin.end()
  const words = (await running.finished)
    .split('\n')
    .filter((line) => line && !SUBTITLES_IGNORED.test(line))
    .join('\n')
  if (words) throw new Error(`${playlist}: ${words}`)
}

if (import.meta.main) {
  const media = join(import.meta.dirname, '../media/video')
  for (const entry of await readdir(media, { withFileTypes: true }))
    if (entry.isDirectory()) {
      await verify(join(media, entry.name))
      console.log(`${entry.name}: sound`)
    }
}
