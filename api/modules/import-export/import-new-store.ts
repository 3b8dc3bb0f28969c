import { createStore } from '#api/modules/admin/store-lifecycle.ts'
import { createToken } from '#api/modules/identity/operator-tokens.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { expectAnswer } from '#api/platform/context.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { type ImportCtx, type Imported, type ImportOptions, importCatalog } from './import-catalog.ts'
import type { ImportProblem } from './report.ts'

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
    { ...options, removes: false },
  )
  return { report, token }
}
