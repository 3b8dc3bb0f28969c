import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { VideoSources } from '#api/modules/media/video-sources.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type DetachedCtx, type Failure, failure } from '#api/platform/context.ts'
import { byteOrderMark, csvLines, readCsv } from '#api/platform/csv/csv.ts'
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
} from '#api/platform/http/procedures.ts'
import { callerLocale } from '#api/platform/http/request-facts.ts'
import { type I18n, messagesOf } from '#api/platform/i18n/messages.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import type { MediaStorage } from '#api/platform/storage/storage.ts'
import { contentTables, type ImportTable, type StoreImported } from '#contract/admin/imports.ts'
import { csvType } from '#contract/admin/lists.ts'
import { type CatalogImportId, productCode } from '#contract/ids.ts'
import type { Permission } from '#contract/permissions.ts'
import { exportCatalog } from './export-catalog.ts'
import { type ImportCtx, type Imported, importCatalog, tables } from './import-catalog.ts'
import { findImport, insertImport, markUndone, readImports } from './import-export.queries.ts'
import type { SourceFiles } from './tables/cell-formats.ts'

interface ImportDeps {
  storage: MediaStorage
  sources: VideoSources
}

const os = implementProcedures<ImportDeps>().admin.imports

/** How long an import is listed and can be undone. */
const listedDays = 30
const listedImports = 50
/** A larger table is not kept to undo its import. Characters. */
const largestUndo = 50_000_000
/** Problems and changes in an answer. The counts tell of all of them. */
const listedRows = 200

const zip = promisify(gzip)
const unzip = promisify(gunzip)

type TableCtx = Pick<Ctx, 'db' | 'customer' | 'clock'>

/** Yields a table as lines of CSV, its heading first. Files are named as the store has them. */
async function* linesOf(ctx: TableCtx, { sources }: ImportDeps, table: ImportTable): AsyncGenerator<string[][]> {
  const films = { sources, wanted: false, files: new Map(), omitted: [] }
  for await (const { columns, rows } of exportCatalog(ctx, [table], (key) => `store:${key}`, films)) {
    const names = columns.map(({ name }) => name)
    yield [names]
    for await (const batch of rows) yield batch.map(({ cells }) => names.map((name) => cells[name] ?? ''))
  }
}

