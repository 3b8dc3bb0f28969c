import { open } from 'node:fs/promises'
import { type Programs, runProgram } from './programs.ts'
import { EncoderFailed, languageTag, VideoRefused } from './refusals.ts'

/** Frames per second as a fraction. */
export interface Rate {
  numerator: number
  denominator: number
}

export interface SourceVideo {
  /** The index of the stream in the file. */
  index: number
  codec: string
  /** The displayed width: upright, with square pixels. */
  width: number
  height: number
  /** The stated rate and the average rate. They differ if the rate varies. */
  rate: Rate | null
  averageRate: Rate | null
  seconds: number | null
  interlaced: boolean
  /** The HDR transfer curve. Such video is converted to standard dynamic range. */
  hdr: 'smpte2084' | 'arib-std-b67' | null
}

interface SourceTrack {
  index: number
  codec: string
  language: string | null
}

export interface Source {
  seconds: number
  video: SourceVideo | null
  audio: SourceTrack[]
  /** Text tracks only: bitmap subtitles cannot become captions. */
  texts: SourceTrack[]
  chapters: { startSeconds: number; title: string }[]
}

/**
 * Self-contained containers. Playlists, concat scripts and image patterns refer to other files or
 * addresses and are never opened, whatever the file name is.
 */
const containers =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,flv,asf,mxf,ogg,dv,nut,ivf,wav,mp3,aac,flac,aiff,caf,w64,ac3,eac3,amr'

/**
 * Input options for an untrusted file: a plain path without access to other files or the network.
 */
export const inputOptions = (path: string) => [
  ...['-protocol_whitelist', 'file', '-format_whitelist', containers],
  ...['-i', `file:${path}`],
]

const textCodecs = new Set(['subrip', 'srt', 'webvtt', 'mov_text', 'ass', 'ssa', 'text'])
/** Milliseconds. No valid file takes as long to probe. */
const probeTimeout = 60_000

interface RawStream {
  index: number
  codec_type?: string
  codec_name?: string
  codec_tag_string?: string
  width?: number
  height?: number
  sample_aspect_ratio?: string
  r_frame_rate?: string
  avg_frame_rate?: string
  duration?: string
  field_order?: string
  color_transfer?: string
  channels?: number
  disposition?: { attached_pic?: number; default?: number }
  tags?: Record<string, string>
  side_data_list?: { rotation?: number }[]
}

interface RawProbe {
  streams?: RawStream[]
  format?: { duration?: string; format_name?: string }
  chapters?: { start_time?: string; tags?: { title?: string } }[]
}

/**
 * Reads the streams of a file.
 *
 * @throws VideoRefused if the file is not a readable video.
 */
export async function probe(programs: Programs, path: string, name: string, signal: AbortSignal): Promise<Source> {
  const start = await firstBytes(path)
  if (start.length === 0) throw new VideoRefused('NOT_A_VIDEO', `"${name}" is empty.`)
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(probeTimeout)])
    return read(
      await (programs.ffprobe
        ? probeWithFfprobe(programs.ffprobe, path, within)
        : probeWithFfmpeg(programs.ffmpeg, path, within)),
    )
  } catch (error) {
    signal.throwIfAborted()
    throw refusalFor(error, name, start)
  }
}

async function probeWithFfprobe(ffprobe: string, path: string, signal: AbortSignal): Promise<RawProbe> {
  const parts: Buffer[] = []
  await runProgram(
    ffprobe,
    [...['-v', 'error', '-show_format', '-show_streams', '-show_chapters', '-of', 'json'], ...inputOptions(path)],
    { signal, onOutput: (bytes) => parts.push(bytes) },
  )
  // The program's own format, of which `RawProbe` declares every part as optional.
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as RawProbe
}

/** Without an output, ffmpeg prints the streams of the input and exits with an error. */
async function probeWithFfmpeg(ffmpeg: string, path: string, signal: AbortSignal): Promise<RawProbe> {
  try {
    await runProgram(ffmpeg, ['-nostdin', '-hide_banner', ...inputOptions(path)], { signal })
  } catch (error) {
    if (error instanceof EncoderFailed && error.message.includes('Input #0')) return parsePhrases(error.message)
    throw error
  }
  throw new EncoderFailed('ffmpeg returned no information about the file.')
}

