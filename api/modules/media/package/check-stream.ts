import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { firstOf, lastOf } from '#api/platform/elements.ts'
import { boxAt, boxesIn, codecOf, type Sample, samplesOf, timescaleOf } from './boxes.ts'
import { addressesOf, checkMaster, checkMedia, readPlaylist } from './check-playlists.ts'

/** Seconds. Players do not notice smaller gaps. */
const tolerance = 0.001
/** Seconds. Audio ends with a complete frame, which may pass the end of the pictures. */
const endTolerance = 0.1

interface Rendition {
  seconds: number
  target: number
  segments: { seconds: number; bytes: number }[]
  keyFrames: number[]
  codec: string
  size: string | null
  framesPerSecond: number
}

/**
 * Returns the errors of a stream by RFC 8216; empty for a valid one. It compares the playlists
 * (bandwidth, durations, sizes, codecs) with the bytes and the times of every sample.
 */
export async function checkStream(folder: string): Promise<string[]> {
  const faults: string[] = []
  const about = (file: string) => (what: string) => void faults.push(`${file}: ${what}`)
  const open = async (file: string) => readPlaylist(await readFile(join(folder, file), 'utf8'), about(file))
  const master = await open('master.m3u8')
  checkMaster(master, about('master.m3u8'))
  for (const uri of addressesOf(master)) await open(uri)

  const named = (name: string) => master.filter((tag) => tag.name === name)
  const media = (type: string) => named('EXT-X-MEDIA').filter(({ attributes }) => attributes.TYPE === type)
  const read = async (uri: string) => checkRendition(folder, uri, checkMedia(await open(uri), about(uri)), about(uri))
  const sounds = await Promise.all(media('AUDIO').map(({ attributes: { URI = '' } }) => read(URI)))
  let first: Rendition | undefined
  for (const { attributes, uri = '' } of named('EXT-X-STREAM-INF')) {
    const fault = about(uri)
    const pictures = await read(uri)
    first ??= pictures
    compareWithMaster(attributes, pictures, sounds, fault)
    if (pictures.keyFrames.join() !== first.keyFrames.join())
      fault('has its key frames elsewhere than the first variant')
    for (const other of [...sounds, first]) {
      if (other.target !== pictures.target) fault('has another target duration than what it is played with')
      if (Math.abs(other.seconds - pictures.seconds) > endTolerance)
        fault(`lasts ${pictures.seconds} s, what it is played with ${other.seconds}`)
    }
    const iFramePlaylist = named('EXT-X-I-FRAME-STREAM-INF').find(
      ({ attributes: of }) => of.URI && dirname(of.URI) === dirname(uri),
    )
    if (iFramePlaylist)
      await checkKeyFrames(
        folder,
        iFramePlaylist.attributes,
        checkMedia(await open(iFramePlaylist.attributes.URI ?? ''), fault),
        pictures,
        fault,
      )
  }
  for (const {
    attributes: { URI: playlist = '' },
  } of media('SUBTITLES')) {
    const { entries } = checkMedia(await open(playlist), about(playlist))
    for (const { uri } of entries) {
      const text = await readFile(join(folder, dirname(playlist), uri), 'utf8')
      if (!/^WEBVTT\n/.test(text)) about(uri)('is no WebVTT')
      if (Math.abs(entries.reduce((sum, { seconds }) => sum + seconds, 0) - (first?.seconds ?? 0)) > endTolerance)
        about(playlist)('is not as long as the pictures')
    }
  }
  return faults
}

/**
 * Reads every segment by sample and checks continuous times, a key frame first, stated durations,
 * and complete use of all bytes.
 */
