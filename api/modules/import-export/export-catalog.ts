import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FileKind, Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { VideoSources } from '#api/modules/media/video-sources.ts'
import type { Ctx } from '#api/platform/context.ts'
import { byteOrderMark, csvLines } from '#api/platform/csv/csv.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { createImportContext, tables } from './import-catalog.ts'
import { readImportBefore, undoableImports } from './import-export.queries.ts'
import { noFilms } from './import-media.ts'
import type { Column, Facts } from './tables/column-codecs.ts'
import { chaptersText, fileName, previewText, waitingPath, waitingVideo } from './tables/films.ts'
import { type UploadedFilm, uploadedFilms } from './tables/import-export.queries.ts'
import type { ImportContext, KnownMedia, StoredFacts, StoredRow, TableOf } from './tables/table.ts'
import { inLanguages } from './tables/table-columns.ts'

/** A row of an exported table, with its cells and their values. */
export interface ExportedRow {
  cells: Record<string, string>
  values: Values
}

/** An exported table, whose rows are read in batches. */
export interface ExportedTable {
  table: string
  columns: readonly Column[]
  rows: AsyncIterable<ExportedRow[]>
}

interface ExportedCatalogTable extends ExportedTable {
  /** What the rows read so far name. */
  media: () => KnownMedia
}

/** `prepareRows` may change a row's values before it is written. */
export const exportTable = <W extends { facts: Facts }>(
  context: W,
  table: TableOf<W>,
  prepareRows?: (rows: readonly StoredRow[]) => Promise<void>,
): ExportedTable => {
  const rows = async function* () {
    for await (const row of table.all(context)) {
      await prepareRows?.(row)
      yield row.map(({ values }) => {
        const cells = table.columns.map((column) => [
          column.name,
          column.write(values[column.name] ?? null, context.facts),
        ])
        return { values, cells: Object.fromEntries(cells) }
      })
      table.releaseBatch?.(context)
    }
  }
  return { table: table.name, columns: table.columns, rows: rows() }
}

/** Why an export omits a film. */
export type OmittedFilm = { table: string; row: string; reason: 'NOT_REQUESTED' | 'NOT_RETAINED' | 'LOST' }

/** The films of an export: the files to copy next to the tables, and the films omitted. */
export interface FilmExport {
  sources: VideoSources
  /** True if the export includes films. */
  wanted: boolean
  /** Files by the path in the cell: a source's key, or the text of the file. */
  files: Map<string, { source: string } | { text: string }>
  omitted: OmittedFilm[]
}

const hasStream = async ({ sources }: FilmExport, { sourceKey, options }: UploadedFilm) => {
  for (const key of [sourceKey, ...[...options.captions, ...options.audio].map((track) => track.key)])
    if (!(await stat(sources.pathOf(key)).catch(() => null))?.isFile()) return false
  return true
}

/** Replaces a film's stream by the paths of its files and queues these for copying. */
const filesBesideFilm = ({ files }: FilmExport, { values }: StoredRow, film: UploadedFilm) => {
  const folder = `films/${film.jobId}`
  const { captions, audio, chapters, language } = film.options
  const put = (name: string, file: { source: string } | { text: string }) => {
    files.set(`${folder}/${name}`, file)
    return `${folder}/${name}`
  }
  const tracks = (kind: string, fileTracks: typeof captions) =>
    fileTracks.map(
      (track) => `${track.language}=${put(`${kind}.${track.language}${extname(track.key)}`, { source: track.key })}`,
    )
  values.video = waitingVideo(put(`film/${fileName(film.name)}`, { source: film.sourceKey }))
  values.video_captions = tracks('captions', captions)
  values.video_audio = tracks('audio', audio)
  values.video_chapters = chapters.length > 0 ? put('chapters.txt', { text: chaptersText(chapters) }) : null
  values.video_language = language ?? null
  values.video_preview = previewText(film.options)
}

/**
 * Adds file paths to rows with an uploaded or pending film if films are included. Records every
 * omitted film.
 */
const exportFilms = async (
  { db, customerId }: ImportContext,
  table: string,
  rows: readonly StoredRow[],
  out: FilmExport,
) => {
  const films = await uploadedFilms(
    db,
    customerId,
    rows.map(({ id }) => id),
  )
  for (const stored of rows) {
    const { values } = stored
    const film = films.get(stored.id)
    const isOn = film?.open || (film?.asset && film.asset === values.video)
    if (!isOn && values.video === null) continue
    const row = [values.code ?? values.product, values.title].filter(Boolean).join(' · ')
    const omit = (reason: OmittedFilm['reason']) => out.omitted.push({ table, row, reason })
    if (!out.wanted) omit('NOT_REQUESTED')
    else if (!film || !isOn || !(film.open || film.options.keepSource)) omit('NOT_RETAINED')
    else if (!(await hasStream(out, film))) omit('LOST')
    else filesBesideFilm(out, stored, film)
  }
}

/** Returns the cell text for a stored file: `store:…`, or a path if the file is included. */
export type Reference = (key: string, kind: FileKind) => string

