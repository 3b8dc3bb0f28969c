import { elementAt } from '#api/platform/elements.ts'
import type { Language } from './chapters.ts'

/** A stored media segment with the duration that its playlist states. */
export interface Segment {
  readonly file: string
  readonly seconds: number
  readonly bytes: number
}

/**
 * A key frame inside a segment: the bytes of its fragment and the time until the next key frame.
 */
export interface KeyFrame {
  readonly file: string
  readonly at: number
  readonly bytes: number
  readonly startSeconds: number
  readonly seconds: number
}

export interface Track {
  /** The folder of the track. */
  readonly name: string
  /** The codec string of RFC 6381, such as avc1.64001f. */
  readonly codec: string
  readonly seconds: number
  readonly segments: readonly Segment[]
  /** Empty for audio. */
  readonly keyFrames: readonly KeyFrame[]
}

export interface VideoTrack extends Track {
  readonly width: number
  readonly height: number
}

export interface AudioTrack extends Track, Language {}

const playlistHeader = ['#EXTM3U', '#EXT-X-VERSION:7']

/** Writes a finished playlist of fragmented MP4 segments beside `init.mp4`. */
export const mediaPlaylist = (segments: readonly Segment[], target: number) =>
  lines([
    ...playlistHeader,
    `#EXT-X-TARGETDURATION:${target}`,
    '#EXT-X-MEDIA-SEQUENCE:1',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
    ...segments.flatMap(({ file, seconds }) => [`#EXTINF:${seconds.toFixed(6)},`, file]),
    '#EXT-X-ENDLIST',
  ])

/** Writes an I-frame playlist, used for fast-forward and timeline pictures. */
export const keyFramePlaylist = (keyFrames: readonly KeyFrame[]) =>
  lines([
    ...playlistHeader,
    `#EXT-X-TARGETDURATION:${targetDuration(keyFrames)}`,
    '#EXT-X-MEDIA-SEQUENCE:1',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-I-FRAMES-ONLY',
    '#EXT-X-MAP:URI="init.mp4"',
    ...keyFrames.flatMap(({ file, at, bytes, seconds }) => [
      `#EXTINF:${seconds.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${bytes}@${at}`,
      file,
    ]),
    '#EXT-X-ENDLIST',
  ])