async function checkRendition(
  folder: string,
  playlist: string,
  { target, entries }: ReturnType<typeof checkMedia>,
  fault: (what: string) => void,
): Promise<Rendition> {
  const place = join(folder, dirname(playlist))
  const init = await readFile(join(place, 'init.mp4'))
  const scale = timescaleOf(init)
  const shown: { at: number; duration: number }[] = []
  const segments: Rendition['segments'] = []
  const keyFrames: number[] = []
  let expected = 0
  for (const { uri, seconds } of entries) {
    const bytes = await readFile(join(place, uri))
    const samples = samplesIn(bytes, (what) => fault(`${uri} ${what}`))
    const [first, last] = [firstOf(samples), lastOf(samples)]
    const [begin, end] = [first.time / scale, (last.time + last.duration) / scale]
    if (Math.abs(begin - expected) > tolerance) fault(`${uri} begins at ${begin}, the one before ended at ${expected}`)
    if (Math.abs(end - begin - seconds) > tolerance) fault(`${uri} lasts ${end - begin}, its playlist says ${seconds}`)
    if (!first.sync) fault(`${uri} does not begin with a key frame`)
    for (const { time, shownAfter, duration, sync } of samples) {
      shown.push({ at: (time + shownAfter) / scale, duration: duration / scale })
      if (sync) keyFrames.push(Math.round(((time + shownAfter) / scale) * 1000))
    }
    segments.push({ seconds: end - begin, bytes: bytes.length })
    expected = end
  }
  const unexpectedFiles = (await readdir(place)).filter(
    (file) => file.endsWith('.m4s') && !entries.some(({ uri }) => uri === file),
  )
  if (unexpectedFiles.length > 0) fault(`its folder has files that no playlist names: ${unexpectedFiles.join(', ')}`)
  shown.sort((a, b) => a.at - b.at)
  const { at: start } = firstOf(shown)
  if (Math.abs(start) > tolerance) fault(`is seen or heard from ${start} s on, not from zero`)
  const hole = shown.find(({ at, duration }, index) => {
    const next = shown[index + 1]
    return next !== undefined && Math.abs(at + duration - next.at) > tolerance
  })
  if (hole) fault(`has a hole or an overlap after ${hole.at} s`)
  const { type, content } = firstOf(boxesIn(boxAt(init, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd').subarray(8)))
  const size = type === 'avc1' ? `${content.readUInt16BE(24)}x${content.readUInt16BE(26)}` : null
  return {
    seconds: expected,
    target,
    segments,
    keyFrames,
    codec: codecOf(init),
    size,
    framesPerSecond: shown.length / expected,
  }
}

function samplesIn(bytes: Buffer, fault: (what: string) => void): Sample[] {
  const samples: Sample[] = []
  const boxes = boxesIn(bytes)
  for (const [index, { type, at, bytes: size, content }] of boxes.entries()) {
    if (type !== 'moof') continue
    const data = boxes[index + 1]
    const ownSamples = samplesOf(content)
    const [first, final] = [firstOf(ownSamples), lastOf(ownSamples)]
    const [begin, end] = [at + first.at, at + final.at + final.bytes]
    if (data?.type !== 'mdat' || begin !== at + size + 8 || end !== data.at + data.bytes)
      fault('has a fragment whose samples are not what lies in it')
    const last = samples.at(-1)
    if (last && last.time + last.duration !== first.time) fault('has a hole between its fragments')
    samples.push(...ownSamples)
  }
  if (boxes.reduce((sum, { bytes: size }) => sum + size, 0) !== bytes.length)
    fault('is cut off, or has bytes left over')
  return samples
}

function compareWithMaster(
  attributes: Record<string, string>,
  pictures: Rendition,
  sounds: readonly Rendition[],
  fault: (what: string) => void,
): void {
  const peak = bits(pictures, 'peak') + Math.max(0, ...sounds.map((sound) => bits(sound, 'peak')))
  const average = bits(pictures, 'average') + Math.max(0, ...sounds.map((sound) => bits(sound, 'average')))
  const [bandwidth, stated] = [Number(attributes.BANDWIDTH), Number(attributes['AVERAGE-BANDWIDTH'])]
  if (bandwidth < peak || bandwidth > peak * 1.1 + 1000) fault(`peaks at ${peak}, its BANDWIDTH says ${bandwidth}`)
  if (Math.abs(stated / average - 1) > 0.01) fault(`averages ${average}, its AVERAGE-BANDWIDTH says ${stated}`)
  const codecs = [pictures.codec, ...new Set(sounds.map(({ codec }) => codec))].join()
  if (attributes.CODECS !== codecs) fault(`is ${codecs}, its CODECS say ${attributes.CODECS}`)
  if (attributes.RESOLUTION !== pictures.size)
    fault(`is ${pictures.size}, its RESOLUTION says ${attributes.RESOLUTION}`)
  if (Math.abs(Number(attributes['FRAME-RATE']) - pictures.framesPerSecond) > 0.01)
    fault(`has ${pictures.framesPerSecond} frames a second, its FRAME-RATE says ${attributes['FRAME-RATE']}`)
}

/**
 * The peak bit rate of RFC 8216: the maximum over contiguous segments that together last 0.5 to 1.5
 * target durations.
 */
function bits({ segments, target }: Rendition, which: 'peak' | 'average'): number {
  const rate = (part: Rendition['segments']) =>
    (8 * part.reduce((sum, { bytes }) => sum + bytes, 0)) / part.reduce((sum, { seconds }) => sum + seconds, 0)
  if (which === 'average') return rate(segments)
  const runs = segments.flatMap((_, first) =>
    [1, 2, 3, 4, 5]
      .map((length) => segments.slice(first, first + length))
      .filter((run) => {
        const seconds = run.reduce((sum, segment) => sum + segment.seconds, 0)
        return seconds >= target / 2 && seconds <= target * 1.5
      }),
  )
  return runs.length > 0 ? Math.max(...runs.map(rate)) : rate(segments)
}

/**
 * Checks that each byte range of an I-frame playlist is one fragment with one key frame, and that
 * every key frame has one.
 */
async function checkKeyFrames(
  folder: string,
  attributes: Record<string, string>,
  { entries, target }: ReturnType<typeof checkMedia>,
  pictures: Rendition,
  fault: (what: string) => void,
): Promise<void> {
  const place = join(folder, dirname(attributes.URI ?? ''))
  const scale = timescaleOf(await readFile(join(place, 'init.mp4')))
  const keyFrames: number[] = []
  for (const { uri, range } of entries) {
    if (!range) fault(`its key frame playlist has no byte range at ${uri}`)
    else {
      const bytes = (await readFile(join(place, uri))).subarray(range.at, range.at + range.bytes)
      const samples = samplesIn(bytes, (what) => fault(`the key frame ${range.bytes}@${range.at} of ${uri} ${what}`))
      if (samples.length !== 1 || !samples[0]?.sync)
        fault(`${range.bytes}@${range.at} of ${uri} is no single key frame`)
      keyFrames.push(...samples.map(({ time, shownAfter }) => Math.round(((time + shownAfter) / scale) * 1000)))
    }
  }
  if (keyFrames.join() !== pictures.keyFrames.join()) fault('its key frame playlist does not list every key frame')
  const peak = bits(
    { ...pictures, target, segments: entries.map(({ seconds, range }) => ({ seconds, bytes: range?.bytes ?? 0 })) },
    'peak',
  )
  if (Number(attributes.BANDWIDTH) < peak)
    fault(`its key frames peak at ${peak}, their BANDWIDTH says ${attributes.BANDWIDTH}`)
  if (attributes.RESOLUTION !== pictures.size) fault('its key frames are of another size')
}
