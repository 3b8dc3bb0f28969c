import { createStore } from '#api/modules/admin/store-lifecycle.ts'
import { createToken } from '#api/modules/identity/operator-tokens.ts'
import { readOwnHosts } from '#api/modules/tenancy/domains.queries.ts'
import { forgetDomains } from '#api/modules/tenancy/domains.ts'
import { endTry } from '#api/modules/tenancy/store-states.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Clock, expectAnswer } from '#api/platform/context.ts'
import { bindTenant, type TenantDb } from '#api/platform/db/client.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { type ExportedTable, exportTable } from './export-catalog.ts'
import { type ImportCtx, type Imported, type ImportOptions, importCatalog } from './import-catalog.ts'
import { lockInstallation } from './import-export.queries.ts'
import { checkHeadings, importTable } from './import-table.ts'
import { createInstallationContext, customers, domains, type InstallationContext } from './installation-stores.ts'
import { type Changes, collectProblems, type ImportProblem, type ImportReport } from './report.ts'
import type { SourceTable } from './tables/cell-formats.ts'
import type { TableOf } from './tables/table.ts'

/** All tables of an installation. Each follows the tables it refers to. */
export const installationTables: readonly TableOf<InstallationContext>[] = [customers, domains]

export interface InstallationImportOptions {
  sources: readonly SourceTable[]
  /** True to remove hosts that the files omit. Stores are never removed. */
  removes: boolean
  by: AuditActor
}

/**
 * Imports stores and their hosts in a transaction of the owner. The caller commits only if no
 * problem is returned, and rolls back otherwise.
 */
export const importInstallation = async (
  { db, clock }: { db: TenantDb; clock: Clock },
  { sources, removes, by }: InstallationImportOptions,
): Promise<ImportReport> => {
  await lockInstallation(db)
  const problems = collectProblems()
  const context = createInstallationContext(db, { clock, by, removes })
  const changes: Changes = { list: [], unlisted: 0 }
  const report: ImportReport = { changes, problems: problems.list, unlisted: 0, tables: [] }
  for (const table of installationTables)
    for (const source of sources.filter((candidate) => candidate.table === table.name)) {
      if (!checkHeadings(source, table, problems)) continue
      const counts = await importTable({ context, table, source, problems, removes, changes })
      report.tables.push({ file: source.file, table: table.name, counts })
    }
  for (const [id, { added, removed }] of context.moved) {
    const customer = { id }
    await bindTenant(db, customer.id)
    await forgetDomains({ db, customer }, removed)
    const hosts = await readOwnHosts(db, customer.id)
    const before = [...hosts.filter((host) => !added.includes(host)), ...removed]
    const changes = changesOf({ domains: before.toSorted() }, { domains: hosts.toSorted() })
    await audit({ db, customer, clock }, { actor: by, action: 'domains.changed', subject: 'store', changes })
    await endTry({ db, customer, clock }, by, added)
  }
  report.unlisted = problems.unlisted
  return report
}

/**
 * Yields the stores of the installation and their hosts. Read each table to its end before the
 * next.
 */
export async function* exportInstallation(db: TenantDb, clock: Clock): AsyncGenerator<ExportedTable> {
  for (const table of installationTables)
    yield exportTable(createInstallationContext(db, { clock, by: 'rule', removes: false }), table)
}

/** Long enough to upload the first videos. */
export const firstTokenDays = 30

/** What a new store starts with, besides its settings. */
export interface NewStoreContent extends Omit<ImportOptions, 'removes'> {
  hosts: readonly string[]
  /** The pictures that the settings name. */
  uploads: readonly { key: MediaKey; bytes: Uint8Array }[]
  /** Problems of the settings. Any problem prevents the store. */
  problems: readonly ImportProblem[]
}

/**
 * Creates a store with its settings, page drafts, first operator token and imported tables in one
 * transaction. `ctx.customer` is the new store; its transactions are the owner's. Neither a dry run
 * nor a report with problems creates anything.
 *
 * @returns the report, and the token for uploading videos, which cannot be read again
 */
export const importNewStore = async (
  ctx: Omit<ImportCtx, 'beforeTables'>,
  { hosts, uploads, problems, ...options }: NewStoreContent,
): Promise<{ report: Imported; token: string }> => {
  const { id, code, settings } = ctx.customer
  const { by } = options
  let token = ''
  const report = await importCatalog(
    {
      ...ctx,
      beforeTables: async (tx, store) => {
        await createStore(tx.db, tx.clock, { id, code, hosts, settings, by })
        const created = await createToken(tx, by, {
          name: 'first',
          scopes: ['videos:read', 'videos:write'],
          validMilliseconds: firstTokenDays * dayMilliseconds,
        })
        token = expectAnswer(created, ({ failure }) => {
          throw new Error(`A new store refuses its first token: ${failure}`)
        }).token
        await store(uploads)
        return problems
      },
    },
    { ...options, removes: false, isNewStore: true },
  )
  return { report, token }
}
