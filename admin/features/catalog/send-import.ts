import * as z from 'zod/mini'
import { maxImportMinutes, type StoreImported } from '#contract/admin/imports.ts'
import { createIdempotencyKey } from '#contract/http.ts'
import { type CatalogImportId, catalogImportId } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { failureOf } from '../../platform/failure'

/** Milliseconds: as long as an import may take, and some more. */
export const importTimeout = (maxImportMinutes + 1) * 60_000

/** Milliseconds between looks at the list after an answer was lost. */
const lookEvery = 5_000

/** As UUID of version 4, without the secure context that `crypto.randomUUID` needs. */
const newImportId = () =>
  z.parse(catalogImportId, createIdempotencyKey().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5'))

/**
 * Sends an import. A proxy may give up while the import runs: without an answer, the list of
 * imports says whether it has ended. Where none runs and it is not listed, it was refused or
 * canceled. `checked` is what it would change.
 */
export const sendUntilListed = async (
  api: AdminApi,
  send: (id: CatalogImportId) => Promise<StoreImported>,
  checked: StoreImported,
) => {
  const id = newImportId()
  const until = Date.now() + importTimeout
  try {
    return await send(id)
  } catch (error) {
    // The API itself answers with a message.
    if (failureOf(error).message !== '') throw error
    while (Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, lookEvery))
      // Looked at first: an import is listed from its end on.
      const jobs = await api.admin.tableJobs.list().catch(() => null)
      const imports = await api.admin.imports.list().catch(() => null)
      const own = imports?.items.find((each) => each.id === id)
      if (own) return { ...checked, id, counts: own.counts, canUndo: own.canUndo }
      if (jobs && imports && !jobs.items.some(({ kind, status }) => kind === 'IMPORT' && status === 'RUNNING')) break
    }
    throw error
  }
}
