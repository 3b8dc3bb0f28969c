import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstOf } from '#api/platform/elements.ts'
import { cuesWithin, webVtt } from '#contract/captions.ts'
import { box, boxesIn, boxHeader, codecOf, fragment, type Sample, samplesOf, timescaleOf, uint32 } from './boxes.ts'
import type { Captions, Language } from './chapters.ts'
import {
  type AudioTrack,
  captionPlaylist,
  keyFramePlaylist,
  masterPlaylist,
  mediaPlaylist,
  type Segment,
  type Track,
  targetDuration,
  type VideoTrack,
} from './playlists.ts'

/** ffmpeg options for a track that `cutTrack` reads: one track per file, fragmented. */
export const fragmentedVideo = ['-movflags', '+frag_keyframe+empty_moov+default_base_moof', '-f', 'mp4']
export const fragmentedAudio = ['-movflags', '+empty_moov+default_base_moof', '-frag_duration', '4000000', '-f', 'mp4']

interface Cut {
  /** The target duration of a segment: a whole number of GOPs, equal for audio and video. */
  segmentSeconds: number
  /** Both are times of key frames, or the ends of the film. */
  fromSeconds?: number
  toSeconds?: number
}

/** A sample and its bytes. */
interface Piece extends Sample {
  data: Buffer
}

/**
 * Cuts one encoded track (a fragmented MP4 with one stream) into CMAF segments below `folder/name`,
 * without encoding. The first frame has presentation time zero. Every key frame is a separate
 * fragment, so that fast-forward can fetch it alone.
 */
export async function cutTrack(source: string, name: string, folder: string, cut: Cut): Promise<Track> {
  await mkdir(join(folder, name), { recursive: true })
  const pieces = readPieces(source)
  const { value: init } = await pieces.next()
  if (!Buffer.isBuffer(init)) throw new Error(`${source} has no initialization segment`)
  await writeFile(join(folder, name, 'init.mp4'), init)
  const scale = timescaleOf(init)
  const codec = codecOf(init)
  const isVideo = codec.startsWith('avc1')
  const from = (cut.fromSeconds ?? 0) * scale
  const to = (cut.toSeconds ?? Number.POSITIVE_INFINITY) * scale
  const writer = segmentWriter(join(folder, name), scale, isVideo)
  let origin: { time: number; shownAfter: number } | undefined
  let end = 0
  for await (const piece of pieces) {
    if (Buffer.isBuffer(piece)) continue
    const middle = piece.time + piece.duration / 2
    if (middle < from) continue
    if (piece.sync && middle >= to) break
    // Both tracks start at zero: video at its key frame, audio at the nearest frame.
    origin ??= { time: piece.time, shownAfter: piece.shownAfter }
    const time = piece.time - origin.time
    const due = (writer.segments.length + 1) * cut.segmentSeconds * scale
    if (piece.sync && time + piece.duration / 2 >= due) await writer.end(time)
    writer.add({ ...piece, time, shownAfter: piece.shownAfter - origin.shownAfter })
    end = time + piece.duration
  }
  if (end === 0) throw new Error(`${source} holds no sample from ${cut.fromSeconds ?? 0} s on`)
  await writer.end(end)
  const { segments, keyFrames } = writer
  return {
    name,
    codec,
    seconds: end / scale,
    segments,
    keyFrames: keyFrames.map((frame, at) => ({
      ...frame,
      seconds: (keyFrames[at + 1]?.startSeconds ?? end / scale) - frame.startSeconds,
    })),
  }
}

const segmentType = box('styp', Buffer.from('msdh\0\0\0\0msdhcmfs', 'latin1'))

