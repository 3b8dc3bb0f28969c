import { readWhole, removeUpload } from '#api/modules/media/uploads.ts'
import type { CsvRecord } from '#api/platform/csv/csv.ts'
import type { I18n } from '#api/platform/i18n/messages.ts'
import { largestImportFile } from '#contract/admin/imports.ts'
import { placedTexts } from '#contract/admin/product-gallery.ts'
import { categoriesById, pathFromRoot } from '#contract/category-paths.ts'
import { clockAt, timeOfClock } from '#contract/dates.ts'
import { locale as anyLocale, type Locale } from '#contract/enumerations.ts'
import type { CategoryId, UploadId } from '#contract/ids.ts'
import type { Translation, Translations } from '#contract/translations.ts'

/**
 * A parsed cell: money in minor units, times in ISO 8601; images, files and videos by their storage
 * key, or `path:…` for a video that is still to be uploaded.
 */
export type Value = string | number | boolean | null | readonly string[] | Translations
export type Values = Record<string, Value>

/** Whether a cell holds several values, such as tags. */
export const isList = (value: Value | undefined): value is readonly string[] => Array.isArray(value)

/** Whether a value is a string. The empty string is one. */
export const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * Returns the text of a column that always has one.
 *
 * @throws Error for any other value, which its codec cannot have read.
 */
export const textIn = (values: Values, column: string): string => {
  const value = values[column]
  if (!isText(value)) throw new Error(`The column ${column} holds no text`)
  return value
}

/** Returns the text of an optional column, or null if it is empty. */
export const optionalTextIn = (values: Values, column: string): string | null => {
  const value = values[column]
  return isText(value) ? value : null
}

/** Returns the entries of a list column. Empty for an empty cell. */
export const listIn = (values: Values, column: string): readonly string[] => {
  const value = values[column]
  return isList(value) ? value : []
}

/** Returns the translations of a store's row. */
export const storedTranslations = ({ translations }: Values): Translations =>
  typeof translations === 'object' && translations !== null && !isList(translations) ? translations : {}

/** Returns the field and the language of a column such as `title.ko`, or nothing for others. */
export const splitName = (name: string): [string, Locale] | [] => {
  const dot = name.lastIndexOf('.')
  const { data } = anyLocale.safeParse(name.slice(dot + 1))
  return dot > 0 && data ? [name.slice(0, dot), data] : []
}

/** Returns the translations to write: those of the store, updated by the cells of the file. */
export const translationsOf = (values: Values): Translations => {
  const all: Partial<Record<string, Translation>> = { ...storedTranslations(values) }
  for (const [name, value] of Object.entries(values)) {
    const [field, language] = splitName(name)
    if (field === undefined || language === undefined) continue
    const { [field]: _, ...others } = all[language] ?? {}
    all[language] = typeof value === 'string' || isList(value) ? { ...others, [field]: value } : others
  }
  return Object.fromEntries(Object.entries(all).filter(([, texts]) => Object.keys(texts ?? {}).length > 0))
}

/** Sorts translations by their keys, so that two can be compared. */
export const sortedTranslations = (translations: Translations) =>
  Object.entries(translations)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([language, texts]) => [language, Object.entries(texts ?? {}).sort(([a], [b]) => a.localeCompare(b))])

const planned = 'planned_'

/** Returns the translations of the present and the planned texts of a page as those of one row. */
export const joinTranslations = (present: Translations, later: Translations = {}): Translations =>
  Object.fromEntries(
    [...new Set([...Object.keys(present), ...Object.keys(later)])].map((language) => [
      language,
      {
        ...Reflect.get(present, language),
        ...Object.fromEntries(
          Object.entries(Reflect.get(later, language) ?? {}).map(([field, text]) => [`${planned}${field}`, text]),
        ),
      },
    ]),
  )

/** Returns the translations of the present texts of a page, and those of the planned ones. */
export const splitTranslations = (all: Translations) => {
  const partOf = (isPlanned: boolean): Translations =>
    Object.fromEntries(
      Object.entries(all).flatMap(([language, texts]) => {
        const part = Object.entries(texts ?? {}).filter(([field]) => field.startsWith(planned) === isPlanned)
        return part.length > 0
          ? [[language, Object.fromEntries(part.map(([field, text]) => [field.replace(planned, ''), text]))]]
          : []
      }),
    )
  return { present: partOf(false), later: partOf(true) }
}

const local = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i

/**
 * Reads `2026-11-21 09:00` in the store's time zone, a date (its start), or ISO 8601 with an
 * offset. Returns null for anything else.
 */
export const readTime = (text: string, timeZone: string): string | null => {
  if (iso.test(text)) {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? null : date.toISOString()
  }
  const match = local.exec(text)
  if (!match) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const clock = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(clock)
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return null
  const time = timeOfClock(clock, timeZone)
  // A change to summer time skips some local times.
  return clockAt(time, timeZone) === clock ? time.toISOString() : null
}

/**
 * Writes local time if it is unambiguous, else ISO 8601. Reading the result returns the same time.
 */
