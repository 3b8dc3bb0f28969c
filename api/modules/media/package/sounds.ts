import { type Language, languageOf, type SideFile } from './chapters.ts'
import type { Playable } from './encoding-plan.ts'
import { inputOptions, probe } from './probe.ts'
import { type Programs, runProgram } from './programs.ts'
import { EncoderFailed, languageLabel, unknownLanguage, VideoRefused } from './refusals.ts'

/** LUFS, the recommendation of the large streaming services. */
const targetLoudness = -16
/** LUFS. Quieter audio is silence or noise and is not amplified. */
const silenceLoudness = -60
const maxGain = 24

/**
 * Filters applied before measuring and encoding: stereo, continuous, aligned to the film's zero.
 */
export const audioFilters = 'aresample=48000:async=1000:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo'

interface Sound {
  path: string
  /** The index of the stream in its file. */
  index: number
}

/** An audio track to encode: its file, its stream, and its loudness filter. */
export interface AudioTrackOptions {
  path: string
  index: number
  level: string
}

/**
 * Measures an audio track and returns the filter that brings it to the target loudness. Peaks stay
 * 1.5 dB below full scale.
 */
async function measureLoudnessFilter(
  programs: Programs,
  { path, index }: Sound,
  signal: AbortSignal,
  onSeconds: (seconds: number) => void,
): Promise<string> {
  const { output } = await runProgram(
    programs.ffmpeg,
    [
      ...['-nostdin', '-hide_banner', '-v', 'info', '-progress', 'pipe:3', '-stats_period', '0.5', '-nostats'],
      ...['-vn', '-sn', '-dn', ...inputOptions(path), '-map', `0:${index}`],
      ...['-af', `${audioFilters},ebur128=framelog=verbose`, '-f', 'null', '-'],
    ],
    { signal, onProgress: reportSeconds(onSeconds) },
  )
  const measured = [...output.matchAll(/I:\s+(-?[\d.]+|-inf|nan) LUFS/g)].at(-1)?.[1]
  if (measured === undefined) throw new EncoderFailed(`ffmpeg returned no loudness: ${output.slice(-2000)}`)
  const level = Number(measured)
  if (!(level > silenceLoudness)) return 'anull'
  const gain = Math.min(targetLoudness - level, maxGain)
  return `volume=${gain.toFixed(2)}dB,alimiter=limit=0.84:level=false`
}

/** Parses lines of `-progress` and reports the time reached, in seconds. */
export const reportSeconds = (report: (seconds: number) => void) => (line: string) => {
  const match = /^out_time_us=(\d+)/.exec(line)
  if (match) report(Number(match[1]) / 1_000_000)
}

/** An audio track before its loudness is measured. */
export interface ChosenAudioTrack extends Language {
  path: string
  index: number
}

/**
 * Chooses one audio track per language: the file's main track, its other tracks, then the given
 * files.
 */
export async function chooseAudioTracks(
  programs: Programs,
  film: { path: string; source: Playable; language: string | null },
  files: readonly SideFile[],
  signal: AbortSignal,
): Promise<ChosenAudioTrack[]> {
  const sounds: ChosenAudioTrack[] = []
  for (const [at, track] of film.source.audio.entries()) {
    const language = (at === 0 ? film.language : null) ?? track.language ?? unknownLanguage
    // A further track without a language, or in the same one, is usually a commentary that viewers
    // could not distinguish.
    if (at > 0 && (language === unknownLanguage || sounds.some((other) => other.language === language))) continue
    sounds.push({ path: film.path, index: track.index, language, label: languageLabel(language) })
  }
  for (const file of files) {
    const language = languageOf(file, 'BAD_AUDIO')
    const label = file.label.trim() || languageLabel(language)
    const [track] = (await probeSound(programs, file.path, label, signal)).audio
    if (!track) throw new VideoRefused('BAD_AUDIO', `The audio track "${label}" has no audio.`)
    const sound = { path: file.path, index: track.index, language, label }
    const same = sounds.findIndex((other) => other.language === language)
    if (same === -1) sounds.push(sound)
    else sounds[same] = sound
  }
  return sounds
}

async function probeSound(programs: Programs, path: string, label: string, signal: AbortSignal) {
  try {
    return await probe(programs, path, label, signal)
  } catch (error) {
    if (!(error instanceof VideoRefused)) throw error
    throw new VideoRefused(
      'BAD_AUDIO',
      `The audio track "${label}" cannot be read. Supported formats are MP3, M4A, WAV, FLAC and similar ones.`,
    )
  }
}

/**
 * Adds the loudness filter to each track. `onPart` receives the measured share of all tracks, 0 to
 * 1.
 */
export async function addLoudnessFilters(
  programs: Programs,
  sounds: readonly ChosenAudioTrack[],
  seconds: number,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<AudioTrackOptions[]> {
  const tracks: AudioTrackOptions[] = []
  for (const [at, sound] of sounds.entries())
    tracks.push({
      path: sound.path,
      index: sound.index,
      level: await measureLoudnessFilter(programs, sound, signal, (reached) =>
        onPart((at + Math.min(1, reached / seconds)) / sounds.length),
      ),
    })
  return tracks
}