function segmentWriter(folder: string, scale: number, isVideo: boolean) {
  const segments: Segment[] = []
  const keyFrames: { file: string; at: number; bytes: number; startSeconds: number }[] = []
  let pending: Piece[] = []
  let begun = 0
  let sequence = 0
  return {
    segments,
    keyFrames,
    add: (piece: Piece) => pending.push(piece),
    end: async (until: number) => {
      const file = `seg_${String(segments.length + 1).padStart(4, '0')}.m4s`
      const parts = [segmentType]
      let bytes = segmentType.length
      for (const run of isVideo ? runsOf(pending) : [pending]) {
        const first = firstOf(run)
        const data = run.map((piece) => piece.data)
        const part = fragment(++sequence, first.time, run, data)
        if (isVideo && first.sync)
          keyFrames.push({ file, at: bytes, bytes: part.length, startSeconds: first.time / scale })
        parts.push(part)
        bytes += part.length
      }
      await writeFile(join(folder, file), parts)
      segments.push({ file, seconds: (until - begun) / scale, bytes })
      pending = []
      begun = until
    },
  }
}

/** Groups each key frame alone, followed by the frames that depend on it. */
function runsOf(pieces: readonly Piece[]): Piece[][] {
  const runs: Piece[][] = []
  for (const piece of pieces) {
    const last = runs.at(-1)
    if (piece.sync || !last || firstOf(last).sync) runs.push([piece])
    else last.push(piece)
  }
  return runs
}

/** Yields the initialization segment, then each sample. Holds one fragment in memory at a time. */
async function* readPieces(source: string): AsyncGenerator<Buffer | Piece> {
  await using file = await open(source)
  const read = async (at: number, bytes: number) => {
    const buffer = Buffer.alloc(bytes)
    const { bytesRead } = await file.read(buffer, 0, bytes, at)
    return buffer.subarray(0, bytesRead)
  }
  for (let at = 0; ; ) {
    const head = await read(at, 16)
    if (head.length < 8) return
    const { size, type } = boxHeader(head)
    if (type === 'moov') yield initialization(await read(at, size))
    if (type === 'moof') {
      // Includes the header of the mdat box, which holds the fragment's size.
      const moof = await read(at, size + 16)
      const data = boxHeader(moof.subarray(size))
      const fragment = await read(at, size + data.size)
      for (const sample of samplesOf(firstOf(boxesIn(fragment)).content))
        yield { ...sample, data: fragment.subarray(sample.at, sample.at + sample.bytes) }
      at += size + data.size
    } else at += size
  }
}

/** Writes the encoder's moov without its user data, under the brands of CMAF. */
function initialization(moov: Buffer): Buffer {
  const boxes = boxesIn(firstOf(boxesIn(moov)).content).filter(({ type }) => type !== 'udta')
  return Buffer.concat([
    box('ftyp', Buffer.from('iso6', 'latin1'), uint32(0), Buffer.from('iso6cmfcmp41', 'latin1')),
    box('moov', ...boxes.map(({ type, content }) => box(type, content))),
  ])
}

export interface Stream {
  readonly video: readonly VideoTrack[]
  readonly audio: readonly AudioTrack[]
  readonly captions: readonly Captions[]
  readonly framesPerSecond: number
  /** Where in the film the stream begins. A preview and its captions may begin later than zero. */
  readonly fromSeconds?: number
}

/** Writes the playlists and captions of a stream whose segments are in `folder`. */
export async function writeStream(folder: string, stream: Stream): Promise<void> {
  const { video, audio, framesPerSecond, fromSeconds = 0 } = stream
  const seconds = Math.max(...video.map((track) => track.seconds))
  // RFC 8216 recommends one target duration for all renditions.
  const target = targetDuration([...video, ...audio].flatMap(({ segments }) => segments))
  for (const { name, segments, keyFrames } of [...video, ...audio]) {
    await writeFile(join(folder, name, 'index.m3u8'), mediaPlaylist(segments, target))
    if (keyFrames.length > 0) await writeFile(join(folder, name, 'iframes.m3u8'), keyFramePlaylist(keyFrames))
  }
  const captions = stream.captions.map(({ cues, ...language }) => ({
    ...language,
    cues: cuesWithin(cues, fromSeconds, fromSeconds + seconds),
  }))
  if (captions.length > 0) await mkdir(join(folder, 'captions'), { recursive: true })
  for (const { language, file = language, cues } of captions) {
    await writeFile(join(folder, 'captions', `${file}.vtt`), webVtt(cues))
    await writeFile(join(folder, 'captions', `${file}.m3u8`), captionPlaylist(`${file}.vtt`, seconds))
  }
  await writeFile(join(folder, 'master.m3u8'), masterPlaylist({ video, audio, captions, framesPerSecond, target }))
}

