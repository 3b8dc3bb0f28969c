import { join } from 'node:path'
import { firstOf } from '#api/platform/elements.ts'
import { fragmentedAudio, fragmentedVideo } from './cut.ts'
import { clock, framesPerGop, longestSide, type Playable, type Rung } from './encoding-plan.ts'
import { type GrayFrames, graySide, type Tiles, tilesFile } from './pictures.ts'
import { inputOptions, type Rate } from './probe.ts'
import { type Programs, programHas, runProgram } from './programs.ts'
import { EncoderFailed, EncoderMissing, VideoRefused } from './refusals.ts'
import { type AudioTrackOptions, audioFilters, reportSeconds } from './sounds.ts'

export interface EncodeOptions {
  name: string
  path: string
  source: Playable
  rungs: readonly Rung[]
  rate: Rate
  tiles: Tiles
  sounds: readonly AudioTrackOptions[]
  /** Receives one fragmented MP4 for each rung and each audio track. */
  workFolder: string
  signal: AbortSignal
  onSeconds: (seconds: number) => void
}

/** Returns the path of the encoded pictures of a rendition. */
export const rungFile = (workFolder: string, { name }: Rung) => join(workFolder, `${name}.mp4`)

/** Returns the path of an encoded sound track. */
export const soundFile = (workFolder: string, at: number) => join(workFolder, `sound-${at}.mp4`)

const audioKbits = 128
/** AAC adds one frame of priming. Removing as many samples keeps audio and video in sync. */
const leadIn = 'atrim=start_sample=1024'
/** Pixels per frame, with codec padding. Limits films that change to a larger size midway. */
const largestArea = (longestSide + 128) ** 2
/** Seconds. Shorter gaps at the end of the video are not filled. */
const endSlack = 0.1
/** Decoding errors allowed in any film. Each minute allows one more. */
const toleratedErrors = 5

/**
 * Decodes the film once and writes every rung, every audio track, and the timeline pictures.
 *
 * @returns the gray frames of the storyboard.
 */
export async function encode(programs: Programs, options: EncodeOptions): Promise<GrayFrames> {
  const gray: Buffer[] = []
  const damage = watchDamage(options)
  let reached = 0
  const inputs = [...new Set([options.path, ...options.sounds.map(({ path }) => path)])]
  try {
    await runProgram(
      programs.ffmpeg,
      [
        ...[
          '-nostdin',
          '-hide_banner',
          '-v',
          'level+error',
          '-progress',
          'pipe:3',
          '-stats_period',
          '0.5',
          '-nostats',
          '-y',
        ],
        ...inputs.flatMap((path) => ['-max_pixels', `${largestArea}`, ...inputOptions(path)]),
        ...['-filter_complex', await graph(programs, options, inputs)],
        ...options.rungs.flatMap((rung, at) => pictureOutput(options, rung, at)),
        ...options.sounds.flatMap((_, at) => soundOutput(options, at)),
        // Sheets are composed later: ffmpeg reports no progress until each output has started.
        ...['-map', '[tiles]', '-c:v', 'mjpeg', '-q:v', '2', '-fps_mode', 'passthrough', '-f', 'mjpeg'],
        tilesFile(options.workFolder),
        ...['-map', '[gray]', '-c:v', 'rawvideo', '-fps_mode', 'passthrough', '-f', 'rawvideo', 'pipe:1'],
      ],
      {
        signal: options.signal,
        cwd: options.workFolder,
        onOutput: (bytes) => gray.push(bytes),
        onErrorLine: (line) => damage.record(line, reached),
        onProgress: reportSeconds((seconds) => {
          reached = seconds
          options.onSeconds(seconds)
        }),
      },
    )
  } catch (error) {
    throw damage.explain(error, reached)
  }
  return Buffer.concat(gray)
}

function pictureOutput({ rate, source, workFolder }: EncodeOptions, rung: Rung, at: number): string[] {
  const gop = `${framesPerGop(rate)}`
  return [
    ...['-map', `[v${at}]`, '-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', `${rung.factor}`],
    ...['-maxrate', `${rung.ceiling}k`, '-bufsize', `${rung.ceiling * 2}k`],
    ...['-g', gop, '-keyint_min', gop, '-sc_threshold', '0'],
    // Limits frame reordering to one frame: parsers without negative composition offsets are late
    // by that.
    ...['-x264-params', 'b-pyramid=none'],
    ...['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709', '-color_range', 'tv'],
    ...trackOutput(source.seconds, fragmentedVideo),
    rungFile(workFolder, rung),
  ]
}

