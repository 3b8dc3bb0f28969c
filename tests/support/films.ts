import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import HLS from 'hls-parser'
import { afterAll } from 'vitest'
import { type PackageRequest, packageVideo } from '#api/modules/media/package/package-video.ts'

const run = promisify(execFile)

/**
 * The machine's own ffmpeg. It makes the films and, independent of the store, decodes the streams.
 */
export const ffmpeg = async (...options: string[]) =>
  (await run('ffmpeg', ['-nostdin', '-hide_banner', '-y', ...options], { maxBuffer: 64 * 1024 * 1024 })).stderr

export const ffprobe = async (...options: string[]) => (await run('ffprobe', ['-v', 'error', ...options])).stdout

/** A temporary folder, removed after the file's last test. */
export const openFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-films-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Inputs of ffmpeg: a small test picture and a tone. */
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
    source,
    name,
    ...folders,
    postersFolder: join(place, 'posters'),
    workFolder: join(place, 'work'),
    options: { captions: [], audio: [], chapters: [], ...options },
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...others,
  })
  return { ...packaged, ...folders, postersFolder: join(place, 'posters'), place }
}

/** Warnings of ffmpeg as it decodes every rendition of a stream; empty for a valid one. */
export const decoderWarnings = async (folder: string) => {
  const output = await ffmpeg(
    ...['-v', 'warning', '-i', join(folder, 'master.m3u8'), '-map', '0:v', '-map', '0:a?', '-f', 'null', '-'],
  )
  // ffmpeg supports no caption playlists.
  return output.split('\n').filter((line) => line && !line.includes("Can't support the subtitle"))
}

/**
 * Reads a stream's playlists with a parser that is not the product's and throws at every departure
 * from RFC 8216. Returns for each rendition its duration and its longest segment, in seconds.
 */
export const parsedRenditions = async (folder: string) => {
  HLS.setOptions({ strictMode: true, silent: true })
  const parse = async (path: string) => HLS.parse(await readFile(join(folder, path), 'utf8'))
  const master = await parse('master.m3u8')
  if (!('variants' in master)) throw new Error('The master playlist names no renditions.')
  const renditions = master.variants.flatMap(({ uri, audio, subtitles }) => [
    uri,
    ...[...audio, ...subtitles].flatMap((track) => track.uri ?? []),
  ])
  return Promise.all(
    [...new Set(renditions)].map(async (uri) => {
      const playlist = await parse(uri)
      if (!('segments' in playlist)) throw new Error(`${uri} has no segments.`)
      const durations = playlist.segments.map(({ duration }) => duration)
      return {
        uri,
        isComplete: playlist.endlist,
        seconds: durations.reduce((sum, duration) => sum + duration, 0),
        longest: Math.round(Math.max(...durations)),
        targetDuration: playlist.targetDuration,
      }
    }),
  )
}
