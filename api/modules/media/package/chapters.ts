import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredChapter } from '#api/modules/catalog/catalog.schema.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { maxChapters } from '#contract/admin/videos.ts'
import {
  type CaptionsFault,
  CaptionsInvalid,
  checkCaptionsSize,
  type MarkedCue,
  parseCaptions,
} from '#contract/captions.ts'
import { trimText } from '#contract/text.ts'
import { clock, type Playable } from './encoding-plan.ts'
import { inputOptions } from './probe.ts'
import { type Programs, runProgram } from './programs.ts'
import { languageLabel, languageTag, unknownLanguage, VideoRefused } from './refusals.ts'

export interface Language {
  readonly language: string
  readonly label: string
}

export interface Captions extends Language {
  cues: MarkedCue[]
  /** The name of their files without the extension; by default the language. */
  file?: string
}

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

const faultOf = (i18n: I18n, { fault, found }: CaptionsInvalid): string => {
  const texts: Record<CaptionsFault, string> = {
    EMPTY: i18n._('the file is empty.'),
    TOO_LARGE: i18n._('the file is larger than 10 MB.'),
    NO_TIMES: i18n._('expected times such as 00:01:02,500 --> 00:01:04,000, found "{found}".', { found }),
    INVALID_TIMES: i18n._('the times "{found}" should be as in 00:01:02,500 --> 00:01:04,000.', { found }),
    ENDS_BEFORE_START: i18n._('the cue ends before it begins ("{found}").', { found }),
    NO_CUES: i18n._('the file contains no cues. Use SRT or WebVTT.'),
  }
  return texts[fault]
}

/** Returns a sentence about a caption file that cannot be read; English for the command line. */
export const captionsRefusal = (error: CaptionsInvalid, file: string, i18n = messagesOf('en')): string => {
  const fault = faultOf(i18n, error)
  return error.line === null
    ? i18n._('The captions "{file}" cannot be read: {fault}', { file, fault })
    : i18n._('The captions "{file}" cannot be read, line {line}: {fault}', { file, line: error.line, fault })
}

const naming = (name: string) => (error: unknown) => {
  throw error instanceof CaptionsInvalid ? new VideoRefused('BAD_CAPTIONS', captionsRefusal(error, name)) : error
}

/**
 * Reads a caption file. Checks its size before it is read into memory.
 *
 * @throws VideoRefused with the line number of the first error.
 */
export async function readCaptionFile(path: string, name: string, language: string): Promise<MarkedCue[]> {
  const read = async () => {
    checkCaptionsSize((await stat(path)).size)
    return parseCaptions(await readFile(path), language)
  }
  return read().catch(naming(name))
}

/** Parses the caption files of an upload before encoding starts. */
export async function readCaptionFiles(files: readonly SideFile[]): Promise<Captions[]> {
  const captions: Captions[] = []
  for (const file of files) {
    const language = languageOf(file, 'BAD_CAPTIONS')
    if (captions.some((other) => other.language === language))
      throw new VideoRefused('BAD_CAPTIONS', `There are two caption files for ${language}. Use one file per language.`)
    const label = file.label.trim() || languageLabel(language)
    captions.push({ language, label, cues: await readCaptionFile(file.path, label, language) })
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
        cues: await readCaptionFile(file, file, language),
      })
      languages.add(language)
    } catch {
      signal.throwIfAborted()
    }
  }
  return captions
}

const longestTitle = 200

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
    if (trimText(title) === '')
      throw new VideoRefused('BAD_CHAPTERS', `The chapter at ${clock(startSeconds)} has no title.`)
  }
  const fitting = chapters.length > maxChapters ? [] : chapters
  return (requested.length > 0 ? requested : fitting)
    .filter(({ startSeconds }) => startSeconds >= 0 && startSeconds < seconds)
    .map(({ startSeconds, title }) => ({ startSeconds, title: title.trim().slice(0, longestTitle) }))
    .sort((a, b) => a.startSeconds - b.startSeconds)
}
