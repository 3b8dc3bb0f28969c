import { readFile } from 'node:fs/promises'
import { checkCaptionsSize, parseCaptions } from '#api/modules/media/package/captions.ts'
import { VideoRefused } from '#api/modules/media/package/refusals.ts'
import { checkWish, readChapters } from '#api/modules/media/videos.ts'
import { isFailure } from '#api/platform/context.ts'
import { hashOfFile } from '#api/platform/storage/disk-storage.ts'
import { type FileKind, Wrong } from './cells.ts'
import type { HandedFilms } from './table.ts'

type Beside = Extract<FileKind, 'CAPTIONS' | 'SOUND' | 'CHAPTERS'>
interface Found {
  path: string
  bytes: number
}

const mostChapterBytes = 200_000

export const isBesideFilm = (kind: FileKind): kind is Beside =>
  kind === 'CAPTIONS' || kind === 'SOUND' || kind === 'CHAPTERS'

const judgeCaptions = async (name: string, { path, bytes }: Found): Promise<Wrong | null> => {
  try {
    checkCaptionsSize(bytes, name)
    parseCaptions(await readFile(path), name, '')
    return null
  } catch (error) {
    if (error instanceof VideoRefused) return new Wrong(error.message)
    throw error
  }
}

const chaptersIn = async ({ path, bytes }: Found) => {
  if (bytes > mostChapterBytes) return new Wrong('must be lines of a time and a title, 200 kB at most')
  const chapters = readChapters(await readFile(path, 'utf8'))
  const errors = isFailure(chapters) ? chapters.errors : checkWish({ captions: [], audio: [], chapters })
  const [sentence] = errors?.chapters ?? []
  if (sentence !== undefined) return new Wrong(sentence)
  return isFailure(chapters) ? new Wrong('must be lines of a time and a title') : chapters
}

/** Looks through a file that comes along with a film, and remembers it under the name a cell has for it. */
export const readBeside = async (
  kind: Beside,
  name: string,
  file: Found,
  films: HandedFilms,
): Promise<string | Wrong> => {
  if (kind === 'CHAPTERS') {
    const chapters = await chaptersIn(file)
    if (chapters instanceof Wrong) return chapters
    films.chapters.set(name, chapters)
    return name
  }
  const wrong = kind === 'CAPTIONS' ? await judgeCaptions(name, file) : null
  if (wrong) return wrong
  films.hashes.set(name, await hashOfFile(file.path))
  return name
}