/** Writes a playlist with a complete caption file as its only segment. */
export const captionPlaylist = (file: string, seconds: number) =>
  lines([
    ...playlistHeader,
    `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`,
    '#EXT-X-MEDIA-SEQUENCE:1',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${seconds.toFixed(6)},`,
    file,
    '#EXT-X-ENDLIST',
  ])

/** Captions, with the name of their files without the extension; by default the language. */
interface CaptionFile extends Language {
  readonly file?: string
}

export interface Master {
  readonly video: readonly VideoTrack[]
  /** The first track is the default. */
  readonly audio: readonly AudioTrack[]
  readonly captions: readonly CaptionFile[]
  readonly framesPerSecond: number
  readonly target: number
}

/**
 * Writes the master playlist: video renditions, audio and captions by language, and I-frame
 * playlists.
 */
export function masterPlaylist({ video, audio, captions, framesPerSecond, target }: Master): string {
  const peak = (track: Track) => peakBitrate(track.segments, target)
  const max = (of: (track: Track) => number) => Math.max(0, ...audio.map(of))
  const [peakSound, averageSound] = [max(peak), max(({ segments }) => averageBitrate(segments))]
  const codecs = [...new Set(audio.map(({ codec }) => codec))]
  const audioNames = distinctNames(audio)
  return lines([
    ...playlistHeader,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...audio.map((track, at) =>
      tag('MEDIA', [
        'TYPE=AUDIO',
        'GROUP-ID="audio"',
        `NAME=${quoted(elementAt(audioNames, at))}`,
        ...(track.language === 'und' ? [] : [`LANGUAGE="${track.language}"`]),
        `DEFAULT=${at === 0 ? 'YES' : 'NO'}`,
        'AUTOSELECT=YES',
        'CHANNELS="2"',
        `URI="${track.name}/index.m3u8"`,
      ]),
    ),
    ...captionTags(captions),
    ...video.flatMap((track) => [
      tag('STREAM-INF', [
        `BANDWIDTH=${Math.ceil(peak(track) + peakSound)}`,
        `AVERAGE-BANDWIDTH=${Math.ceil(averageBitrate(track.segments) + averageSound)}`,
        `RESOLUTION=${track.width}x${track.height}`,
        `CODECS="${[track.codec, ...codecs].join(',')}"`,
        `FRAME-RATE=${framesPerSecond.toFixed(3)}`,
        'VIDEO-RANGE=SDR',
        ...(audio.length > 0 ? ['AUDIO="audio"'] : []),
        ...(captions.length > 0 ? [captionGroup] : []),
        'CLOSED-CAPTIONS=NONE',
      ]),
      `${track.name}/index.m3u8`,
    ]),
    ...video
      .filter(({ keyFrames }) => keyFrames.length > 0)
      .map((track) =>
        tag('I-FRAME-STREAM-INF', [
          `BANDWIDTH=${Math.ceil(peakBitrate(track.keyFrames, targetDuration(track.keyFrames)))}`,
          `AVERAGE-BANDWIDTH=${Math.ceil(averageBitrate(track.keyFrames))}`,
          `RESOLUTION=${track.width}x${track.height}`,
          `CODECS="${track.codec}"`,
          'VIDEO-RANGE=SDR',
          `URI="${track.name}/iframes.m3u8"`,
        ]),
      ),
  ])
}

const captionGroup = 'SUBTITLES="captions"'

const captionTags = (captions: readonly CaptionFile[]) => {
  const names = distinctNames(captions)
  return captions.map(({ language, file = language }, at) =>
    tag('MEDIA', [
      'TYPE=SUBTITLES',
      'GROUP-ID="captions"',
      `NAME=${quoted(elementAt(names, at))}`,
      `LANGUAGE="${language}"`,
      ...['DEFAULT=NO', 'AUTOSELECT=YES', 'FORCED=NO', `URI="captions/${file}.m3u8"`],
    ]),
  )
}

/** Returns a master playlist with other captions in place of its own. */
export function withCaptions(master: string, captions: readonly CaptionFile[]): string {
  const rows = master.split(/\r?\n/).filter((row) => row !== '' && !/^#EXT-X-MEDIA:.*\bTYPE=SUBTITLES\b/.test(row))
  const firstStream = rows.findIndex((row) => row.startsWith('#EXT-X-STREAM-INF:'))
  return lines(
    rows.flatMap((row, at) => {
      const tags = at === firstStream ? captionTags(captions) : []
      if (!row.startsWith('#EXT-X-STREAM-INF:')) return [...tags, row]
      const plain = row.replace(/,SUBTITLES="[^"]*"/, '').replace(/:SUBTITLES="[^"]*",/, ':')
      return [...tags, captions.length > 0 ? `${plain},${captionGroup}` : plain]
    }),
  )
}

const tag = (name: string, attributes: readonly string[]) => `#EXT-X-${name}:${attributes.join(',')}`

/** A quoted string in a playlist can contain neither quotes nor line breaks. */
const quoted = (text: string) => `"${text.replace(/["\p{Cc}]/gu, ' ').trim() || '-'}"`

/** RFC 8216 requires unique names within a group. */
const distinctNames = (tracks: readonly Language[]) =>
  tracks.map(({ label, language }, at) =>
    tracks.some((other, before) => before < at && other.label === label) ? `${label} (${language})` : label,
  )

interface Timed {
  readonly seconds: number
  readonly bytes: number
}

/** Returns the target duration: whole seconds that no rounded segment duration exceeds. */
export const targetDuration = (segments: readonly Timed[]) =>
  Math.max(1, Math.round(Math.max(...segments.map(({ seconds }) => seconds))))

/**
 * Returns the peak bit rate of RFC 8216: the maximum over contiguous segments that together last
 * 0.5 to 1.5 target durations. A single short segment at the end does not count.
 */
export function peakBitrate(segments: readonly Timed[], target: number): number {
  let peak = 0
  for (const first of segments.keys()) {
    let [seconds, bytes] = [0, 0]
    for (const segment of segments.slice(first)) {
      seconds += segment.seconds
      bytes += segment.bytes
      if (seconds > 1.5 * target) break
      if (seconds >= 0.5 * target) peak = Math.max(peak, (bytes * 8) / seconds)
    }
  }
  return peak || averageBitrate(segments)
}

/** Returns the average bit rate of segments in bits per second. */
function averageBitrate(segments: readonly Timed[]): number {
  const sum = (of: (each: Timed) => number) => segments.reduce((total, each) => total + of(each), 0)
  return (sum(({ bytes }) => bytes) * 8) / sum(({ seconds }) => seconds)
}

const lines = (all: readonly string[]) => `${all.join('\n')}\n`
