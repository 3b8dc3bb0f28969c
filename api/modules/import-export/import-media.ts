import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { readCaptionFile } from '#api/modules/media/package/chapters.ts'
import { VideoRefused } from '#api/modules/media/package/refusals.ts'
import { NotAPicture, scalePicture } from '#api/modules/media/pictures.ts'
import { checkVideoOptions, readChapters } from '#api/modules/media/videos.ts'
import { type Customer, isFailure } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { hashOf, hashOfFile } from '#api/platform/storage/disk-storage.ts'
import {
  downloadTypeOf,
  type MediaKey,
  type MediaStorage,
  mediaKey,
  parseMediaKey,
  StorageUnavailable,
} from '#api/platform/storage/storage.ts'
import { type Picture, picture as pictureSchema } from '#contract/picture.ts'
import { fileFactsOf, picturesAt } from './import-export.queries.ts'
import type { FileKind, SourceFiles, SourceTable } from './tables/cell-formats.ts'
import { InvalidCell } from './tables/column-codecs.ts'
import { waitingVideo } from './tables/films.ts'
import { videoIdsOf } from './tables/import-export.queries.ts'
import type { KnownMedia, StoredFacts, Table, UploadedFilms } from './tables/table.ts'
import { notInStore } from './tables/table-columns.ts'

/** The prefix of a cell that names a file already in the store. */
const storedPrefix = 'store:'
const maxPictureBytes = 50_000_000
const maxFileBytes = 5_000_000_000

export interface MediaCtx {
  customer: Customer
  storage: MediaStorage
  files: SourceFiles
  db: TenantDb
  /** What the store knew of the files that it does not show any more. */
  known?: KnownMedia
  /** True to validate without storing anything. */
  dry: boolean
}

export interface ReadyMedia {
  /** By kind and reference. */
  found: Map<string, string | InvalidCell>
  pictures: Map<string, Picture>
  files: Map<string, StoredFacts>
  films: UploadedFilms
  /** Keys stored by this import only. */
  written: MediaKey[]
}

/** Returns an empty collection of uploaded films. */
export const noFilms = (): UploadedFilms => ({ bytes: new Map(), hashes: new Map(), chapters: new Map() })

/** Returns the key of a file in the results of an import. */
export const mediaName = (kind: FileKind, reference: string) => `${kind} ${reference}`

/** Collects the files that the cells of some tables name, by kind. */
const fileKinds = [
  'PICTURE',
  'FILE',
  'PUBLIC_FILE',
  'VIDEO',
  'CAPTIONS',
  'SOUND',
  'CHAPTERS',
] as const satisfies FileKind[]

const referencesOf = async (sources: readonly SourceTable[], tables: readonly Table[]) => {
  const references: Record<FileKind, Set<string>> = {
    PICTURE: new Set(),
    FILE: new Set(),
    PUBLIC_FILE: new Set(),
    VIDEO: new Set(),
    CAPTIONS: new Set(),
    SOUND: new Set(),
    CHAPTERS: new Set(),
  }
  for (const source of sources) {
    const columns = tables
      .find(({ name }) => name === source.table)
      ?.columns.filter(({ file, name }) => file && source.columns.includes(name))
    if (!columns?.length) continue
    for await (const { cells } of source.rows())
      for (const { name, file, files } of columns)
        if (file && files) for (const reference of files(cells[name] ?? '')) references[file].add(reference)
  }
  return references
}

/** `media/art/one.webp` is the path at which an export writes the stored file `art/one.webp`. */
const exportedKey = (path: string) => (path.startsWith('media/') ? parseMediaKey(path.slice('media/'.length)) : null)

const sidecar = (prefix: string) => mediaKey(`${prefix}.json`)

const readSidecar = async (storage: MediaStorage, prefix: string): Promise<Picture | null> => {
  const file = await storage.open(sidecar(prefix))
  if (!file) return null
  const stream = await file.read()
  if (!stream) return null
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return pictureSchema.parse(JSON.parse(Buffer.concat(pieces).toString()))
}

/** Adds the known pictures and files that are stored, although no row shows them any more. */
const addKnown = async ({ storage, known }: MediaCtx, { pictures, files }: ReadyMedia) => {
  const isStored = async (text: string) => {
    const key = parseMediaKey(text)
    return key !== null && (await storage.open(key)) !== null
  }
  for (const [key, picture] of known?.pictures ?? [])
    if (!pictures.has(key) && (await isStored(key))) pictures.set(key, picture)
  for (const [key, facts] of known?.files ?? []) if (!files.has(key) && (await isStored(key))) files.set(key, facts)
}

/**
 * Prepares all named files before any row is written: images are validated and scaled, files are
 * stored under their content hash, videos are looked up. Content that is already in the store is
 * neither scaled nor stored again.
 */
