import { codesNotReady } from '#api/modules/catalog/playables.queries.ts'
import { deriveProducts } from '#api/modules/catalog/products.ts'
import { categories, readTree } from '#api/modules/import-export/tables/categories.ts'
import { banners, faq, notices, pages } from '#api/modules/import-export/tables/content.ts'
import { plans } from '#api/modules/import-export/tables/plans.ts'
import { attachments, lessons, options } from '#api/modules/import-export/tables/product-parts.ts'
import { products } from '#api/modules/import-export/tables/products.ts'
import { plainPoster } from '#api/modules/media/pictures.ts'
import { restoreVideo, retireVideo } from '#api/modules/media/video-jobs.ts'
import { lockSettings, settingsOf } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import type { Ctx, Customer } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { emit } from '#api/platform/events.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { MediaContent, MediaKey, MediaStorage } from '#api/platform/storage/storage.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { CatalogImportId, ProductCode } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import { lockImports, tryLockImports } from './import-export.queries.ts'
import { deleteWritten, mediaName, prepareMedia, type ReadyMedia } from './import-media.ts'
import { checkHeadings, importTable } from './import-table.ts'
import type { Changes, ImportProblem, ImportReport, ObjectChange } from './report.ts'
import { collectProblems, ImportRunning } from './report.ts'
import type { FileKind, SourceFiles, SourceTable } from './tables/cell-formats.ts'
import { InvalidCell } from './tables/column-codecs.ts'
import { disableIdleTimeout, prepareLongImport, videoIdsOf } from './tables/import-export.queries.ts'
import type { ImportContext, KnownMedia, RequestedVideo, Table } from './tables/table.ts'
import { inLanguages, languageProblem } from './tables/table-columns.ts'

/** All tables of a catalogue. Each follows the tables it refers to. */
export const tables: readonly Table[] = [
  ...[categories, products, options, lessons, attachments],
  ...[plans, banners, notices, faq, pages],
]

/** Stores files for an import. They are deleted if the import fails; a dry run stores none. */
type StoreFiles = (files: readonly { key: MediaKey; bytes: Uint8Array }[]) => Promise<void>

export interface ImportCtx extends Pick<Ctx, 'customer' | 'clock'> {
  storage: MediaStorage
  files: SourceFiles
  /** What the table named before, and nothing in the store may show any more. */
  known?: KnownMedia
  /** True to wait for another import of the store. It needs connections of its own. */
  waits?: true
  inTransaction: <Answer>(work: (ctx: Ctx) => Promise<Answer>) => Promise<Answer>
  /** The language of the problems. English for commands. */
  problemLocale?: Locale
  /**
   * Work in the import's transaction before the tables, such as settings or the store itself.
   * Returns the problems found.
   */
  beforeTables?: (ctx: Ctx, store: StoreFiles) => Promise<readonly ImportProblem[]>
  /**
   * Work in the import's transaction after the tables, such as settings that name categories.
   * Returns the problems found.
   */
  withTables?: (ctx: Ctx) => Promise<readonly ImportProblem[]>
  /** Work at the end of the transaction, where the tables are imported and it is no dry run. */
  afterTables?: (ctx: Ctx, report: ImportReport) => Promise<void>
}

export interface ImportOptions {
  sources: readonly SourceTable[]
  /** True to read and validate everything without writing. */
  dry: boolean
  /** True to remove rows that the files omit. */
  removes: boolean
  /** False refuses rows that show another video than before. */
  mayChangeVideos?: boolean
  isNewStore?: boolean
  by: AuditActor
  /** The import that the histories of changed objects name. */
  id?: CatalogImportId
}

export interface Imported extends ImportReport {
  videos: RequestedVideo[]
  /**
   * Codes of changed products that are ON_SALE without content. They are neither listed nor sold.
   */
  notReady: ProductCode[]
}

/** Rolls the transaction back, and passes the report out of it. */
class DryRunRollback extends Error {
  override readonly name = 'DryRunRollback'
  readonly report: Imported
  constructor(report: Imported) {
    super('The import is rolled back')
    this.report = report
  }
}

