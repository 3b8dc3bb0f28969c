import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningTableJob, runTableJob, startTableJob, withTableJob } from '#api/modules/admin/table-jobs.ts'
import { uploadFolder } from '#api/modules/media/uploads.ts'
import type { VideoSources } from '#api/modules/media/video-sources.ts'
import { settingsOf } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Clock, type Ctx, type DetachedCtx, type Failure, failure } from '#api/platform/context.ts'
import { readCsv, streamOf } from '#api/platform/csv/csv.ts'
import { newId } from '#api/platform/db/columns.ts'
import {
  assertPermission,
  detachedCtx,
  fromReplica,
  implementProcedures,
  operatorName,
  operatorOf,
  type ProcedureContext,
  transact,
  unwrap,
  writing,
} from '#api/platform/http/procedures.ts'
import { callerLocale } from '#api/platform/http/request-facts.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import { contentTables, type ImportTable, importDays, type StoreImported } from '#contract/admin/imports.ts'
import { csvType } from '#contract/admin/lists.ts'
import type { CatalogImportId } from '#contract/ids.ts'
import type { Permission } from '#contract/permissions.ts'
import { restoreTable, snapshotTable, writeTableFile } from './export-catalog.ts'
import { type ImportCtx, type Imported, importCatalog, tables } from './import-catalog.ts'
import {
  findImport,
  importExists,
  insertImport,
  markUndone,
  moveImportBefore,
  readImportBefore,
  readImports,
} from './import-export.queries.ts'
import { importConflict, unreadableFile, viewReport, withDeadline, withFile, withImportSlot } from './report.ts'
import { type UploadedFiles, uploadedFiles } from './tables/cell-formats.ts'
import type { KnownMedia } from './tables/table.ts'

interface ImportDeps {
  storage: MediaStorage
  sources: VideoSources
  /** The folder of uploads. */
  dataFolder: string
}

const os = implementProcedures<ImportDeps>().admin.imports

const listedImports = 50
/** The imports of a store that can be undone: each keeps a table. */
const undoableImports = 20
/** A larger table is not kept to undo its import. Characters. */
const largestUndo = 50_000_000

const oldest = (clock: Clock) => new Date(clock.now().getTime() - importDays * dayMilliseconds)

const uploadedFilesOf = (
  { customer, locale }: Pick<DetachedCtx, 'customer' | 'locale'>,
  { dataFolder }: ImportDeps,
  files: Parameters<typeof uploadedFiles>[1],
) => uploadedFiles(uploadFolder(dataFolder, customer.id), files, messagesOf(locale))

/**
 * Waits for changes of the catalogue that are under way, and lets later ones wait: each writes the
 * row of its store (`move_tenant_version`). A table then differs before and after an import by the
 * import alone.
 */
const holdCatalog = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>) => settingsOf(db, customer.id, 'FOR NO KEY UPDATE')

interface TableImport {
  table: ImportTable
  file: { name: string; path: string }
  files: UploadedFiles
  dry: boolean
  removes: boolean
  mayChangeVideos: boolean
  by: AuditActor
  id: CatalogImportId
  job: RunningTableJob
}

/** Imports one table from a file. `hooks` run in its transaction, before and after it. */
const importFile = async (
  ctx: DetachedCtx,
  { storage }: ImportDeps,
  { table, file, files, job, ...options }: TableImport,
  hooks: Pick<ImportCtx, 'beforeTables' | 'afterTables' | 'known'>,
): Promise<Imported> => {
  const i18n = messagesOf(ctx.locale)
  const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
  const csv = await readCsv(file.path, file.name, columns, i18n)
  const source = { table, file: file.name, ...csv, rows: withDeadline(csv.rows, job.reach) }
  const importCtx: ImportCtx = { ...ctx, problemLocale: ctx.locale, storage, files, ...hooks }
  return importCatalog(importCtx, { sources: [source], ...options })
}

