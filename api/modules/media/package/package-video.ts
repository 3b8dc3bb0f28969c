import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredChapter } from '#api/modules/catalog/catalog.schema.ts'
import { firstOf } from '#api/platform/elements.ts'
import type { Cue } from '#contract/captions.ts'
import { chaptersFor, extractCaptions, type Language, readCaptionFiles, type SideFile } from './chapters.ts'
import { cutTrack, type PackageProgress, progressReporter, writeStream } from './cut.ts'
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
import type { AudioTrack, VideoTrack } from './playlists.ts'
import { probe } from './probe.ts'
import { findPrograms } from './programs.ts'
import { languageTag } from './refusals.ts'
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

/** GOPs, of two seconds each, per segment. */
const gopsPerSegment = 2

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
  const sounds = await addLoudnessFilters(programs, chosen, source.seconds, signal, (part) => report('PROBE', part))

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
    sounds,
    workFolder,
    signal,
    onSeconds: (seconds) => report('ENCODE', seconds / source.seconds),
  })

  report('PACKAGE', 0)
  const gopSeconds = framesPerGop(rate) / framesPerSecond(rate)
  /** Cuts the rungs that `fits` and every audio track, and writes their playlists. */
  const write = async (
    target: string,
    fits: (side: number) => boolean,
    part: { from?: number; to?: number },
    until: AbortSignal,
  ) => {
    const range = {
      segmentSeconds: gopsPerSegment * gopSeconds,
      ...(part.from === undefined ? {} : { fromSeconds: part.from }),
    }
    const video: VideoTrack[] = []
    for (const rung of rungs.filter(({ width, height }) => fits(Math.min(width, height)))) {
      until.throwIfAborted()
      const track = await cutTrack(rungFile(workFolder, rung), rung.name, target, {
        ...range,
        ...(part.to === undefined ? {} : { toSeconds: part.to }),
      })
      video.push({ ...track, width: rung.width, height: rung.height })
    }
    const seconds = Math.max(...video.map((track) => track.seconds))
    const audio: AudioTrack[] = []
    for (const [at, { language, label }] of chosen.entries()) {
      until.throwIfAborted()
      const track = await cutTrack(soundFile(workFolder, at), at === 0 ? 'audio' : `audio-${language}`, target, {
        ...range,
        toSeconds: (part.from ?? 0) + seconds,
      })
      audio.push({ ...track, language, label })
    }
    await writeStream(target, {
      video,
      audio,
      captions,
      framesPerSecond: framesPerSecond(rate),
      ...(part.from === undefined ? {} : { fromSeconds: part.from }),
    })
    return seconds
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
      return { seconds, previewSeconds, previewStartSeconds: part?.from ?? null, storyboard }
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