/**
 * Imports tables of a catalogue, all of them or nothing. Every row is validated even after an
 * error. Returns the problems and the counts of added, changed and unchanged rows. Rows are
 * identified by their codes, so that importing the same file twice changes nothing. The caller
 * uploads the videos afterwards.
 *
 * @throws ImportRunning if another import of the store is running, unless it `waits`
 */
export const importCatalog = async (ctx: ImportCtx, options: ImportOptions): Promise<Imported> => {
  try {
    // One connection for all of it: an import that waits for a second one could wait for ever.
    return await ctx.inTransaction(async (tx) => {
      await prepareLongImport(tx.db)
      await disableIdleTimeout(tx.db)
      // Taken before the first file is stored: a failed import deletes its files, on which another
      // import could otherwise rely.
      if (ctx.waits) await lockImports(tx.db, tx.customer.id)
      else if (!(await tryLockImports(tx.db, tx.customer.id))) throw new ImportRunning()
      await lockSettings(tx.db, tx.customer.id)
      return importFilms(ctx, tx, options)
    })
  } catch (error) {
    if (error instanceof DryRunRollback) return error.report
    throw error
  }
}

/** Column names of release 0.1.0, for files that it exported. */
const formerColumns: Record<string, string> = {
  wide: 'image_desktop',
  narrow: 'image_mobile',
  show_from: 'starts_at',
  show_to: 'ends_at',
}

/** Returns the table with current column names. */
const withPresentColumns = (source: SourceTable): SourceTable => {
  const columns = tables.find(({ name }) => name === source.table)?.columns.map(({ name }) => name) ?? []
  const presentName = (name: string) => {
    const present = formerColumns[name]
    return present && columns.includes(present) && !source.columns.includes(present) ? present : name
  }
  if (source.columns.every((name) => presentName(name) === name)) return source
  async function* rows() {
    for await (const row of source.rows())
      yield {
        ...row,
        cells: Object.fromEntries(Object.entries(row.cells).map(([name, cell]) => [presentName(name), cell])),
      }
  }
  return { ...source, columns: source.columns.map(presentName), rows }
}

interface ImportInput {
  db: TenantDb
  customer: Customer
  now: string
  plain: Picture
  media: Pick<ReadyMedia, 'found' | 'pictures' | 'files' | 'films'>
  reference: (key: string, kind: FileKind) => string
  mayChangeVideos?: boolean
  isNewStore?: boolean | undefined
}

/** Creates the context that the tables of one import or export share, in its transaction. */
export const createImportContext = async ({
  db,
  customer,
  now,
  plain,
  media,
  reference,
  mayChangeVideos = true,
  isNewStore = false,
}: ImportInput): Promise<ImportContext> => {
  const { tree } = await readTree({ db, customerId: customer.id })
  const { currency, timeZone } = customer.settings.base
  return {
    db,
    customerId: customer.id,
    currency,
    now,
    tree,
    plain,
    films: media.films,
    videos: [],
    mayChangeVideos,
    isNewStore,
    shownVideos: new Set(),
    droppedVideos: new Map(),
    pictures: new Map(media.pictures),
    readyPictures: media.pictures,
    files: new Map(media.files),
    named: { products: new Set(), plans: new Set() },
    touched: new Set(),
    onSale: [],
    facts: {
      currency,
      timeZone,
      categoryPaths: tree.paths,
      reference,
      media: (name, kind) => media.found.get(mediaName(kind, name)) ?? new InvalidCell('must be the path of a file'),
    },
  }
}

/** Imports in a transaction, which may be run again: everything is created anew each time. */
const importFilms = async (ctx: ImportCtx, tx: Ctx, importOptions: ImportOptions): Promise<Imported> => {
  const { customer, storage } = ctx
  const options = { ...importOptions, sources: importOptions.sources.map(withPresentColumns) }
  const sources = options.sources.filter((source) => {
    const table = tables.find(({ name }) => name === source.table)
    return table !== undefined && checkHeadings(source, table, collectProblems())
  })
  const media = await prepareMedia({ ...ctx, db: tx.db, dry: options.dry }, sources, tables)
  const put = async (key: MediaKey, source: MediaContent) => {
    media.written.push(key)
    await storage.put(key, source)
  }
  const store: StoreFiles = async (files) => {
    for (const { key, bytes } of files) if (!options.dry && !(await storage.open(key))) await put(key, bytes)
  }
  try {
    const plain = await plainPoster(customer, { open: (key: MediaKey) => storage.open(key), put }, !options.dry)
    return await writeTables(ctx, tx, { options, sources, media, plain, store })
  } catch (error) {
    await deleteWritten(storage, media)
    throw error
  }
}

