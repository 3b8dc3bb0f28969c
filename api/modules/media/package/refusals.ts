import type { RawProbe, RawStream } from './probe.ts'

export type RefusalCode =
  | 'NOT_A_VIDEO'
  | 'DAMAGED'
  | 'NO_PICTURE'
  | 'UNREADABLE_CODEC'
  | 'TOO_LARGE'
  | 'TOO_SMALL'
  | 'TOO_LONG'
  | 'BAD_CAPTIONS'
  | 'BAD_AUDIO'
  | 'BAD_CHAPTERS'
  | 'BAD_PREVIEW'

/** The file or its options cannot become a stream. The message is shown to operators. */
export class VideoRefused extends Error {
  override readonly name = 'VideoRefused'
  readonly code: RefusalCode
  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** This machine has no ffmpeg. The file may be valid. */
export class EncoderMissing extends Error {
  override readonly name = 'EncoderMissing'
}

/** ffmpeg failed for a reason outside the file, such as a full disk or a missing encoder. */
export class EncoderFailed extends Error {
  override readonly name = 'EncoderFailed'
}

/** Bibliographic codes of ISO 639-2, which occur in files and which browsers do not support. */
const bibliographic: Record<string, string> = {
  alb: 'sq',
  arm: 'hy',
  baq: 'eu',
  bur: 'my',
  chi: 'zh',
  cze: 'cs',
  dut: 'nl',
  fre: 'fr',
  geo: 'ka',
  ger: 'de',
  gre: 'el',
  ice: 'is',
  mac: 'mk',
  may: 'ms',
  mao: 'mi',
  per: 'fa',
  rum: 'ro',
  slo: 'sk',
  tib: 'bo',
  wel: 'cy',
}

export const unknownLanguage = 'und'

/**
 * Returns the tag in the form of HLS and browsers (`ko`, `pt-BR`), or null if it is invalid. The
 * tag is safe in a file name.
 */
export function languageTag(given: string | undefined): string | null {
  if (!given) return null
  const lower = given.trim().replaceAll('_', '-')
  try {
    const [tag] = Intl.getCanonicalLocales(bibliographic[lower.toLowerCase()] ?? lower)
    return tag && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && tag !== unknownLanguage ? tag : null
  } catch {
    return null
  }
}

/** Returns the name of the language in that language: 한국어, English, 日本語. */
export const languageLabel = (tag: string) =>
  tag === unknownLanguage ? 'Original' : (new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag)

/**
 * Parses the stream description that ffmpeg prints, for machines without ffprobe. The text has
 * fewer details; missing ones count as unknown.
 */
export function parsePhrases(output: string): RawProbe {
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
  const found = (pattern: RegExp) => pattern.exec(text)?.[1]
  const [, width, height] = /, (\d{1,5})x(\d{1,5})/.exec(text) ?? []
  const aspect = found(/\bSAR (\d+:\d+)/)
  const [average, rate] = [found(/, ([\d.]+k?) fps/), found(/, ([\d.]+k?) tbr/)]
  const transfer = found(/\b(smpte2084|arib-std-b67)\b/)
  return {
    index,
    codec_type: kind,
    codec_name: found(/^(\w+)/) ?? 'unknown',
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
