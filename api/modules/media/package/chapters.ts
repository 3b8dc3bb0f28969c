import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredChapter } from '#api/modules/catalog/catalog.schema.ts'
import { type Captions, checkCaptionsSize, type Language, parseCaptions } from './captions.ts'
import { clock } from './encoding-plan.ts'
import { inputOptions } from './probe.ts'
import { type Programs, runProgram } from './programs.ts'
import { languageLabel, languageTag, unknownLanguage, VideoRefused } from './refusals.ts'
import type { Playable } from './validate.ts'

/** A caption or audio file beside the film, with the language the operator gave. */
export interface SideFile extends Language {
  path: string
}

/**
 * Returns the language tag of a file.
 *
 * @throws VideoRefused with `code` if the tag is invalid.
 */
export function languageOf({ language }: SideFile, code: 'BAD_CAPTIONS' | 'BAD_AUDIO'): string {
  const tag = languageTag(language)
  if (!tag) throw new VideoRefused(code, `"${language}" is not a language. Use a tag such as ko, en, ja or pt-BR.`)
  return tag
}

/** Checks the size before it reads the file into memory. */
async function bytesOf(path: string, name: string): Promise<Buffer> {
  checkCaptionsSize((await stat(path)).size, name)
  return readFile(path)
}

/** Parses the caption files of an upload before encoding starts. */
export async function readCaptionFiles(files: readonly SideFile[]): Promise<Captions[]> {
  const captions: Captions[] = []
  for (const file of files) {
    const language = languageOf(file, 'BAD_CAPTIONS')
    if (captions.some((other) => other.language === language))
      throw new VideoRefused('BAD_CAPTIONS', `There are two caption files for ${language}. Use one file per language.`)
    const label = file.label.trim() || languageLabel(language)
    captions.push({ language, label, cues: parseCaptions(await bytesOf(file.path, label), label, language) })
  }
  return captions
}

/**
 * Returns the captions embedded in the film, one per language, without the languages of given
 * files. Unreadable tracks are skipped because the operator did not request them.
 */
export async function extractCaptions(
  programs: Programs,
  { path, source, language: spoken }: { path: string; source: Playable; language: string | null },
  given: readonly Captions[],
  workFolder: string,
  signal: AbortSignal,
): Promise<Captions[]> {
  const languages = new Set(given.map(({ language }) => language))
  const captions: Captions[] = []
  for (const track of source.texts) {
    const language = track.language ?? spoken ?? unknownLanguage
    if (languages.has(language)) continue
    const file = join(workFolder, `text-${track.index}.vtt`)
    try {
      await runProgram(
        programs.ffmpeg,
        [
          ...['-nostdin', '-hide_banner', '-v', 'error', '-progress', 'pipe:3', '-nostats', '-y'],
          ...inputOptions(path),
          ...['-map', `0:${track.index}`, '-c:s', 'webvtt', '-f', 'webvtt', `file:${file}`],
        ],
        { signal },
      )
      captions.push({
        language,
        label: languageLabel(language),
        cues: parseCaptions(await bytesOf(file, file), file, language),
      })
      languages.add(language)
    } catch {
      signal.throwIfAborted()
    }
  }
  return captions
}

const longestTitle = 200
/** Chapters are part of every page and player that shows the film. */
export const maxChapters = 500

/**
 * Returns the requested chapters, else the file's own, in order of time. A file with too many
 * chapters gets none.
 *
 * @throws VideoRefused if requested chapters are invalid.
 */
export function chaptersFor(requested: readonly StoredChapter[], { chapters, seconds }: Playable): StoredChapter[] {
  for (const { startSeconds, title } of requested) {
    if (!(startSeconds >= 0 && startSeconds < seconds))
      throw new VideoRefused(
        'BAD_CHAPTERS',
        `The chapter "${title}" starts at ${clock(startSeconds)}, but the film lasts only ${clock(seconds)}.`,
      )
    if (title.trim() === '')
      throw new VideoRefused('BAD_CHAPTERS', `The chapter at ${clock(startSeconds)} has no title.`)
  }
  const fitting = chapters.length > maxChapters ? [] : chapters
  return (requested.length > 0 ? requested : fitting)
    .filter(({ startSeconds }) => startSeconds >= 0 && startSeconds < seconds)
    .map(({ startSeconds, title }) => ({ startSeconds, title: title.trim().slice(0, longestTitle) }))
    .sort((a, b) => a.startSeconds - b.startSeconds)
}
