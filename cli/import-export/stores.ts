import { exportInstallation, importInstallation, installationTables } from '#api/modules/import-export/installation.ts'
import { withSnapshot } from '#api/platform/db/connections.ts'
import { actorOf, open } from '../platform/open.ts'
import { asOwner } from '../platform/owner.ts'
import { printRows } from '../platform/print.ts'
import { printImport, refuseProblems } from './print-import.ts'
import { readSource, type SourceContent } from './read-source.ts'
import { writeTables } from './write-files.ts'

const holds: SourceContent = { tables: installationTables, settings: false }
export const installationTableNames = installationTables.map(({ name }) => name)

/** Exports all stores and their hosts in one snapshot. */
export const exportStores = async (path: string, { separator }: { separator: string }) => {
  await using opened = await open()
  const { pool, clock } = opened.deps
  await withSnapshot(pool, async (db) =>
    printRows(await writeTables(path, exportInstallation(db, clock), { separator }), ''),
  )
}

export interface ImportStoresOptions {
  by?: string
  table?: string
  dryRun?: true
  remove?: true
  newDatabase?: true
}

/** Imports the stores and hosts of an installation in one transaction. */
export const importStores = async (path: string, options: ImportStoresOptions) => {
  const { sources } = await readSource(path, options.table, holds)
  const dry = options.dryRun === true
  await using opened = await open({ newDatabase: options.newDatabase === true })
  const { clock } = opened.deps
  const importOptions = { sources, by: actorOf({ customer: '', ...options }), removes: options.remove === true }
  const report = await asOwner(
    opened,
    (db) => importInstallation({ db, clock }, importOptions),
    ({ problems }) => problems.length === 0 && !dry,
  )
  refuseProblems(report)
  printImport({ ...report, videos: [], notReady: [] }, null, { dry })
}
