import type { VideoOptions } from '#api/modules/media/media.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { upsertRows } from '#api/platform/db/upsert-rows.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Values } from './cell-values.ts'
import type { Column, Facts } from './column-codecs.ts'
import { countRows, deleteRows } from './import-export.queries.ts'
import { readWhole, type SmallTableRows } from './small-tables.queries.ts'
import { translationsOf } from './table-languages.ts'

/** A row of the store, as a file would say it. */
export interface StoredRow {
  id: string
  values: Values
}

/** A row to be written: all its values, those the file does not name from the store or from what is usual. */
export interface RowChange {
  id: string
  values: Values
  kept: StoredRow | null
}

export interface Complaint {
  column: string | null
  right: string
}

export interface CategoryTree {
  idOf: (path: string) => string | undefined
  pathOf: (id: string) => string | undefined
  /** A category and those above it. */
  lineOf: (id: string) => string[]
}

export interface StoredFacts {
  bytes: number
  contentType: string
}

/** A video to be handed in once everything else is written. Paths are as the table names them. */
export interface RequestedVideo
  extends Pick<VideoOptions, 'chapters' | 'language' | 'previewSeconds' | 'previewStartSeconds'> {
  productId: string
  lessonId: string | null
  path: string
  captions: { language: string; path: string }[]
  audio: { language: string; path: string }[]
}

/** What is known of the films that are handed in and of what comes along with them, by path. */
export interface UploadedFilms {
  bytes: Map<string, number>
  hashes: Map<string, string>
  chapters: Map<string, VideoOptions['chapters']>
}

/** What all tables of one import or export work with. */
export interface ImportContext {
  db: TenantDb
  customerId: CustomerId
  currency: string
  now: string
  facts: Facts
  tree: CategoryTree
  /** What is known of files and pictures, by their keys. */
  pictures: Map<string, Picture>
  /** Those of them that were made ready before the first row. */
  readyPictures: ReadonlyMap<string, Picture>
  files: Map<string, StoredFacts>
  /** Shown by products without a poster. */
  plain: Picture
  films: UploadedFilms
  videos: RequestedVideo[]
  /** Products and plans the files name, whether their rows are right or not: what refers to them is judged by itself. */
  named: { products: Set<string>; plans: Set<string> }
  /** Products whose prices, lessons or words have changed. */
  touched: Set<string>
}

/** One table: its columns, and its way to and from the database. `W` is what it works with. */
export interface TableOf<W> {
  name: string
  columns: readonly Column[]
  /** What visitors read: each has a column of its own for every other language of the store. */
  texts?: readonly Column[]
  /** The columns a row is known by where it has no id: two rows of one key are the same. */
  keys: readonly string[]
  /** The store's rows that some rows of a file may mean. */
  find: (work: W, given: readonly Values[]) => Promise<StoredRow[]>
  /** What the values of rows make wrong together, or with those of others: by the place in `pairs`. */
  check: (work: W, pairs: readonly { values: Values; kept: StoredRow | null }[]) => Promise<Complaint[][]>
  write: (work: W, changes: readonly RowChange[]) => Promise<void>
  /** All rows of the store, some at a time, in an order that does not change. */
  all: (work: W) => AsyncIterable<StoredRow[]>
  /** Takes rows out of the store; answers how many were not out already. */
  remove: (work: W, kept: readonly StoredRow[]) => Promise<number>
  /** How many rows there are. */
  count: (work: W) => Promise<number>
  /** Hears of every row of a file that can be read, whatever is wrong with it. */
  hears?: (work: W, values: Values) => void
  /** Rows can be judged all together alone. */
  whole?: boolean
  /** Lets go of what a batch of rows has gathered. */
  rests?: (work: W) => void
}

/** A table of a catalogue. */
export type Table = TableOf<ImportContext>

/** How many rows the store has in a table of the database. */
export const countIn = (from: string) => (work: ImportContext) => countRows(work.db, work.customerId, from)

/** What tells a row from the others, where it has no id. Two categories that differ in capitals alone are one. */
export const keyOf = ({ name, keys }: Pick<TableOf<never>, 'name' | 'keys'>, values: Values): string => {
  const key = keys.map((column) => values[column] ?? '').join('\n')
  return name === 'categories' ? key.toLowerCase() : key
}

/** How many rows are read and written at once. */
export const batchSize = 500

const storageKey = (picture: Picture) => picture.url.replace(/\?.*$/s, '').replace(/^\/media\//, '')

/** The key a cell's value holds for a picture, remembered so that the value can become the picture again. */
export const pictureKey = ({ pictures }: Pick<ImportContext, 'pictures'>, picture: Picture | null): string | null => {
  if (!picture) return null
  const key = storageKey(picture)
  if (!pictures.has(key)) pictures.set(key, picture)
  return key
}

export const pictureUnder = ({ pictures }: ImportContext, key: string | null, alt: string): Picture | null => {
  if (key === null) return null
  const picture = pictures.get(key)
  if (!picture) throw new Error(`The picture ${key} was not made ready`)
  return { ...picture, alt }
}

export const idsOf = (given: readonly Values[]) => given.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
export const textsOf = (given: readonly Values[], column: string) => [
  ...new Set(given.map((values) => values[column]).filter((value): value is string => typeof value === 'string')),
]

interface Given<Name extends 'banners' | 'notices' | 'faq' | 'pages'> {
  name: Name
  columns: readonly Column[]
  /** The columns that visitors read. */
  texts: readonly Column[]
  keys: readonly string[]
  idOf: (row: SmallTableRows[Name]) => string
  valuesOf: (work: ImportContext, row: SmallTableRows[Name]) => Values
  complaints: (work: ImportContext, values: Values) => Complaint[] | Promise<Complaint[]>
  rowOf: (work: ImportContext, change: RowChange) => Record<string, unknown>
  /** The column beside the tenant in its primary key. */
  key?: 'id' | 'type'
}

/** A table of a few hundred rows at most that refers to little else. */
export const wholeTable = <Name extends 'banners' | 'notices' | 'faq' | 'pages'>({
  name,
  columns,
  texts,
  keys,
  idOf,
  valuesOf,
  complaints,
  rowOf,
  key = 'id',
}: Given<Name>): Table => {
  const read = async (work: ImportContext): Promise<StoredRow[]> =>
    (await readWhole(work.db, work.customerId, name)).map((row) => ({
      id: idOf(row),
      values: { ...valuesOf(work, row), translations: row.translations },
    }))
  return {
    name,
    columns,
    texts,
    keys,
    find: read,
    count: countIn(name),
    check: (work, pairs) => Promise.all(pairs.map(({ values }) => complaints(work, values))),
    write: (work, changes) =>
      upsertRows(
        work.db,
        name,
        changes.map((change) => ({ ...rowOf(work, change), translations: translationsOf(change.values) })),
        key,
      ),
    all: async function* (work) {
      const rows = await read(work)
      if (rows.length > 0) yield rows
    },
    remove: async ({ db, customerId }, kept) => {
      const gone = kept.map(({ id }) => id)
      await deleteRows(db, customerId, name, gone, key)
      return gone.length
    },
  }
}

/** The end of a period must come after its beginning. */
export const periodComplaints = ({ starts_at, ends_at }: Values): Complaint[] =>
  starts_at && ends_at && starts_at >= ends_at ? [{ column: 'ends_at', right: 'must be later than starts_at' }] : []