async function firstBytes(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0)
  return buffer.subarray(0, bytesRead)
}

/** ffmpeg accepts any file named .mp4; a valid one begins with one of these boxes. */
const isMp4 = (start: Buffer) => /^(ftyp|moov|mdat|wide|free|skip|pnot)$/.test(start.toString('latin1', 4, 8))

function refusalFor(error: unknown, name: string, start: Buffer): unknown {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new VideoRefused('DAMAGED', `"${name}" cannot be read: the analysis took longer than a minute.`)
  if (!(error instanceof EncoderFailed)) return error
  if (isMp4(start) && /moov atom not found/i.test(error.message))
    return new VideoRefused(
      'DAMAGED',
      `"${name}" is incomplete: the index at its end (moov) is missing. The file was probably not copied completely. Upload the complete file.`,
    )
  if (/not on whitelist|Invalid data found|Invalid argument|moov atom not found/i.test(error.message))
    return new VideoRefused(
      'NOT_A_VIDEO',
      `"${name}" is not a video file. Supported formats are MP4, MOV, MKV, WebM, AVI, MPEG and similar ones.`,
    )
  return error
}

function read({ streams = [], format = {}, chapters = [] }: RawProbe): Source {
  const pictures = streams.filter((each) => each.codec_type === 'video' && each.disposition?.attached_pic !== 1)
  const picture = pictures.find((each) => each.disposition?.default === 1) ?? pictures[0]
  const tracks = (kind: string) => streams.filter((each) => each.codec_type === kind)
  const byDefault = (a: RawStream, b: RawStream) => (b.disposition?.default ?? 0) - (a.disposition?.default ?? 0)
  const track = ({ index, codec_name = 'unknown', tags }: RawStream): SourceTrack => ({
    index,
    codec: codec_name,
    language: languageTag(tags?.language),
  })
  return {
    seconds: Number(format.duration) || Math.max(0, ...streams.map((each) => secondsOf(each) ?? 0)),
    video: picture ? pictureOf(picture) : null,
    audio: tracks('audio')
      .filter(({ channels }) => channels !== 0)
      .sort(byDefault)
      .map(track),
    texts: tracks('subtitle')
      .filter(({ codec_name = '' }) => textCodecs.has(codec_name))
      .map(track),
    chapters: chapters.map(({ start_time, tags }, at) => ({
      startSeconds: Number(start_time) || 0,
      title: tags?.title?.trim() || `${at + 1}`,
    })),
  }
}

function pictureOf(stream: RawStream): SourceVideo {
  const { width = 0, height = 0, codec_name, codec_tag_string } = stream
  const turned = Math.abs(Math.round(rotationOf(stream) / 90)) % 2 === 1
  const pixel = rateOf(stream.sample_aspect_ratio?.replace(':', '/'))
  const pixelAspectRatio = pixel ? pixel.numerator / pixel.denominator : 1
  // The longer side is retained, so that nothing is enlarged.
  const [wide, high] = pixelAspectRatio >= 1 ? [width, height / pixelAspectRatio] : [width * pixelAspectRatio, height]
  const transfer = stream.color_transfer
  return {
    index: stream.index,
    codec: codec_name ?? codec_tag_string ?? 'unknown',
    width: Math.round(turned ? high : wide),
    height: Math.round(turned ? wide : high),
    rate: rateOf(stream.r_frame_rate),
    averageRate: rateOf(stream.avg_frame_rate),
    seconds: secondsOf(stream),
    interlaced: /^(tt|bb|tb|bt)$/.test(stream.field_order ?? ''),
    hdr: transfer === 'smpte2084' || transfer === 'arib-std-b67' ? transfer : null,
  }
}

const rotationOf = ({ side_data_list, tags }: RawStream) =>
  side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? (Number(tags?.rotate) || 0)