export const writeTime = (time: string, timeZone: string): string => {
  const clock = new Date(clockAt(new Date(time), timeZone)).toISOString()
  const short = clock.slice(0, 16).replace('T', ' ')
  return readTime(short, timeZone) === time ? short : time
}

/** Splits `Films|Short` and `Films > Drama`. A backslash escapes a literal separator. */
const split = (text: string, separator: string, withEmpty = false): string[] => {
  const items = ['']
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const next = text[at + 1]
    if (letter === '\\' && (next === separator || next === '\\')) {
      items[items.length - 1] += next
      at++
    } else if (letter === separator) items.push('')
    else items[items.length - 1] += letter
  }
  return items.map((item) => item.trim()).filter((item) => withEmpty || item !== '')
}

const join = (items: readonly string[], separator: string, glue: string) =>
  items.map((item) => item.replace(/\\/g, '\\\\').replaceAll(separator, `\\${separator}`)).join(glue)

/** Splits a cell at `|` into its entries. Entries that have a place may be empty. */
export const readList = (text: string, hasPlaces = false) =>
  hasPlaces ? placedTexts(split(text, '|', true)) : split(text, '|')
/** Joins entries to a cell, with `|` between them. */
export const writeList = (items: readonly string[]) => join(items, '|', '|')
/** Returns the names of a category and its ancestors, starting at the root. */
export const readPath = (text: string) => split(text, '>')

/** Writes the names of a category and its ancestors: `Films > Drama`. */
export const writePath = (names: readonly string[]) => join(names, '>', ' > ')

export interface CategoryPaths {
  idOf: (path: string) => CategoryId | undefined
  pathOf: (id: CategoryId) => string | undefined
  /** Returns a category and its ancestors, starting at the root. */
  idsTo: (id: CategoryId) => CategoryId[]
}

/** Indexes a store's categories by path. If two share a path, the first one counts. */
export const indexCategoryPaths = (
  nodes: readonly { id: CategoryId; parentId: CategoryId | null; name: string }[],
): CategoryPaths & { paths: Map<string, string> } => {
  const byId = categoriesById(nodes)
  const pathOf = (id: CategoryId) =>
    byId.has(id) ? writePath(pathFromRoot(byId, id).map(({ name }) => name)) : undefined
  const ids = new Map<string, CategoryId>()
  const paths = new Map<string, string>()
  for (const { id } of nodes) {
    const path = pathOf(id) ?? ''
    const key = path.toLowerCase()
    if (ids.has(key)) continue
    ids.set(key, id)
    paths.set(key, path)
  }
  const idsTo = (id: CategoryId) => pathFromRoot(byId, id).map((node) => node.id)
  return { idsTo, pathOf, paths, idOf: (path) => ids.get(path.toLowerCase()) }
}

/** A table to import. Its rows are read anew each time. */
export interface SourceTable {
  table: string
  file: string
  columns: readonly string[]
  rows: () => AsyncIterable<CsvRecord>
}

/**
 * An image to scale, a file to store unchanged (for members or for everybody), a video, or a file
 * that belongs to a video.
 */
export type FileKind = 'PICTURE' | 'FILE' | 'PUBLIC_FILE' | 'VIDEO' | 'CAPTIONS' | 'SOUND' | 'CHAPTERS'

/** The files next to the tables. */
export interface SourceFiles {
  /** Returns null if the file does not exist, or a message if it may not be read. */
  open: (path: string, kind: FileKind) => Promise<{ path: string; bytes: number } | string | null>
}

/** Files that were uploaded to be imported with a table, by their names. */
export interface UploadedFiles extends SourceFiles {
  /** The names of those that no cell has named so far. */
  unused: () => string[]
  /** Removes them all, because their content is stored. */
  remove: () => Promise<void>
}

const uploadedKinds: readonly FileKind[] = ['PICTURE', 'FILE', 'PUBLIC_FILE']

/**
 * Gives access to uploads of a folder. A cell names a file by its name: in a browser there is no
 * folder beside the table.
 */
export const uploadedFiles = (
  folder: string,
  files: readonly { name: string; upload: UploadId }[],
  i18n: I18n,
): UploadedFiles => {
  const uploads = new Map(files.map(({ name, upload }) => [name.normalize('NFC'), upload]))
  const used = new Set<string>()
  return {
    open: async (path, kind) => {
      const name = (path.split(/[\\/]/).at(-1) ?? '').normalize('NFC')
      const id = uploads.get(name)
      if (!id || !uploadedKinds.includes(kind))
        return i18n._(
          'must be a picture or file that is chosen with the table, or one that the store has (store:…). Films and larger files are imported with the command',
        )
      used.add(name)
      const upload = await readWhole(folder, id)
      if (!upload) return i18n._('must be a file whose upload is complete. Choose the file again')
      const size = largestImportFile / 1_000_000
      return upload.bytes > largestImportFile ? i18n._('must be a file of at most {size} MB', { size }) : upload
    },
    unused: () => [...uploads.keys()].filter((name) => !used.has(name)),
    remove: async () => {
      for (const id of uploads.values()) await removeUpload(folder, id)
    },
  }
}
