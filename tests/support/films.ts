import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'
import { type PackageRequest, packageVideo } from '#api/modules/media/package/package-video.ts'

const run = promisify(execFile)

/** The machine's own ffmpeg, which makes the films and, as an independent player, decodes what became of them. */
export const ffmpeg = async (...options: string[]) =>
  (await run('ffmpeg', ['-nostdin', '-hide_banner', '-y', ...options], { maxBuffer: 64 * 1024 * 1024 })).stderr

export const ffprobe = async (...options: string[]) => (await run('ffprobe', ['-v', 'error', ...options])).stdout

/** A folder of this test file alone. */
export const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-films-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A small picture that moves, and a tone. */
export const picture = (options = 'size=160x90:rate=25', seconds = 2) => [
  ...['-f', 'lavfi', '-t', `${seconds}`, '-i', `testsrc2=${options}`],
]
export const tone = (options = 'frequency=440:sample_rate=48000', seconds = 2) => [
  ...['-f', 'lavfi', '-t', `${seconds}`, '-i', `sine=${options}`],
]
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

let packages = 0

/** Packages a film into folders of its own below `folder`. */
export const packageFilm = async (
  folder: string,
  source: string,
  request: { name?: string; options?: Partial<PackageRequest['options']> } & Partial<
    Pick<PackageRequest, 'signal' | 'onProgress' | 'program'>
  > = {},
) => {
  const { name = 'film.mp4', options, ...others } = request
  const place = join(folder, `package-${++packages}`)
  const folders = { folder: join(place, 'film'), previewFolder: join(place, 'film-preview') }
  const packaged = await packageVideo({
    ...{ source, name, ...folders, postersFolder: join(place, 'posters'), workFolder: join(place, 'work') },
    options: { captions: [], audio: [], chapters: [], ...options },
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...others,
  })
  return { ...packaged, ...folders, postersFolder: join(place, 'posters'), place }
}

/** What ffmpeg has to say about every rendition of a stream; nothing, when it is sound. */
export const complaintsOf = async (folder: string) => {
  const words = await ffmpeg(
    ...['-v', 'warning', '-i', join(folder, 'master.m3u8'), '-map', '0:v', '-map', '0:a?', '-f', 'null', '-'],
  )
  // ffmpeg reads no caption playlists, which says nothing about them.
  return words.split('\n').filter((line) => line && !line.includes("Can't support the subtitle"))
}