/** Imports a table, and saves what undoes it. */
const importStored = async (ctx: DetachedCtx, deps: ImportDeps, input: TableImport): Promise<StoreImported> => {
  const { table, file, by } = input
  const snapshot = (tx: Ctx) => snapshotTable(tx, deps.sources, table, largestUndo)
  let before: Buffer | null = null
  let id: CatalogImportId | null = null
  try {
    const report = await importFile(ctx, deps, input, {
      // The transaction may be run again.
      beforeTables: async (tx) => {
        id = null
        if (!input.dry) await holdCatalog(tx)
        // A dry run tells whether there is room for it.
        before = (await snapshot(tx)).before
        return []
      },
      afterTables: async (tx, { tables: [imported] }) => {
        const { customer, clock, db } = tx
        const now = clock.now()
        if (!imported || imported.counts.added + imported.counts.changed + imported.counts.removed === 0)
          return input.job.finish(tx)
        id = input.id
        const row = {
          customerId: customer.id,
          id,
          tableName: table,
          fileName: file.name.slice(0, 200),
          actor: by,
          counts: imported.counts,
          before,
          afterHash: (await snapshotTable(tx, deps.sources, table, 0)).hash,
          createdAt: now.toISOString(),
        }
        await insertImport(db, row, undoableImports)
        await input.job.finish(tx)
      },
    })
    // What is left of them expires.
    if (id !== null) await input.files.remove().catch(() => {})
    return viewReport(report, { id, canUndo: before !== null, unusedFiles: input.files.unused() })
  } catch (error) {
    if (error instanceof OperatorError) return unreadableFile(error.message)
    throw error
  }
}

/** Something else has changed the table since the import. */
class TableChanged extends Error {
  override readonly name = 'TableChanged'
}

/**
 * Imports the table as it was before an import, unless it has changed since. What was added is
 * removed as by an import. Failure: CONFLICT.
 */
const undoImport = async (
  ctx: DetachedCtx,
  deps: ImportDeps,
  { by, mayChangeVideos, job }: Pick<TableImport, 'by' | 'mayChangeVideos' | 'job'>,
  stored: NonNullable<Awaited<ReturnType<typeof findImport>>>,
): Promise<Failure | undefined> => {
  const { id, tableName: table, fileName, undoneAt } = stored
  const i18n = messagesOf(ctx.locale)
  const conflict = (text: string) => failure('CONFLICT', { errors: { id: [text] } })
  if (undoneAt !== null) return conflict(i18n._('This import is already undone.'))
  const before = await ctx.inTransaction(({ db, customer }) => readImportBefore(db, customer.id, id))
  if (!before) return conflict(i18n._('The table before this import is not kept, so the import cannot be undone.'))
  const undo = async (path: string, { hash: from, media }: { hash: string; media: KnownMedia }) => {
    const file = { name: fileName, path }
    return importFile(
      ctx,
      deps,
      { table, file, files: uploadedFilesOf(ctx, deps, []), dry: false, removes: true, mayChangeVideos, by, id, job },
      {
        known: media,
        beforeTables: async (tx) => {
          await holdCatalog(tx)
          const current = await findImport(tx.db, tx.customer.id, id, oldest(tx.clock))
          const { hash } = await snapshotTable(tx, deps.sources, table, 0)
          if (current?.undoneAt !== null || current.afterHash !== hash) throw new TableChanged()
          return []
        },
        afterTables: async (tx) => {
          await markUndone(tx.db, tx.customer.id, id, tx.clock.now())
          const { hash: to } = await snapshotTable(tx, deps.sources, table, 0)
          await moveImportBefore(tx.db, stored, { from, to })
          const detail = { import: id, table, file: fileName }
          await audit(tx, { actor: by, action: 'catalog.import-undone', subject: 'catalog', detail })
          await job.finish(tx)
        },
      },
    )
  }
  try {
    const { problems } = await withFile(async (path) => undo(path, await restoreTable(before, path)))
    const [problem] = problems
    if (!problem) return undefined
    const { row, column, message } = problem
    const place = [row, column].filter((each) => each !== null).join(', ')
    return conflict(i18n._('The table before this import cannot be restored. {place}: {message}', { place, message }))
  } catch (error) {
    if (!(error instanceof TableChanged)) throw error
    return conflict(i18n._('This table has changed since, so the import cannot be undone.'))
  }
}

