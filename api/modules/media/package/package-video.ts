import { appendFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { StoredChapter } from '#api/modules/catalog/catalog.schema.ts'
import { firstOf } from '#api/platform/elements.ts'
import type { Cue } from '#contract/captions.ts'
import {
  type Captions,
  chaptersFor,
  extractCaptions,
  type Language,
  readCaptionFiles,
  type SideFile,
} from './chapters.ts'
import { checkMedia, readPlaylist } from './check-playlists.ts'
import { checkStream } from './check-stream.ts'
import { cutStream, gopSecondsOf, type PackageProgress, progressReporter } from './cut.ts'
import { encode, rungFile, soundFile } from './encode.ts'
import { framesPerGop, framesPerSecond, ladderFor, rateFor, validate, validateLength } from './encoding-plan.ts'
import {
  choosePosterTimes,
  graySide,
  previewFor,
  tileSeconds,
  tilesFor,
  writePosters,
  writeStoryboard,
} from './pictures.ts'
import { probe } from './probe.ts'
import { findPrograms } from './programs.ts'
import { languageTag, unknownLanguage, VideoRefused } from './refusals.ts'
import { addLoudnessFilters, chooseAudioTracks } from './sounds.ts'

export interface PackageRequest {
  /** The path of the file on this machine. */
  source: string
  /** The original file name, for messages only. */
  name: string
  /** Receives the asset. Must be empty or absent. */
  folder: string
  /** Receives the preview asset, which has its own signed addresses. Must be empty or absent. */
  previewFolder: string
  postersFolder: string
  /** Temporary folder that needs as much space as the asset. Its content is useless afterwards. */
  workFolder: string
  options: {
    captions: SideFile[]
    audio: SideFile[]
    chapters: StoredChapter[]
    /** The language of the file's own audio. */
    language?: string
    /** 0: no preview. */
    previewSeconds?: number
    previewStartSeconds?: number
  }
  /** FFMPEG_PATH. */
  program?: string
  signal: AbortSignal
  onProgress: (progress: PackageProgress) => void
}

export interface PackagedVideo {
  durationSeconds: number
  width: number
  height: number
  /** The size of the asset and its preview. */
  bytes: number
  previewSeconds: number | null
  /** Where in the film the preview begins. */
  previewStartSeconds: number | null
  captions: Language[]
  /** The first track is the default. Empty for a silent film. */
  audio: Language[]
  chapters: StoredChapter[]
  /** Relative to the asset. */
  storyboard: string | null
  /** File names in the posters folder, in order of time. */
  posters: string[]
  cues: { language: string; cues: Cue[] }[]
}

/**
 * Makes an adaptive stream from a video file.
 *
 * @throws VideoRefused if the file cannot be streamed, EncoderMissing without ffmpeg, or the abort
 * reason of the signal.
 */
export async function packageVideo(request: PackageRequest): Promise<PackagedVideo> {
  const { source: path, name, folder, workFolder, options, signal } = request
  const report = progressReporter(request.onProgress)
  report('PROBE', 0)
  const programs = await findPrograms(request.program)
  const source = validate(await probe(programs, path, name, signal), name)
  const preview = previewFor(options, source.seconds)
  const chapters = chaptersFor(options.chapters, source)
  const captionFiles = await readCaptionFiles(options.captions)
  await mkdir(workFolder, { recursive: true })
  const film = { path, source, language: languageTag(options.language) }
  const captions = [...captionFiles, ...(await extractCaptions(programs, film, captionFiles, workFolder, signal))]
  const chosen = await chooseAudioTracks(programs, film, options.audio, signal)
  const filtered = await addLoudnessFilters(programs, chosen, source.seconds, signal, (part) => report('PROBE', part))

  const rate = rateFor(source.video)
  const rungs = ladderFor(source.video, rate)
  const top = firstOf(rungs)
  const tiles = tilesFor(top, source.seconds, rate)
  report('ENCODE', 0)
  const gray = await encode(programs, {
    name,
    path,
    source,
    rungs,
    rate,
    tiles,
    sounds: filtered,
    workFolder,
    signal,
    onSeconds: (seconds) => report('ENCODE', seconds / source.seconds),
  })

  report('PACKAGE', 0)
  const gopSeconds = framesPerGop(rate) / framesPerSecond(rate)
  const sounds = chosen.map(({ language, label }, at) => {
    return { path: soundFile(workFolder, at), name: at === 0 ? 'audio' : `audio-${language}`, language, label }
  })
  /** Cuts the rungs that `fits` and every audio track, and writes their playlists. */
  const write = (
    target: string,
    fits: (side: number) => boolean,
    part: { fromSeconds?: number; toSeconds?: number },
    until: AbortSignal,
  ) => {
    const fitting = rungs.filter(({ width, height }) => fits(Math.min(width, height)))
    const encoded = fitting.map((rung) => ({ ...rung, path: rungFile(workFolder, rung) }))
    const whole = { rungs: encoded, sounds, captions, gopSeconds, framesPerSecond: framesPerSecond(rate) }
    return cutStream(target, { ...whole, ...part }, until)
  }
  // Cutting runs in this process and posters in ffmpeg, so that both run in parallel.
  const [{ seconds, previewSeconds, previewStartSeconds, storyboard }, posters] = await runBoth(
    signal,
    async (until) => {
      const seconds = await write(folder, () => true, {}, until)
      validateLength(source, seconds, name)
      report('PACKAGE', 0.5)
      const fits = (side: number) => preview !== null && side <= preview.maxSide
      const part = preview?.onKeyFrames(gopSeconds, seconds)
      const previewSeconds = part ? await write(request.previewFolder, fits, part, until) : null
      const count = Math.floor(gray.length / graySide ** 2)
      const sheets = { workFolder, folder, tiles, count, rate, seconds, signal: until }
      const storyboard = await writeStoryboard(programs, sheets)
      return { seconds, previewSeconds, previewStartSeconds: part?.fromSeconds ?? null, storyboard }
    },
    (until) => {
      const posterTimes = choosePosterTimes(gray, tileSeconds(tiles, rate))
      return writePosters(programs, rungFile(workFolder, top), posterTimes, request.postersFolder, until)
    },
  )
  const bytes = (await sizeOf(folder)) + (preview ? await sizeOf(request.previewFolder) : 0)
  await rm(workFolder, { recursive: true, force: true })
  report('PACKAGE', 1)
  return {
    durationSeconds: seconds,
    width: top.width,
    height: top.height,
    bytes,
    previewSeconds,
    previewStartSeconds,
    captions: captions.map(({ language, label }) => ({ language, label })),
    audio: chosen.map(({ language, label }) => ({ language, label })),
    chapters,
    storyboard,
    posters,
    cues: captions.map(({ language, cues }) => ({
      language,
      cues: cues.map(({ startSeconds, endSeconds, text }) => ({ startSeconds, endSeconds, text })),
    })),
  }
}

/**
 * Runs both in parallel. If one fails, the other is stopped; both have ended before it throws, so
 * that their folders can be removed.
 */
async function runBoth<One, Other>(
  signal: AbortSignal,
  one: (signal: AbortSignal) => Promise<One>,
  other: (signal: AbortSignal) => Promise<Other>,
): Promise<[One, Other]> {
  const failed = new AbortController()
  const until = AbortSignal.any([signal, failed.signal])
  const watched = async <Made>(work: (signal: AbortSignal) => Promise<Made>) => {
    try {
      return await work(until)
    } catch (error) {
      failed.abort(error)
      throw error
    }
  }
  const [first, second] = [watched(one), watched(other)]
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size)
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0)
}