/**
 * Matroska stores the duration of a track in a tag, as 00:00:03.000000000; ffprobe reports the
 * duration of the whole file for every track.
 */
function secondsOf({ duration, tags }: RawStream): number | null {
  const parts = /^(\d+):(\d+):([\d.]+)$/.exec(tags?.DURATION ?? '')
  const tagged = parts ? Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3]) : 0
  return tagged || Number(duration) || null
}

function rateOf(text: string | undefined): Rate | null {
  const [numerator = 0, denominator = 0] = (text ?? '').split('/').map(Number)
  return numerator > 0 && denominator > 0 ? { numerator, denominator } : null
}

/**
 * Parses the stream description that ffmpeg prints, for machines without ffprobe. The text has
 * fewer details; missing ones count as unknown.
 */
function parsePhrases(output: string): RawProbe {
  const streams: RawStream[] = []
  const chapters: NonNullable<RawProbe['chapters']> = []
  let tags: Record<string, string> = {}
  for (const line of output.split('\n')) {
    const stream = /^\s*Stream #0:(\d+)(?:\[\w+\])?(?:\((\w+)\))?: (Video|Audio|Subtitle): (.*)$/.exec(line)
    const chapter = /^\s*Chapter #0:\d+: start ([\d.]+)/.exec(line)
    const tag = /^\s+(title|DURATION)\s*: (.*)$/.exec(line)
    const turned = /displaymatrix: rotation of (-?[\d.]+) degrees/.exec(line)
    if (stream) {
      tags = stream[2] ? { language: stream[2] } : {}
      streams.push({ ...streamOf(Number(stream[1]), (stream[3] ?? '').toLowerCase(), stream[4] ?? ''), tags })
    } else if (chapter) {
      tags = {}
      chapters.push({ start_time: chapter[1] ?? '0', tags })
    } else if (tag) {
      const [, name = '', value = ''] = tag
      tags[name] = value
    } else if (turned) {
      const last = streams.at(-1)
      if (last) last.side_data_list = [{ rotation: Number(turned[1]) }]
    }
  }
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):([\d.]+)/.exec(output) ?? []
  const duration = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return { streams, chapters, format: duration > 0 ? { duration: String(duration) } : {} }
}

function streamOf(index: number, kind: string, text: string): RawStream {
  const firstGroup = (pattern: RegExp) => pattern.exec(text)?.[1]
  const [, width, height] = /, (\d{1,5})x(\d{1,5})/.exec(text) ?? []
  const aspect = firstGroup(/\bSAR (\d+:\d+)/)
  const [average, rate] = [firstGroup(/, ([\d.]+k?) fps/), firstGroup(/, ([\d.]+k?) tbr/)]
  const transfer = firstGroup(/\b(smpte2084|arib-std-b67)\b/)
  return {
    index,
    codec_type: kind,
    codec_name: firstGroup(/^(\w+)/) ?? 'unknown',
    ...(width ? { width: Number(width), height: Number(height) } : {}),
    ...(aspect ? { sample_aspect_ratio: aspect } : {}),
    ...(average ? { avg_frame_rate: fraction(average) } : {}),
    ...(rate ? { r_frame_rate: fraction(rate) } : {}),
    ...(/top first|top coded first/.test(text) ? { field_order: 'tt' } : {}),
    ...(/bottom first|bottom coded first/.test(text) ? { field_order: 'bb' } : {}),
    ...(transfer ? { color_transfer: transfer } : {}),
    disposition: { attached_pic: /\(attached pic\)/.test(text) ? 1 : 0, default: /\(default\)/.test(text) ? 1 : 0 },
  }
}

/** Restores the fraction of a rounded rate: 29.97 stands for 30000/1001. */
function fraction(text: string): string {
  const value = text.endsWith('k') ? Number.parseFloat(text) * 1000 : Number(text)
  const ntsc = Math.round(value * 1.001)
  return Math.abs((ntsc * 1000) / 1001 - value) < 0.006 && Math.abs(value - Math.round(value)) > 0.006
    ? `${ntsc * 1000}/1001`
    : `${Math.round(value * 1000)}/1000`
}
