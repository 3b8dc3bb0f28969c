import { readFile } from 'node:fs/promises'
import { checkCaptionsSize, parseCaptions } from '#api/modules/media/package/captions.ts'
import { VideoRefused } from '#api/modules/media/package/refusals.ts'
import { checkVideoOptions, readChapters } from '#api/modules/media/videos.ts'
import { isFailure } from '#api/platform/context.ts'
import { hashOfFile } from '#api/platform/storage/disk-storage.ts'
import { type FileKind, InvalidCell } from './tables/column-codecs.ts'
import type { UploadedFilms } from './tables/table.ts'

type Sidecar = Extract<FileKind, 'CAPTIONS' | 'SOUND' | 'CHAPTERS'>
interface Found {
  path: string
  bytes: number
}

const maxChapterBytes = 200_000

/** Whether a kind of file accompanies a film. */
export const isSidecarName = (kind: FileKind): kind is Sidecar =>
  kind === 'CAPTIONS' || kind === 'SOUND' || kind === 'CHAPTERS'

const checkCaptions = async (name: string, { path, bytes }: Found): Promise<InvalidCell | null> => {
  try {
    checkCaptionsSize(bytes, name)
    parseCaptions(await readFile(path), name, '')
    return null
  } catch (error) {
    if (error instanceof VideoRefused) return new InvalidCell(error.message)
    throw error
  }
}

const chaptersIn = async ({ path, bytes }: Found) => {
  if (bytes > maxChapterBytes) return new InvalidCell('must contain lines of a time and a title, at most 200 kB')
  const chapters = readChapters(await readFile(path, 'utf8'))
  const errors = isFailure(chapters) ? chapters.errors : checkVideoOptions({ captions: [], audio: [], chapters })
  const [sentence] = errors?.chapters ?? []
  if (sentence !== undefined) return new InvalidCell(sentence)
  return isFailure(chapters) ? new InvalidCell('must contain lines of a time and a title') : chapters
}

/** Reads the files that belong to a film and caches them under the names that cells use. */
export const readSidecars = async (
  kind: Sidecar,
  name: string,
  file: Found,
  films: UploadedFilms,
): Promise<string | InvalidCell> => {
  if (kind === 'CHAPTERS') {
    const chapters = await chaptersIn(file)
    if (chapters instanceof InvalidCell) return chapters
    films.chapters.set(name, chapters)
    return name
  }
  const wrong = kind === 'CAPTIONS' ? await checkCaptions(name, file) : null
  if (wrong) return wrong
  films.hashes.set(name, await hashOfFile(file.path))
  return name
}