export const prepareMedia = async (
  ctx: MediaCtx,
  sources: readonly SourceTable[],
  tables: readonly Table[],
): Promise<ReadyMedia> => {
  const { customer, storage, db, dry } = ctx
  const references = await referencesOf(sources, tables)
  const ready: ReadyMedia = {
    found: new Map(),
    pictures: new Map(),
    files: new Map(),
    films: noFilms(),
    written: [],
  }
  const keysOf = (names: ReadonlySet<string>) =>
    [...names].flatMap((name) =>
      name.startsWith(storedPrefix) ? name.slice(storedPrefix.length) : (exportedKey(name) ?? []),
    )
  const downloads = [...references.FILE, ...references.PUBLIC_FILE]
  const existing = {
    pictures: await picturesAt(
      db,
      customer.id,
      keysOf(references.PICTURE).map((key) => `/media/${key}`),
    ),
    files: await fileFactsOf(db, customer.id, keysOf(new Set(downloads))),
    videos: await videoIdsOf(db, customer.id, keysOf(references.VIDEO)),
  }
  for (const [url, picture] of existing.pictures) ready.pictures.set(url.slice('/media/'.length), picture)
  for (const [key, facts] of existing.files) ready.files.set(key, facts)
  await addKnown(ctx, ready)

  const put: MediaStorage['put'] = async (key, source) => {
    if (dry || (await storage.open(key))) return
    // Recorded before the write: the storage may have stored a file without confirming it.
    ready.written.push(key)
    await storage.put(key, source)
  }

  /** Returns the key of an exported file whose content is unchanged in the store. */
  const unchanged = async (name: string, file: { path: string; bytes: number }, hash: string) => {
    const key = exportedKey(name)
    const has = key && (ready.pictures.has(key) || ready.files.has(key))
    const stored = has ? await storage.open(key) : null
    if (!stored || stored.bytes !== file.bytes) return null
    const stream = await stored.read()
    return stream && (await hashOf(stream)) === hash ? key : null
  }

  const picture = async (name: string, file: { path: string; bytes: number }): Promise<string | InvalidCell> => {
    if (file.bytes > maxPictureBytes) return new InvalidCell('must be at most 50 MB')
    const hash = await hashOf(createReadStream(file.path))
    const same = await unchanged(name, file, hash)
    if (same) return same
    const prefix = mediaKey(`posters/${customer.id}/${hash}`)
    const remembered = await readSidecar(storage, prefix)
    const scaled = remembered ?? (await scalePicture({ source: file.path, prefix }, { put }, !dry))
    if (!remembered) await put(sidecar(prefix), Buffer.from(JSON.stringify(scaled)))
    const key = scaled.url.slice('/media/'.length)
    ready.pictures.set(key, scaled)
    return key
  }

  const download = async (name: string, file: { path: string; bytes: number }, folder: string) => {
    if (file.bytes > maxFileBytes) return new InvalidCell('must be at most 5 GB')
    const hash = await hashOf(createReadStream(file.path))
    const same = await unchanged(name, file, hash)
    if (same) return same
    const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? 'bin'
    const key = mediaKey(`${folder}/${customer.id}/${hash}.${ending}`)
    await put(key, { path: file.path })
    ready.files.set(key, { bytes: file.bytes, contentType: downloadTypeOf(ending) })
    return key
  }

  const fromStore = (kind: FileKind, key: string): string | InvalidCell => {
    const there =
      kind === 'PICTURE' ? ready.pictures.has(key) : kind === 'VIDEO' ? existing.videos.has(key) : ready.files.has(key)
    return there ? key : notInStore(kind, storedPrefix + key)
  }

  const find = async (kind: FileKind, name: string): Promise<string | InvalidCell> => {
    if (name.startsWith(storedPrefix)) return fromStore(kind, name.slice(storedPrefix.length))
    const file = await ctx.files.open(name, kind)
    if (typeof file === 'string') return new InvalidCell(file)
    if (!file)
      return new InvalidCell('must be the path of a file relative to the folder of the table. There is no such file')
    if (file.bytes === 0) return new InvalidCell('must not be an empty file')
    if (kind === 'VIDEO') {
      ready.films.bytes.set(name, file.bytes)
      return waitingVideo(name)
    }
    if (isSidecarName(kind)) return readSidecars(kind, name, file, ready.films)
    if (kind !== 'PICTURE') return download(name, file, kind === 'FILE' ? 'file' : 'public')
    return picture(name, file).catch((error: unknown) => {
      if (error instanceof NotAPicture) return new InvalidCell(error.message)
      throw error
    })
  }

  try {
    for (const kind of fileKinds)
      for (const name of references[kind]) ready.found.set(mediaName(kind, name), await find(kind, name))
  } catch (error) {
    await deleteWritten(storage, ready)
    throw error
  }
  return ready
}

/**
 * Deletes the files stored by a failed import. If the storage is unavailable, the unused files
 * remain under their hashes until the same files are imported again.
 */
export const deleteWritten = async (storage: MediaStorage, { written }: Pick<ReadyMedia, 'written'>) => {
  try {
    // In reverse order: an image's description is deleted before the image, so that no description
    // exists without its image.
    for (const key of written.toReversed()) await storage.remove(key)
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
  }
}

type Sidecar = Extract<FileKind, 'CAPTIONS' | 'SOUND' | 'CHAPTERS'>
interface Found {
  path: string
  bytes: number
}

const maxChapterBytes = 200_000

/** Whether a kind of file accompanies a film. */
const isSidecarName = (kind: FileKind): kind is Sidecar =>
  kind === 'CAPTIONS' || kind === 'SOUND' || kind === 'CHAPTERS'

const checkCaptions = async (name: string, { path }: Found): Promise<InvalidCell | null> => {
  try {
    await readCaptionFile(path, name, '')
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
const readSidecars = async (
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
