/** A media segment on disk, its length as its playlist states it. */
export interface Segment {
  readonly file: string
  readonly seconds: number
  readonly bytes: number
}

/** A media playlist's track. */
export interface Track {
  readonly name: string
  /** As in RFC 6381, such as avc1.64001f. */
  readonly codec: string
  readonly segments: readonly Segment[]
}

export interface VideoTrack extends Track {
  readonly width: number
  readonly height: number
}

const HEADER = ['#EXTM3U', '#EXT-X-VERSION:7']

/** A finished playlist of fragmented MP4 segments beside `init.mp4`. */
export function mediaPlaylist(segments: readonly Segment[]): string {
  return lines([
    ...HEADER,
    `#EXT-X-TARGETDURATION:${longest(segments)}`,
    '#EXT-X-MEDIA-SEQUENCE:1',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="init.mp4"',
    ...segments.flatMap(({ file, seconds }) => [`#EXTINF:${seconds.toFixed(6)},`, file]),
    '#EXT-X-ENDLIST',
  ])
}

/** A playlist whose only segment is a whole caption file. */
export function captionPlaylist(file: string, seconds: number): string {
  return lines([
    ...HEADER,
    `#EXT-X-TARGETDURATION:${Math.ceil(seconds)}`,
    '#EXT-X-PLAYLIST-TYPE:VOD',
    `#EXTINF:${seconds.toFixed(6)},`,
    file,
    '#EXT-X-ENDLIST',
  ])
}

/** The playlist of playlists: pictures in several sizes over one sound track and its captions. */
export function masterPlaylist(master: {
  readonly video: readonly VideoTrack[]
  readonly audio: Track
  readonly captions: readonly { readonly language: string; readonly label: string }[]
  readonly framesPerSecond: number
}): string {
  const { video, audio, captions, framesPerSecond } = master
  return lines([
    ...HEADER,
    '#EXT-X-INDEPENDENT-SEGMENTS',
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Stereo",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="${audio.name}/index.m3u8"`,
    ...captions.map(
      ({ language, label }) =>
        `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="captions",NAME="${label}",LANGUAGE="${language}",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,URI="captions/${language}.m3u8"`,
    ),
    ...video.flatMap((track) => [
      `#EXT-X-STREAM-INF:${[
        `BANDWIDTH=${peakBandwidth(track, audio)}`,
        `AVERAGE-BANDWIDTH=${averageBandwidth(track, audio)}`,
        `RESOLUTION=${track.width}x${track.height}`,
        `CODECS="${track.codec},${audio.codec}"`,
        `FRAME-RATE=${framesPerSecond.toFixed(3)}`,
        'AUDIO="audio"',
        'SUBTITLES="captions"',
        'CLOSED-CAPTIONS=NONE',
      ].join(',')}`,
      `${track.name}/index.m3u8`,
    ]),
  ])
}

/** The bits a second that are enough for the largest segments of both tracks at once. */
export function peakBandwidth(...tracks: Track[]): number {
  return sum(tracks.map(({ segments }) => Math.max(...segments.map(({ bytes, seconds }) => (bytes * 8) / seconds))))
}

function averageBandwidth(...tracks: Track[]): number {
  return sum(
    tracks.map(({ segments }) => {
      const bytes = segments.reduce((total, segment) => total + segment.bytes, 0)
      return (bytes * 8) / segments.reduce((total, segment) => total + segment.seconds, 0)
    }),
  )
}

function sum(rates: readonly number[]): number {
  return Math.ceil(rates.reduce((total, rate) => total + rate, 0))
}

/** The target duration is a whole number that no segment, rounded, exceeds. */
function longest(segments: readonly Segment[]): number {
  return Math.round(Math.max(...segments.map(({ seconds }) => seconds)))
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`
}