export interface PreviewRequest {
  /** Reads a file of the finished stream; null if it does not exist. */
  read: (file: string) => Promise<Buffer | null>
  options: { previewSeconds: number; previewStartSeconds: number }
  /** The captions of the whole film. */
  captions: readonly Captions[]
  /** Receives the preview. Must be empty. */
  folder: string
  /** Receives the part of the film. Needs as much space as the preview. */
  workFolder: string
  signal: AbortSignal
}

/** Refuses a stream that the packager did not write. */
const refuseStream = (what: string): never => {
  throw new VideoRefused('BAD_PREVIEW', `No preview can be cut from this stream: ${what}.`)
}

/** Seconds. Sound is not divided where the pictures are. */
const margin = 0.5
const ownPlaylist = /^[\w-]+\/[\w-]+\.m3u8$/

/**
 * Cuts a preview from a finished stream, without encoding. It is the same as one that is cut when
 * the film is packaged.
 *
 * @returns where in the film it begins and how long it is, in seconds, and its size
 * @throws VideoRefused for a stream that was made elsewhere or is encrypted
 */
export async function cutPreview({ read, options, captions, folder, workFolder, signal }: PreviewRequest) {
  const fetch = async (file: string) => (await read(file)) ?? refuseStream(`${file} is missing`)
  const parse = async (file: string) => {
    const tags = readPlaylist((await fetch(file)).toString(), (what) => refuseStream(`${file} ${what}`))
    return tags.some(({ name }) => name === 'EXT-X-KEY') ? refuseStream(`${file} is encrypted`) : tags
  }
  const segmentsOf = async (playlist: string) => {
    if (!ownPlaylist.test(playlist)) refuseStream(`${playlist} is elsewhere`)
    const tags = await parse(playlist)
    const map = tags.find(({ name }) => name === 'EXT-X-MAP')
    if (map?.attributes.URI !== 'init.mp4') refuseStream(`${playlist} has no init.mp4`)
    return checkMedia(tags, (what) => refuseStream(`${playlist} ${what}`)).entries
  }
  const master = await parse('master.m3u8')
  const named = (name: string) => master.filter((tag) => tag.name === name)
  const variants = named('EXT-X-STREAM-INF').map(({ attributes, uri = '' }) => {
    const [width = 0, height = 0] = (attributes.RESOLUTION ?? '').split('x').map(Number)
    return { playlist: uri, width, height, framesPerSecond: Number(attributes['FRAME-RATE']) }
  })
  const tracks = named('EXT-X-MEDIA').filter(({ attributes }) => attributes.TYPE === 'AUDIO')
  const smallest = variants.at(-1) ?? refuseStream('it has no pictures')
  const segments = await segmentsOf(smallest.playlist)
  const filmSeconds = segments.reduce((sum, { seconds }) => sum + seconds, 0)
  const preview = previewFor(options, filmSeconds) ?? refuseStream('it would be empty')
  const place = dirname(smallest.playlist)
  const first = firstOf(segments)
  const firstParts = [await fetch(`${place}/init.mp4`), await fetch(`${place}/${first.uri}`)] as const
  const gopSeconds = gopSecondsOf(...firstParts) ?? first.seconds
  const part = preview.onKeyFrames(gopSeconds, filmSeconds)

  /** Writes the part of a track as the encoder writes a track: one fragmented file. */
  const fetchPart = async (playlist: string) => {
    const place = dirname(playlist)
    const path = join(workFolder, `${place}.mp4`)
    await writeFile(path, await fetch(`${place}/init.mp4`))
    let begin = 0
    for (const { uri, seconds } of await segmentsOf(playlist)) {
      signal.throwIfAborted()
      const isNeeded = begin + seconds > part.fromSeconds - margin && begin < part.toSeconds + margin
      if (isNeeded) await appendFile(path, await fetch(`${place}/${uri}`))
      begin += seconds
    }
    return { name: place, path }
  }
  const fitting = variants.filter(({ width, height }) => Math.min(width, height) <= preview.maxSide)
  if (fitting.length === 0) refuseStream(`it has no size of at most ${preview.maxSide} lines`)
  const [rungs, sounds] = await Promise.all([
    Promise.all(fitting.map(async (variant) => ({ ...variant, ...(await fetchPart(variant.playlist)) }))),
    Promise.all(
      tracks.map(async ({ attributes: { NAME: label = '', LANGUAGE: language = unknownLanguage, URI = '' } }) => {
        return { language, label, ...(await fetchPart(URI)) }
      }),
    ),
  ])
  const encoded = { rungs, sounds, captions, gopSeconds, framesPerSecond: smallest.framesPerSecond }
  const seconds = await cutStream(folder, { ...encoded, ...part }, signal)
  const [fault] = await checkStream(folder)
  if (fault !== undefined) refuseStream(fault)
  return { startSeconds: part.fromSeconds, seconds, bytes: await sizeOf(folder) }
}
