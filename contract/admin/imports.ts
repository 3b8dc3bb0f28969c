import * as z from 'zod/mini'
import { catalogImportId, productCode, uploadId } from '../ids.ts'

/** The tables of a catalogue, each after those that it refers to. */
export const importTable = z.enum([
  'categories',
  'products',
  'options',
  'lessons',
  'attachments',
  'plans',
  'banners',
  'notices',
  'faq',
  'pages',
])
export type ImportTable = z.output<typeof importTable>

/** The tables of texts for visitors, which need the permissions of content besides. */
export const contentTables: readonly ImportTable[] = ['banners', 'notices', 'faq', 'pages']

/** The largest file of an import, in bytes. Larger ones are imported by a command. */
export const largestImport = 10_000_000

/** The files that are chosen with a table, at most. */
export const maxImportFiles = 200
/** The largest of them, in bytes. Larger ones are imported by a command. */
export const largestImportFile = 50_000_000

/** How long an import is listed and can be undone. Then it is deleted. */
export const importDays = 30

/** How long an import may take. */
export const maxImportMinutes = 10

export const storeTablePath = z.object({ table: importTable })

export const storeImport = z.object({
  table: importTable,
  /** Chosen by the caller, who finds the import by it if the answer is lost. */
  id: z.optional(catalogImportId),
  file: z.file().check(z.minSize(1), z.maxSize(largestImport)),
  /** Pictures and files that cells name. Each was uploaded before, and is not for a video. */
  files: z._default(
    z
      .array(z.object({ name: z.string().check(z.minLength(1), z.maxLength(200)), upload: uploadId }))
      .check(z.maxLength(maxImportFiles)),
    [],
  ),
  /** Says what would change, and changes nothing. */
  dryRun: z._default(z.boolean(), false),
  /** Also removes what the file does not have. */
  removes: z._default(z.boolean(), false),
})

const counts = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  removed: z.int(),
  /** What the store has and the file has not. */
  notInFile: z.int(),
})

export const storeImported = z.object({
  /** Undoes it; null where nothing was changed. */
  id: z.nullable(catalogImportId),
  /** Whether the import can be undone: a very large table is not kept for that. */
  canUndo: z.boolean(),
  /** With a problem, nothing is imported. The first ones, of `problemCount`. */
  problems: z.array(
    z.object({
      /** As a spreadsheet counts; null for the whole file. */
      row: z.nullable(z.int()),
      column: z.nullable(z.string()),
      value: z.nullable(z.string()),
      message: z.string(),
    }),
  ),
  problemCount: z.int(),
  counts,
  /** The cells that are changed, as the table writes them. The first ones, of `changeCount`. */
  changes: z.array(z.object({ key: z.string(), column: z.string(), from: z.string(), to: z.string() })),
  changeCount: z.int(),
  /**
   * Changed products that are on sale with nothing in them: they are neither listed nor sold. The
   * first ones, of `notReadyCount`.
   */
  notReady: z.array(productCode),
  notReadyCount: z.int(),
  /** The chosen files that no cell names. */
  unusedFiles: z.array(z.string()),
})
export type StoreImported = z.output<typeof storeImported>

/** The imports of the last days, the latest first. */
export const storeImports = z.object({
  items: z.array(
    z.object({
      id: catalogImportId,
      table: importTable,
      file: z.string(),
      by: z.string(),
      counts,
      createdAt: z.iso.datetime(),
      undoneAt: z.nullable(z.iso.datetime()),
      /** Whether it can be undone while nothing else has changed its table. */
      canUndo: z.boolean(),
    }),
  ),
})
export const storeImportPath = z.object({ id: catalogImportId })
