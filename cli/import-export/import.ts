import { unattendedPaymentCtx } from '#api/modules/billing/payment-states.ts'
import { type ImportCtx, importCatalog } from '#api/modules/import-export/import-catalog.ts'
import { checkSettings, settingNames } from '#api/modules/tenancy/check-settings.ts'
import { changeSettingsInImport, type SettingChange } from '#api/modules/tenancy/settings.ts'
import { OperatorError } from '#api/platform/log/log.ts'
import { StorageUnavailable } from '#api/platform/storage/storage.ts'
import { actorOf, open, type StoreOptions } from '../platform/open.ts'
import { ownedBy, storeOf } from '../platform/owner.ts'
import { queueImportedVideos } from './add-videos.ts'
import { printImport, printUnused, refuseProblems } from './print-import.ts'
import { asProblems, changeArranged, readSettings } from './read-settings.ts'
import { readSource } from './read-source.ts'
import { sourceFiles } from './source-files.ts'

export interface ImportOptions extends StoreOptions {
  table?: string
  dryRun?: true
  remove?: true
  keepSources?: true
}

const explainUnavailable = (error: unknown): never => {
  if (!(error instanceof StorageUnavailable)) throw error
  throw new OperatorError(
    `${error.message}. Nothing was imported. Files uploaded so far are reused when you import again.`,
  )
}

/** Imports tables and settings into a store in one transaction. */
export const importFrom = async (path: string, options: ImportOptions) => {
  const { sources, settings, folder } = await readSource(path, options.table)
  const files = sourceFiles(folder)
  const by = actorOf(options)
  const dry = options.dryRun === true
  await using opened = await open()
  const { deps } = opened
  const customer = await storeOf(opened, options.customer)
  const ctx = unattendedPaymentCtx(deps, customer, 'cli')
  const importOptions = { sources, by, dry, removes: options.remove === true }
  const importCtx: ImportCtx = { ...ctx, storage: deps.storage, files, waits: true }
  let changed: readonly SettingChange[] = []
  if (settings !== null) {
    const newSettings = await readSettings(customer.id, settings, files)
    const checked = checkSettings(customer.settings, newSettings.values)
    importCtx.inTransaction = ownedBy(opened, ctx).inTransaction
    if (checked.problems.length === 0) importCtx.customer = { ...customer, settings: checked.settings }
    importCtx.beforeTables = async (tx, store) => {
      const change = await changeSettingsInImport(tx, by, newSettings.values)
      changed = change.changes
      await store(newSettings.uploads)
      return asProblems([...newSettings.problems, ...change.problems])
    }
    importCtx.withTables = async (tx) => {
      const change = await changeArranged(tx, by, newSettings.arranged)
      changed = [...changed, ...change.changes]
      return asProblems(change.problems)
    }
  }
  const report = await importCatalog(importCtx, importOptions).catch(explainUnavailable)
  printUnused(await files.unusedPictures())
  refuseProblems(report)
  if (!dry)
    await queueImportedVideos(ctx, deps, by, report.videos, { files, keepSources: options.keepSources === true })
  printImport(report, settings === null ? null : { changes: changed.length, of: settingNames.length, list: changed }, {
    dry,
    code: customer.code,
  })
}