const textOf = async (ctx: TableCtx, deps: ImportDeps, table: ImportTable): Promise<string> => {
  let text = ''
  for await (const lines of linesOf(ctx, deps, table)) text += csvLines(lines)
  return text
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** In a browser there is no folder of files beside the table. */
const noFiles = (i18n: I18n): SourceFiles => ({
  open: async () =>
    i18n._(
      'must be a file that the store has (store:…). Add other files on the page of the product, or import with the command',
    ),
})

/** Runs `work` with the path of a file that has these bytes for as long. */
const withFile = async <Answer>(bytes: Uint8Array, work: (path: string) => Promise<Answer>): Promise<Answer> => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-import-'))
  try {
    const path = join(folder, 'table.csv')
    await writeFile(path, bytes)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface TableImport {
  table: ImportTable
  file: { name: string; bytes: Uint8Array }
  dry: boolean
  removes: boolean
  by: AuditActor
}

const noCounts = { added: 0, changed: 0, unchanged: 0, removed: 0, notInFile: 0 }

/** Imports one table from a file. `hooks` run in its transaction, before and after it. */
const importFile = (
  ctx: DetachedCtx,
  { storage }: ImportDeps,
  { table, file, dry, removes, by }: TableImport,
  hooks: Pick<ImportCtx, 'beforeTables' | 'afterTables'>,
): Promise<Imported | OperatorError> =>
  withFile(file.bytes, async (path) => {
    const i18n = messagesOf(ctx.locale)
    const columns = tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
    try {
      const source = { table, file: file.name, ...(await readCsv(path, file.name, columns, i18n)) }
      const { customer, clock, locale, inTransaction } = ctx
      const importCtx: ImportCtx = { customer, clock, locale, inTransaction, storage, files: noFiles(i18n), ...hooks }
      return await importCatalog(importCtx, { sources: [source], dry, removes, by })
    } catch (error) {
      if (error instanceof OperatorError) return error
      throw error
    }
  })

/** Imports a table, and keeps what undoes it. */
const importStored = async (ctx: DetachedCtx, deps: ImportDeps, input: TableImport): Promise<StoreImported> => {
  let before = ''
  let id: CatalogImportId | null = null
  const report = await importFile(ctx, deps, input, {
    beforeTables: async (tx) => {
      if (!input.dry) before = await textOf(tx, deps, input.table)
      return []
    },
    afterTables: async (tx, { tables: [imported] }) => {
      const { customer, clock, db } = tx
      const now = clock.now()
      if (!imported || imported.counts.added + imported.counts.changed + imported.counts.removed === 0) return
      id = newId<CatalogImportId>()
      const row = {
        customerId: customer.id,
        id,
        tableName: input.table,
        fileName: input.file.name.slice(0, 200),
        actor: input.by,
        counts: imported.counts,
        before: before.length > largestUndo ? null : await zip(before),
        afterHash: hashOf(await textOf(tx, deps, input.table)),
        createdAt: now.toISOString(),
      }
      await insertImport(db, row, new Date(now.getTime() - listedDays * dayMilliseconds))
    },
  })
  if (report instanceof OperatorError) {
    const problem = { row: null, column: null, value: null, message: report.message }
    return {
      id: null,
      problems: [problem],
      problemCount: 1,
      counts: noCounts,
      changes: [],
      changeCount: 0,
      notReady: [],
    }
  }
  return {
    id,
    problems: report.problems.slice(0, listedRows).map(({ file: _, ...problem }) => problem),
    problemCount: report.problems.length + report.unlisted,
    counts: report.tables[0]?.counts ?? noCounts,
    changes: report.changes.list.slice(0, listedRows).map(({ table: _, ...change }) => change),
    changeCount: report.changes.list.length + report.changes.unlisted,
    notReady: report.notReady.map((code) => productCode.parse(code)),
  }
}

const changedSince = { file: '', row: null, column: null, value: null, message: 'has changed since' }

/**
 * Imports the table as it was before an import, unless it has changed since. What was added is
 * removed as by an import. Failure: CONFLICT.
 */
const undoImport = async (
  ctx: DetachedCtx,
  deps: ImportDeps,
  by: AuditActor,
  { id, tableName: table, fileName, before, undoneAt }: NonNullable<Awaited<ReturnType<typeof findImport>>>,
) => {
  const i18n = messagesOf(ctx.locale)
  const changed = i18n._('This table has changed since, so the import cannot be undone.')
  const conflict: Failure = failure('CONFLICT', { errors: { id: [changed] } })
  if (!before || undoneAt !== null) return conflict
  const file = { name: fileName, bytes: await unzip(before) }
  const report = await importFile(
    ctx,
    deps,
    { table, file, dry: false, removes: true, by },
    {
      beforeTables: async (tx) => {
        const current = await findImport(tx.db, tx.customer.id, id, { lock: true })
        const isSame = current?.undoneAt === null && current.afterHash === hashOf(await textOf(tx, deps, table))
        return isSame ? [] : [changedSince]
      },
      afterTables: async (tx) => {
        await markUndone(tx.db, tx.customer.id, id, tx.clock.now())
        const detail = { import: id, table, file: fileName }
        await audit(tx, { actor: by, action: 'catalog.import-undone', subject: 'catalog', detail })
      },
    },
  )
  if (report instanceof OperatorError) throw report
  return report.problems.length > 0 ? conflict : undefined
}

/** @throws ApiError FORBIDDEN for a table of content without its permission */
const assertTable = (context: ProcedureContext, table: ImportTable, permission: Permission) =>
  assertPermission(operatorOf(context), contentTables.includes(table) ? permission : null)

/** Staff read problems in their own language, whether or not the store has it. */
const spokenCtx = (context: ProcedureContext): DetachedCtx => ({
  ...detachedCtx(context),
  locale: callerLocale(context),
})

export const importProcedures = {
  list: os.list.handler(({ context }) =>
    transact(context, async ({ db, customer, clock }) => {
      const since = new Date(clock.now().getTime() - listedDays * dayMilliseconds)
      return { items: await readImports(db, customer.id, since, listedImports) }
    }),
  ),
  create: os.create.handler(async ({ context, input: { file, dryRun, removes, table } }) => {
    assertTable(context, table, 'content:write')
    const bytes = new Uint8Array(await file.arrayBuffer())
    const by = operatorName(context)
    return importStored(spokenCtx(context), context.deps, {
      table,
      file: { name: file.name, bytes },
      dry: dryRun,
      removes,
      by,
    })
  }),
  undo: os.undo.handler(async ({ context, input: { id } }) => {
    const ctx = spokenCtx(context)
    const stored = unwrap(
      await ctx.inTransaction(async (tx) => (await findImport(tx.db, tx.customer.id, id)) ?? failure('NOT_FOUND')),
    )
    assertTable(context, stored.tableName, 'content:write')
    unwrap(await undoImport(ctx, context.deps, operatorName(context), stored))
  }),
  exportTable: os.exportTable.handler(async ({ context, input: { table } }) => {
    assertTable(context, table, 'content:read')
    const text = await transact(fromReplica(context), (ctx) => textOf(ctx, context.deps, table))
    return new File([byteOrderMark, text], `${table}.csv`, { type: csvType })
  }),
}