interface PreparedImport {
  options: ImportOptions
  /** The tables whose rows can be identified. */
  sources: readonly SourceTable[]
  media: ReadyMedia
  plain: Picture
  store: StoreFiles
}

/** Restores retired videos that rows show again, and retires those that nothing shows any more. */
const updateVideos = async (tx: Ctx, storage: MediaStorage, { shownVideos, droppedVideos }: ImportContext) => {
  for (const id of shownVideos) await restoreVideo(tx, storage, id)
  const ids = await videoIdsOf(tx.db, tx.customer.id, [...droppedVideos.keys()])
  for (const [asset, id] of ids) await retireVideo(tx, id, droppedVideos.get(asset) ?? null)
}

const writeTables = async (
  ctx: ImportCtx,
  tx: Ctx,
  { options, sources, media, plain, store }: PreparedImport,
): Promise<Imported> => {
  const { customer, clock } = ctx
  const problems = collectProblems(messagesOf(ctx.problemLocale ?? 'en'))
  const objects = new Map<string, ObjectChange>()
  const changes: Changes = { list: [], unlisted: 0, history: { objects, letters: 0 } }
  for (const problem of (await ctx.beforeTables?.(tx, store)) ?? []) problems.add(problem)
  // Languages, prices and times are read with the settings of this same import.
  const settings = await settingsOf(tx.db, customer.id)
  const translated = tables.map((table) => inLanguages(table, settings))
  for (const source of options.sources) {
    const table = translated.find(({ name }) => name === source.table)
    if (table) checkHeadings(source, table, problems, (column) => languageProblem(table, column, settings))
  }
  const context = await createImportContext({
    db: tx.db,
    customer: { ...customer, settings },
    now: clock.now().toISOString(),
    plain,
    media,
    reference: (key) => `store:${key}`,
    isNewStore: options.isNewStore,
    ...(options.mayChangeVideos !== undefined && { mayChangeVideos: options.mayChangeVideos }),
  })
  const { videos } = context
  const report: Imported = { changes, problems: problems.list, unlisted: 0, tables: [], videos, notReady: [] }
  for (const table of translated)
    for (const source of sources.filter((candidate) => candidate.table === table.name)) {
      const counts = await importTable({ context, table, source, problems, removes: options.removes, changes })
      report.tables.push({ file: source.file, table: table.name, counts })
    }
  if (problems.list.length === 0) for (const problem of (await ctx.withTables?.(tx)) ?? []) problems.add(problem)
  report.unlisted = problems.unlisted
  if (problems.list.length > 0) throw new DryRunRollback(report)
  await updateVideos(tx, ctx.storage, context)
  await deriveProducts(tx, [...context.touched])
  report.notReady = await codesNotReady(tx.db, customer.id, [...context.touched])
  if (options.dry) throw new DryRunRollback(report)
  const file = sources.map((source) => source.file).join(', ')
  for (const [subject, { action, changes: ofObject }] of objects)
    await audit(tx, {
      actor: options.by,
      action,
      subject,
      changes: ofObject,
      detail: { import: options.id ?? null, file },
    })
  const counts = Object.fromEntries(report.tables.map(({ table, counts: { notInFile, ...rest } }) => [table, rest]))
  const detail = { ...counts, changes: changes.list, unlistedChanges: changes.unlisted }
  if (report.tables.some(({ counts: { added, changed, removed } }) => added + changed + removed > 0))
    await audit(tx, { actor: options.by, action: 'catalog.imported', subject: 'catalog', detail })
  for (const product of context.onSale) await emit(tx, 'productOnSale', product)
  await ctx.afterTables?.(tx, report)
  return report
}