/** @throws ApiError FORBIDDEN for a table of content without its permission */
const assertTable = (context: ProcedureContext, table: ImportTable, permission: Permission) =>
  assertPermission(operatorOf(context), contentTables.includes(table) ? permission : null)

const callerOf = (context: ProcedureContext) => ({
  by: operatorName(context),
  mayChangeVideos: operatorOf(context).permissions.includes('videos:write'),
})

export const importProcedures = {
  list: os.list.handler(({ context }) =>
    transact(context, async ({ db, customer, clock }) => ({
      items: await readImports(db, customer.id, oldest(clock), listedImports),
    })),
  ),
  create: os.create.handler(async ({ context, input: { id, file, files, dryRun, removes, table } }) => {
    assertTable(context, table, 'content:write')
    // Staff read problems in their own language, whether or not the store has it.
    const ctx = { ...detachedCtx(context), locale: callerLocale(context) }
    const imported = await withImportSlot(context.deps.pool, ctx, () =>
      withFile(async (path) => {
        const isRepeated = id && (await ctx.inTransaction(({ db, customer }) => importExists(db, customer.id, id)))
        if (isRepeated) return importConflict(ctx, 'REPEATED')
        await writeFile(path, new Uint8Array(await file.arrayBuffer()))
        const input = {
          table,
          file: { name: file.name, path },
          files: uploadedFilesOf(ctx, context.deps, files),
          dry: dryRun,
          removes,
          ...callerOf(context),
          id: id ?? newId<CatalogImportId>(),
        }
        const described = { kind: dryRun ? 'CHECK' : 'IMPORT', table, file: file.name } as const
        const work = (job: RunningTableJob) => importStored(ctx, context.deps, { ...input, job })
        return runTableJob(ctx, input.by, described, work, ({ problemCount }) => problemCount)
      }),
    )
    return unwrap(imported)
  }),
  undo: os.undo.handler(async ({ context, input: { id } }) => {
    const ctx = { ...detachedCtx(context), locale: callerLocale(context) }
    const stored = unwrap(
      await ctx.inTransaction(
        async (tx) => (await findImport(tx.db, tx.customer.id, id, oldest(tx.clock))) ?? failure('NOT_FOUND'),
      ),
    )
    assertTable(context, stored.tableName, 'content:write')
    const caller = callerOf(context)
    const described = { kind: 'UNDO', table: stored.tableName, file: stored.fileName } as const
    const work = (job: RunningTableJob) => undoImport(ctx, context.deps, { ...caller, job }, stored)
    const undo = () => runTableJob(ctx, caller.by, described, work, (refused) => (refused ? 1 : 0))
    unwrap(await withImportSlot(context.deps.pool, ctx, undo))
  }),
  exportTable: os.exportTable.handler(async ({ context, input: { table } }) => {
    assertTable(context, table, 'content:read')
    // Written to a file first, so that a slow download holds no transaction.
    const folder = await mkdtemp(join(tmpdir(), 'marquee-export-'))
    const remove = () => rm(folder, { recursive: true, force: true })
    const path = join(folder, 'table.csv')
    const job = await startTableJob(detachedCtx(writing(context)), operatorName(context), { kind: 'EXPORT', table })
    try {
      await transact(fromReplica(context), (ctx) =>
        writeTableFile(ctx, context.deps.sources, table, { path, onRows: job.reach }),
      )
    } catch (error) {
      await job.end('FAILED')
      await remove()
      throw error
    }
    const content = async function* () {
      try {
        yield* createReadStream(path)
      } finally {
        await remove()
      }
    }
    context.streamAnswer(withTableJob(job, streamOf(content())))
    return new File([], `${table}.csv`, { type: csvType })
  }),
}
