import { textIn, translationsOf, type Values } from '#api/modules/import-export/tables/cell-formats.ts'
import type { VideoOptions } from '#api/modules/media/media.schema.ts'
import type { CsvRecord } from '#api/platform/csv/csv.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { DomainEvents } from '#api/platform/events.ts'
import type { I18n, Message } from '#api/platform/i18n/messages.ts'
import { agreedPages } from '#contract/admin/content.ts'
import type { CustomerId, LessonId, ProductId, VideoId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { CategoryPaths } from './cell-formats.ts'
import type { Column, Facts } from './column-codecs.ts'
import { countRows, deleteRows, upsertRows } from './import-export.queries.ts'
import { readWhole, type SmallTableRows } from './small-tables.queries.ts'

/** A row of the store in the format of a file. */
export interface StoredRow {
  /** An id of the table's own kind, or the type of a page. */
  id: string
  values: Values
}

/**
 * A row to write with all its values. Values that the file omits come from the store or are
 * defaults.
 */
export interface RowChange {
  id: string
  values: Values
  stored: StoredRow | null
}

export interface RowProblem {
  column: string | null
  message: Message
}

export interface StoredFacts {
  bytes: number
  contentType: string
}

/** A video to upload after everything else is written. Paths are those in the table. */
export interface RequestedVideo
  extends Pick<VideoOptions, 'chapters' | 'language' | 'previewSeconds' | 'previewStartSeconds'> {
  productId: ProductId
  lessonId: LessonId | null
  path: string
  captions: { language: string; path: string }[]
  audio: { language: string; path: string }[]
}

/** Data about uploaded films and their accompanying files, by path. */
export interface UploadedFilms {
  bytes: Map<string, number>
  hashes: Map<string, string>
  chapters: Map<string, VideoOptions['chapters']>
}

/** The context that all tables of one import or export share. */
export interface ImportContext {
  db: TenantDb
  customerId: CustomerId
  currency: string
  now: string
  facts: Facts
  tree: CategoryPaths
  /** Data about files and images, by key. */
  pictures: Map<string, Picture>
  /** The images prepared before the first row. */
  readyPictures: ReadonlyMap<string, Picture>
  files: Map<string, StoredFacts>
  /** The image of products without a poster. */
  plain: Picture
  films: UploadedFilms
  videos: RequestedVideo[]
  /** False for a caller who may change rows, but not which video they show. */
  mayChangeVideos: boolean
  /** True if the import creates the store: scheduled prices that have passed are then due. */
  isNewStore: boolean
  /** Videos that rows begin to show. */
  shownVideos: Set<VideoId>
  /** Videos that rows no longer show, by asset, with the row that shows another one instead. */
  droppedVideos: Map<string, ProductId | LessonId | null>
  /**
   * Products and plans that the files name, whether their rows are valid or not, so that references
   * to them are validated independently.
   */
  named: { products: Set<string>; plans: Set<string> }
  /** Products whose prices, lessons or texts have changed. */
  touched: Set<ProductId>
  /** Products that the import puts on sale. */
  onSale: DomainEvents['productOnSale'][]
}

/** What the store knows of pictures and files, by key. */
export type KnownMedia = Pick<ImportContext, 'pictures' | 'files'>

/** A table with its columns and its database access. `W` is its context. */
export interface TableOf<W> {
  name: string
  columns: readonly Column[]
  /** Texts for visitors. Each has an additional column per other language of the store. */
  texts?: readonly Column[]
  /** The columns that identify a row without an id. Two rows with the same key are the same row. */
  keys: readonly string[]
  /** Returns the store's rows to which rows of a file may refer. */
  find: (context: W, rows: readonly Values[]) => Promise<StoredRow[]>
  /**
   * Validates the values of rows together and against other rows. Returns problems by position in
   * `pairs`.
   */
  check: (context: W, pairs: readonly { values: Values; stored: StoredRow | null }[]) => Promise<RowProblem[][]>
  write: (context: W, changes: readonly RowChange[]) => Promise<void>
  /** Returns all rows of the store in batches, in a stable order. */
  all: (context: W) => AsyncIterable<StoredRow[]>
  /** Removes rows from the store. Returns the number that were not removed already. */
  remove: (context: W, stored: readonly StoredRow[]) => Promise<number>
  /** Returns the number of rows. */
  count: (context: W) => Promise<number>
  /** Called for every readable row of a file, valid or not. */
  registerKey?: (context: W, values: Values) => void
  /** Returns the id of a new row. By default a new one. */
  newIdOf?: (values: Values) => string
  /** True if rows can only be validated all together. */
  needsAllRows?: boolean
  /** Frees the data collected for a batch of rows. */
  releaseBatch?: (context: W) => void
}

/** A table of a catalogue. */
export type Table = TableOf<ImportContext>

/** Returns the number of the store's rows in a database table. */
export const countIn = (from: string) => (context: ImportContext) => countRows(context.db, context.customerId, from)

/**
 * Returns the key that identifies a row without an id. Category names are compared
 * case-insensitively.
 */
export const keyOf = ({ name, keys }: Pick<TableOf<never>, 'name' | 'keys'>, values: Values): string => {
  const key = keys.map((column) => values[column] ?? '').join('\n')
  return name === 'categories' ? key.toLowerCase() : key
}

/** The number of rows read and written at once. */
export const batchSize = 500

const storageKey = (picture: Picture) => picture.url.replace(/\?.*$/s, '').replace(/^\/media\//, '')

/**
 * Returns the key that represents an image in a cell. The image is cached so that the key can be
 * converted back.
 */
export const pictureKey = ({ pictures }: Pick<ImportContext, 'pictures'>, picture: Picture | null): string | null => {
  if (!picture) return null
  const key = storageKey(picture)
  if (!pictures.has(key)) pictures.set(key, picture)
  return key
}

/**
 * Returns the image of a key with its alternative text; null without a key.
 *
 * @throws if the image was not prepared
 */
export const pictureUnder = ({ pictures }: ImportContext, key: string | null, alt: string): Picture | null => {
  if (key === null) return null
  const picture = pictures.get(key)
  if (!picture) throw new Error(`The picture ${key} was not made ready`)
  return { ...picture, alt }
}

/** Returns the ids that rows of a file name. */
export const idsOf = (rows: readonly Values[]) => rows.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))