/** Yields the tables of a store's catalogue. Read each to its end before the next. */
export async function* exportCatalog(
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  wanted: readonly string[],
  reference: Reference,
  films: FilmExport,
): AsyncGenerator<ExportedCatalogTable> {
  const plain = { url: '', width: 0, height: 0, alt: '', color: '', sources: [] }
  const media = { found: new Map(), pictures: new Map(), files: new Map(), films: noFilms() }
  for (const plainTable of tables.filter(({ name }) => wanted.includes(name))) {
    const table = inLanguages(plainTable, customer.settings)
    const named: Reference = (key, kind) => waitingPath(key) ?? (kind === 'CHAPTERS' ? key : reference(key, kind))
    const context = await createImportContext({
      db,
      customer,
      now: clock.now().toISOString(),
      plain,
      media,
      reference: named,
    })
    const withFilms = table.columns.some(({ file }) => file === 'VIDEO')
    const prepareRows = withFilms
      ? (rows: readonly StoredRow[]) => exportFilms(context, table.name, rows, films)
      : undefined
    yield { ...exportTable(context, table, prepareRows), media: () => context }
  }
}

type TableCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>

interface TableBatch {
  csv: string
  rows: number
  media: KnownMedia
}

/** Yields a table as CSV, its heading first. Files are named as the store has them. */
async function* readBatches(ctx: TableCtx, sources: VideoSources, table: string): AsyncGenerator<TableBatch> {
  const films = { sources, wanted: false, files: new Map(), omitted: [] }
  for await (const { columns, rows, media } of exportCatalog(ctx, [table], (key) => `store:${key}`, films)) {
    const names = columns.map(({ name }) => name)
    yield { csv: csvLines([names]), rows: 0, media: media() }
    for await (const batch of rows) {
      const csv = csvLines(batch.map(({ cells }) => names.map((name) => cells[name] ?? '')))
      yield { csv, rows: batch.length, media: media() }
    }
  }
}

/** Writes a table to a file for spreadsheets. `onRows` is told how many are written. */
export const writeTableFile = async (
  ctx: TableCtx,
  sources: VideoSources,
  table: string,
  { path, onRows }: { path: string; onRows: (rows: number) => void },
) => {
  async function* pieces() {
    let count = 0
    yield byteOrderMark
    for await (const { csv, rows } of readBatches(ctx, sources, table)) {
      count += rows
      onRows(count)
      yield csv
    }
  }
  await pipeline(pieces, createWriteStream(path))
}

/** A batch of a snapshot: its lines, and what they name for the first time. */
interface SnapshotBatch {
  csv: string
  pictures: [string, Picture][]
  files: [string, StoredFacts][]
}

const zip = promisify(gzip)
const unzip = promisify(gunzip)

/**
 * Reads a table batch by batch. Returns its hash and what `restoreTable` reads; null in place of it
 * for a table of more than `max` characters.
 */
export const snapshotTable = async (ctx: TableCtx, sources: VideoSources, table: string, max: number) => {
  const hash = createHash('sha256')
  const batches: Buffer[] = []
  const seen = new Set<string>()
  const unseen = <Facts>(entries: Iterable<[string, Facts]>) =>
    [...entries].filter(([key]) => !seen.has(key) && seen.add(key))
  let left = max
  for await (const { csv, media } of readBatches(ctx, sources, table)) {
    hash.update(csv)
    if (left <= 0) continue
    const batch: SnapshotBatch = { csv, pictures: unseen(media.pictures), files: unseen(media.files) }
    const text = JSON.stringify(batch)
    left -= text.length
    // Each batch is preceded by its length, because it is decompressed alone.
    const zipped = left > 0 ? await zip(text) : Buffer.alloc(0)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(zipped.length)
    batches.push(length, zipped)
  }
  return { hash: hash.digest('base64'), before: left > 0 ? Buffer.concat(batches) : null }
}

async function* textsIn(snapshot: Buffer) {
  for (let at = 0; at < snapshot.length; ) {
    const end = at + 4 + snapshot.readUInt32BE(at)
    yield (await unzip(snapshot.subarray(at + 4, end))).toString()
    at = end
  }
}

/** The content hashes of the pictures below a folder that undoing an import would show again. */
export const picturesInImports = async (db: TenantDb, id: CustomerId, folder: string): Promise<Set<string>> => {
  const hashes = new Set<string>()
  for (const importId of await undoableImports(db, id)) {
    const snapshot = (await readImportBefore(db, id, importId)) ?? Buffer.alloc(0)
    for await (const text of textsIn(snapshot))
      for (const [, hash = ''] of text.matchAll(new RegExp(`${folder}/([0-9a-f]{32})`, 'g'))) hashes.add(hash)
  }
  return hashes
}

/** Writes the table of a snapshot to a file. Returns its hash and what its cells name. */
export const restoreTable = async (snapshot: Buffer, path: string): Promise<{ hash: string; media: KnownMedia }> => {
  const hash = createHash('sha256')
  const media: KnownMedia = { pictures: new Map(), files: new Map() }
  async function* pieces() {
    for await (const text of textsIn(snapshot)) {
      const batch: SnapshotBatch = JSON.parse(text)
      for (const [key, picture] of batch.pictures) media.pictures.set(key, picture)
      for (const [key, facts] of batch.files) media.files.set(key, facts)
      hash.update(batch.csv)
      yield batch.csv
    }
  }
  await pipeline(pieces, createWriteStream(path))
  return { hash: hash.digest('base64'), media }
}
