// Usage: node demo/film/verify.ts   (checks every packaged stream; make.ts does so for what it makes)
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ffmpeg } from './ffmpeg.ts'
import { packagedSegments } from './package.ts'
import type { Segment } from './playlists.ts'

/** What a player would not notice until it stalls, in seconds. */
const TOLERANCE = 0.001

/** ffmpeg says so of every caption playlist; it has no say in whether players read them. */
const SUBTITLES_IGNORED = /Can't support the subtitle/

/** Throws when a packaged stream does not decode cleanly, or its playlists promise what the segments do not hold. */
export async function verify(folder: string): Promise<void> {
  const master = await readFile(join(folder, 'master.m3u8'), 'utf8')
  const audio = await checkTrack(join(folder, 'audio'))
  const variants = [...master.matchAll(/#EXT-X-STREAM-INF:BANDWIDTH=(\d+),.*\n(.+)\/index\.m3u8/g)]
  if (variants.length === 0) throw new Error(`${folder}: the master playlist has no variants`)
  for (const [, bandwidth, name] of variants) {
    const video = await checkTrack(join(folder, name!))
    const peak = bitrate(video) + bitrate(audio)
    if (Number(bandwidth) < peak) throw new Error(`${folder}: ${name} peaks at ${peak}, above its ${bandwidth}`)
    await decode(join(folder, name!, 'index.m3u8'))
  }
  await decode(join(folder, 'audio', 'index.m3u8'))
  await decode(join(folder, 'master.m3u8'))
}

/** Compares the lengths in a playlist with those of its fragments, and that each begins where the last ended. */
async function checkTrack(folder: string): Promise<Segment[]> {
  const init = await readFile(join(folder, 'init.mp4'))
  const segments = await packagedSegments(folder)
  const scale = timescale(init)
  let expected: number | undefined
  for (const { file, seconds } of segments) {
    const fragment = fragmentTimes(await readFile(join(folder, file)))
    const start = fragment.start / scale
    const length = fragment.length / scale
    if (Math.abs(length - seconds) > TOLERANCE)
      throw new Error(`${folder}/${file}: lasts ${length}, its playlist says ${seconds}`)
    if (expected !== undefined && Math.abs(start - expected) > TOLERANCE)
      throw new Error(`${folder}/${file}: begins at ${start}, the one before ended at ${expected}`)
    expected = start + length
  }
  return segments
}

function bitrate(segments: readonly Segment[]): number {
  return Math.max(...segments.map(({ bytes, seconds }) => (bytes * 8) / seconds))
}

async function decode(playlist: string): Promise<void> {
  const running = ffmpeg('-v', 'warning', '-i', playlist, '-map', '0:v?', '-map', '0:a?', '-f', 'null', '-')
  running.stdin.end()
  const words = (await running.finished)
    .split('\n')
    .filter((line) => line && !SUBTITLES_IGNORED.test(line))
    .join('\n')
  if (words) throw new Error(`${playlist}: ${words}`)
}

/** Units a second of the only track, from its media header. */
function timescale(init: Buffer): number {
  const mdhd = box(init, 'moov', 'trak', 'mdia', 'mdhd')
  return mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12)
}

/** Where a fragment begins in decoding order and how long its samples last, in units of the track. */
function fragmentTimes(segment: Buffer): { start: number; length: number } {
  const tfdt = box(segment, 'moof', 'traf', 'tfdt')
  const tfhd = box(segment, 'moof', 'traf', 'tfhd')
  const trun = box(segment, 'moof', 'traf', 'trun')
  const has = (flag: number) => (trun.readUInt32BE(0) & flag) !== 0
  const count = trun.readUInt32BE(4)
  const rowBytes = [0x100, 0x200, 0x400, 0x800].filter(has).length * 4
  let length = has(0x100) ? 0 : count * defaultDuration(tfhd)
  if (has(0x100)) {
    const first = 8 + (has(0x1) ? 4 : 0) + (has(0x4) ? 4 : 0)
    for (let row = 0; row < count; row++) length += trun.readUInt32BE(first + row * rowBytes)
  }
  return { start: tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4), length }
}

function defaultDuration(tfhd: Buffer): number {
  const flags = tfhd.readUInt32BE(0)
  if ((flags & 0x8) === 0) throw new Error('The fragment states no sample durations')
  return tfhd.readUInt32BE(8 + (flags & 0x1 ? 8 : 0) + (flags & 0x2 ? 4 : 0))
}

/** The content of the first box at a path such as moof, traf, tfdt. */
function box(bytes: Buffer, ...path: string[]): Buffer {
  let content = bytes
  for (const name of path) {
    let at = 0
    while (content.toString('latin1', at + 4, at + 8) !== name) {
      at += content.readUInt32BE(at)
      if (at >= content.length) throw new Error(`There is no ${path.join('/')} box`)
    }
    content = content.subarray(at + 8, at + content.readUInt32BE(at))
  }
  return content
}

if (import.meta.main) {
  const media = join(import.meta.dirname, '../media/video')
  for (const entry of await readdir(media, { withFileTypes: true }))
    if (entry.isDirectory()) {
      await verify(join(media, entry.name))
      console.log(`${entry.name}: sound`)
    }
}