/** Returns the different texts of a column. */
export const textsOf = (rows: readonly Values[], column: string) => [
  ...new Set(rows.map((values) => values[column]).filter((value): value is string => typeof value === 'string')),
]

interface SmallTableInput<Name extends 'banners' | 'notices' | 'faq' | 'pages'> {
  name: Name
  columns: readonly Column[]
  /** The columns with texts for visitors. */
  texts: readonly Column[]
  keys: readonly string[]
  idOf: (row: SmallTableRows[Name]) => string
  valuesOf: (context: ImportContext, row: SmallTableRows[Name]) => Values
  problems: (context: ImportContext, values: Values, stored: StoredRow | null) => RowProblem[] | Promise<RowProblem[]>
  rowOf: (context: ImportContext, change: RowChange) => Record<string, unknown>
  /** The column that forms the primary key together with the tenant. */
  key?: 'id' | 'type'
}

/** Defines a table with a few hundred rows at most and few references. */
export const wholeTable = <Name extends 'banners' | 'notices' | 'faq' | 'pages'>({
  name,
  columns,
  texts,
  keys,
  idOf,
  valuesOf,
  problems,
  rowOf,
  key = 'id',
}: SmallTableInput<Name>): Table => {
  const read = async (context: ImportContext): Promise<StoredRow[]> =>
    (await readWhole(context.db, context.customerId, name)).map((row) => ({
      id: idOf(row),
      values: { translations: row.translations, ...valuesOf(context, row) },
    }))
  return {
    name,
    columns,
    texts,
    keys,
    find: read,
    count: countIn(name),
    ...(key === 'type' && { newIdOf: (values) => textIn(values, key) }),
    check: (context, pairs) => Promise.all(pairs.map(({ values, stored }) => problems(context, values, stored))),
    write: (context, changes) =>
      upsertRows(
        context.db,
        name,
        changes.map((change) => ({ translations: translationsOf(change.values), ...rowOf(context, change) })),
        key,
      ),
    all: async function* (context) {
      const rows = await read(context)
      if (rows.length > 0) yield rows
    },
    remove: async ({ db, customerId }, stored) => {
      const removedIds = stored.map(({ id }) => id)
      await deleteRows(db, customerId, name, removedIds, key)
      return removedIds.length
    },
  }
}

/** The message of a time that must be later than that of another column. */
export const laterThan =
  (column: string): Message =>
  (i18n) =>
    i18n._('must be later than {column}', { column })

/** Checks that a period ends after it starts. */
export const periodProblems = ({ starts_at, ends_at }: Values): RowProblem[] =>
  starts_at && ends_at && starts_at >= ends_at ? [{ column: 'ends_at', message: laterThan('starts_at') }] : []

/** A page that members agree to has no period and does not become a draft again. */
export const hiddenPage = (values: Values, stored: StoredRow | null): RowProblem[] => {
  const { type, draft, starts_at, ends_at } = values
  if (!agreedPages.some((agreed) => agreed === type)) return periodProblems(values)
  const message = (i18n: I18n) => i18n._('must be empty, because members agree to this page')
  const hidden = { draft: draft === true && stored?.values.draft === false, starts_at, ends_at }
  return Object.entries(hidden).flatMap(([column, value]) => (value ? [{ column, message }] : []))
}

/** Checks that texts planned for a page are whole, and that their time is still to come. */
export const plannedProblems = (
  { now, isNewStore }: ImportContext,
  values: Values,
  stored: StoredRow | null,
): RowProblem[] => {
  const { planned_from: from, planned_title: title, planned_body: body } = values
  if (from === null && title === null && body === null) return []
  const missing = Object.entries({ planned_from: from, planned_title: title, planned_body: body })
    .filter(([, value]) => value === null || value === '')
    .map(([column]) => ({
      column,
      message: (i18n: I18n) => i18n._('must not be empty where other planned texts are set'),
    }))
  const isPassed = typeof from === 'string' && from <= now && from !== stored?.values.planned_from && !isNewStore
  return isPassed
    ? [...missing, { column: 'planned_from', message: (i18n: I18n) => i18n._('must be a time in the future') }]
    : missing
}

/**
 * The maximum number of characters in a batch, so that a few very large rows are not read together
 * with hundreds of others.
 */
const maxLetters = 4_000_000

/** Yields rows in batches of at most `max` rows. */
export async function* batchesOf(rows: AsyncIterable<CsvRecord>, max: number): AsyncGenerator<CsvRecord[]> {
  let batch: CsvRecord[] = []
  let letters = 0
  for await (const row of rows) {
    batch.push(row)
    for (const cell of Object.values(row.cells)) letters += cell.length
    if (batch.length < max && letters < maxLetters) continue
    yield batch
    batch = []
    letters = 0
  }
  if (batch.length > 0) yield batch
}