const soundOutput = ({ source, workFolder }: EncodeOptions, at: number) => [
  ...['-map', `[a${at}]`, '-c:a', 'aac', '-b:a', `${audioKbits}k`, '-ar', '48000', '-ac', '2'],
  ...trackOutput(source.seconds, fragmentedAudio),
  soundFile(workFolder, at),
]

/**
 * Drops the file's metadata, such as the place of recording, and chapters, which would become a
 * track.
 */
const trackOutput = (seconds: number, fragments: string[]) => [
  ...['-map_metadata', '-1', '-map_chapters', '-1', '-t', seconds.toFixed(6)],
  ...fragments,
]

async function graph(programs: Programs, options: EncodeOptions, inputs: readonly string[]): Promise<string> {
  const { source, rungs, rate, tiles, sounds } = options
  const { video } = source
  const top = firstOf(rungs)
  const missing = source.seconds - (video.seconds ?? source.seconds)
  const toTop = [
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    `fps=${rate.numerator}/${rate.denominator}:start_time=0`,
    ...(missing > endSlack ? [`tpad=stop_mode=clone:stop_duration=${missing.toFixed(3)}`] : []),
    ...(await toOrdinaryRange(programs, options, top)),
    'setsar=1',
    'format=yuv420p',
  ]
  // Each rung is scaled from the one above it, which is much cheaper than scaling each from the
  // source.
  const scaled = rungs.map(({ width, height }, at) => {
    const chain =
      at === 0 ? `[0:${video.index}]${toTop.join(',')}` : `[w${at}]scale=${width}:${height}:flags=bicubic,setsar=1`
    return `${chain},split=2[v${at}][w${at + 1}]`
  })
  return [
    ...scaled,
    `[w${rungs.length}]select='not(mod(n\\,${tiles.everyFrames}))',split=2[t][b]`,
    `[t]scale=${tiles.width}:${tiles.height}:out_range=pc,format=yuvj420p[tiles]`,
    `[b]scale=${graySide}:${graySide}:flags=area,format=gray[gray]`,
    ...sounds.map(
      ({ path, index, level }, at) =>
        `[${inputs.indexOf(path)}:${index}]${audioFilters},${level},apad=whole_dur=${source.seconds.toFixed(6)},${leadIn}[a${at}]`,
    ),
  ].join(';')
}

/** Builds the filter that scales to the top rung and converts to standard dynamic range. */
async function toOrdinaryRange(programs: Programs, { source, signal }: EncodeOptions, { width, height }: Rung) {
  const { hdr } = source.video
  const scale = `scale=${width}:${height}:flags=bicubic`
  if (hdr && (await programHas(programs, 'filters', ['zscale', 'tonemap'], signal)))
    return [
      scale,
      `setparams=color_primaries=bt2020:color_trc=${hdr}:colorspace=bt2020nc`,
      ...['zscale=transfer=linear:npl=100', 'format=gbrpf32le', 'zscale=primaries=bt709', 'tonemap=hable:desat=0'],
      'zscale=transfer=bt709:matrix=bt709:range=tv',
    ]
  return [`${scale}:out_color_matrix=bt709:out_range=tv`]
}

/**
 * Watches decoder errors, stops an encoding with too many, and reports where the film is damaged.
 */
function watchDamage({ name, source }: EncodeOptions) {
  const toleratedFaults = toleratedErrors + source.seconds / 60
  let faults = 0
  let firstAt = 0
  const refusal = () =>
    new VideoRefused(
      'DAMAGED',
      `"${name}" is damaged at about ${clock(firstAt)} of ${clock(source.seconds)}: video or audio cannot be decoded there. Export it again, or upload another copy.`,
    )
  return {
    record(line: string, seconds: number) {
      if (!/\[(error|fatal)\]/.test(line)) return
      if (/No space left on device|Error (writing|muxing)|Conversion failed/i.test(line)) return
      if (faults++ === 0) firstAt = seconds
      if (faults > toleratedFaults) throw refusal()
    },
    explain(error: unknown, reached: number): unknown {
      if (!(error instanceof EncoderFailed)) return error
      const { message } = error
      if (/Unknown encoder/i.test(message))
        return new EncoderMissing(
          'This ffmpeg cannot encode H.264 and AAC (libx264 is missing). Install a complete ffmpeg.',
        )
      if (/No space left on device|Cannot allocate memory/i.test(message)) return error
      if (/Decoder .*not found|Could not find codec parameters|unknown codec/i.test(message))
        return new VideoRefused(
          'UNREADABLE_CODEC',
          `"${name}" uses the codec ${source.video.codec}, which is not supported. Export it as H.264, H.265, VP9, AV1 or ProRes.`,
        )
      if (faults === 0) return error
      firstAt = Math.min(firstAt || reached, reached)
      return refusal()
    },
  }
}