/** Returns the time between the first two key frames of a segment; null if it has one. */
export function gopSecondsOf(init: Buffer, segment: Buffer): number | null {
  const samples = boxesIn(segment).flatMap(({ type, content }) => (type === 'moof' ? samplesOf(content) : []))
  const [first, second] = samples.filter(({ sync }) => sync)
  return first && second ? (second.time - first.time) / timescaleOf(init) : null
}

/** GOPs, of two seconds each, per segment. */
const gopsPerSegment = 2

interface EncodedStream extends Pick<Stream, 'captions' | 'framesPerSecond' | 'fromSeconds'> {
  /** Each has the path of a fragmented MP4 with one track. */
  rungs: readonly { path: string; name: string; width: number; height: number }[]
  sounds: readonly ({ path: string; name: string } & Language)[]
  gopSeconds: number
  /** The end of the pictures. Sound ends with them. */
  toSeconds?: number
}

/** Cuts all tracks of a stream and writes its playlists. Returns its length in seconds. */
export async function cutStream(folder: string, stream: EncodedStream, signal: AbortSignal): Promise<number> {
  const { captions, framesPerSecond, fromSeconds = 0, toSeconds } = stream
  const range = { segmentSeconds: gopsPerSegment * stream.gopSeconds, fromSeconds }
  const video: VideoTrack[] = []
  for (const { path, name, width, height } of stream.rungs) {
    signal.throwIfAborted()
    const track = await cutTrack(path, name, folder, { ...range, ...(toSeconds !== undefined && { toSeconds }) })
    video.push({ ...track, width, height })
  }
  const seconds = Math.max(...video.map((track) => track.seconds))
  const audio: AudioTrack[] = []
  for (const { path, name, language, label } of stream.sounds) {
    signal.throwIfAborted()
    const track = await cutTrack(path, name, folder, { ...range, toSeconds: fromSeconds + seconds })
    audio.push({ ...track, language, label })
  }
  await writeStream(folder, { video, audio, captions, framesPerSecond, fromSeconds })
  return seconds
}

export interface PackageProgress {
  step: 'PROBE' | 'ENCODE' | 'PACKAGE'
  /** Percent of the whole work. */
  percent: number
  /** Seconds; null until there is enough data for an estimate. */
  secondsLeft: number | null
}

/**
 * The share of the work, in percent, at which each step ends; measured on films of minutes to
 * hours.
 */
const stepEnds = { PROBE: 4, ENCODE: 98, PACKAGE: 100 } as const
const stepStarts = { PROBE: 0, ENCODE: stepEnds.PROBE, PACKAGE: stepEnds.ENCODE } as const
/** Seconds. An estimate from less time is far too high. */
const minSeconds = 2

/**
 * Reports progress that never decreases. The remaining time follows from the speed of the current
 * step.
 */
export function progressReporter(onProgress: (progress: PackageProgress) => void) {
  let percent = 0
  let current: PackageProgress['step'] = 'PROBE'
  let begun = performance.now()
  return (step: PackageProgress['step'], part: number) => {
    if (step !== current) {
      current = step
      begun = performance.now()
    }
    const width = stepEnds[step] - stepStarts[step]
    percent = Math.max(percent, stepStarts[step] + width * Math.min(1, Math.max(0, part)))
    const elapsed = (performance.now() - begun) / 1000
    const done = percent - stepStarts[step]
    const isEstimable = step === 'ENCODE' && elapsed >= minSeconds && done > 0
    onProgress({ step, percent, secondsLeft: isEstimable ? Math.round((elapsed / done) * (100 - percent)) : null })
  }
}
