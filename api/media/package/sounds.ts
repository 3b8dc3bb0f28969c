import type { Language } from './captions.ts'
import type { SoundWish } from './encode.ts'
import { languageLabel, UNKNOWN_LANGUAGE } from './languages.ts'
import { levelling } from './loudness.ts'
import { probe } from './probe.ts'
import type { Programs } from './program.ts'
import { VideoRefused } from './refusal.ts'
import { languageOf, type SideFile } from './texts.ts'
import type { Playable } from './validate.ts'

/** A sound of the stream before it is measured. */
export interface ChosenSound extends Language {
  path: string
  index: number
}

/** The sounds of a stream, one for each language: the file's main sound first, then its others, then the files that came along. */
export async function chooseSounds(
  programs: Programs,
  film: { path: string; source: Playable; language: string | null },
  files: readonly SideFile[],
  signal: AbortSignal,
): Promise<ChosenSound[]> {
  const sounds: ChosenSound[] = []
  for (const [at, track] of film.source.audio.entries()) {
    const language = (at === 0 ? film.language : null) ?? track.language ?? UNKNOWN_LANGUAGE
    // A second track without a language, or of the same one, is a commentary that nobody could tell apart.
    if (at > 0 && (language === UNKNOWN_LANGUAGE || sounds.some((other) => other.language === language))) continue
    sounds.push({ path: film.path, index: track.index, language, label: languageLabel(language) })
  }
  for (const file of files) {
    const language = languageOf(file, 'BAD_AUDIO')
    const label = file.label.trim() || languageLabel(language)
    const [track] = (await probeSound(programs, file.path, label, signal)).audio
    if (!track) throw new VideoRefused('BAD_AUDIO', `The sound "${label}" has no sound in it.`)
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
      `The sound "${label}" is no sound file that can be read. MP3, M4A, WAV, FLAC and the like are.`,
    )
  }
}

/** The sounds with the filters that bring them to one loudness. `onPart` hears how much of all of them has been measured, 0 to 1. */
export async function levelled(
  programs: Programs,
  sounds: readonly ChosenSound[],
  seconds: number,
  signal: AbortSignal,
  onPart: (part: number) => void,
): Promise<SoundWish[]> {
  const levelledSounds: SoundWish[] = []
  for (const [at, sound] of sounds.entries())
    levelledSounds.push({
      ...{ path: sound.path, index: sound.index },
      level: await levelling(programs, sound, signal, (reached) =>
        onPart((at + Math.min(1, reached / seconds)) / sounds.length),
      ),
    })
  return levelledSounds
}
