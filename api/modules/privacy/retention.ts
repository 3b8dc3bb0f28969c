import type pg from 'pg'
import { textPictures } from '#api/modules/media/pictures.ts'
import { settingsOf } from '#api/modules/tenancy/tenancy.queries.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { Clock, Ctx, Customer } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import { eachOf } from '#api/platform/storage/copy-media.ts'
import type { MediaStorage, StoredEntry } from '#api/platform/storage/storage.ts'
import { bulkJobDays } from '#contract/admin/bulk.ts'
import { importDays } from '#contract/admin/imports.ts'
import { tableJobDays } from '#contract/admin/table-jobs.ts'
import type { CustomerId } from '#contract/ids.ts'
import {
  deleteGuestCarts,
  deleteGuestHistory,
  deleteOldMails,
  deleteOldRows,
  deleteOldSearches,
  picturesInTexts,
} from './personal-data.queries.ts'

/** How long mails remain visible to operators. */
const mailDays = 90
/** The retention period of payment records. */
const trialDays = 5 * 365 + 1
/** How long a device counts after it has played. */
const playDays = 30
/** How long a network is known after a sign-in from it. */
const networkDays = 365
/** How long foreign requests remain visible to operators. */
const leakDays = 90
/** How long searches without a result are counted: two years, to compare one with the other. */
const searchDays = 731

/**
 * Deletes expired data: ended sessions, joins and resets, completed mails, old plays, searches,
 * imports and foreign requests, and guests' carts, views and positions older than
 * `operation.retentionDays` (zero retains them). Deletes at most `max` rows of each kind.
 *
 * @returns whether more rows may be due.
 */
export const purge = async (ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>, max: number): Promise<boolean> => {
  const { db, customer } = ctx
  const now = ctx.clock.now()
  const { retentionDays } = customer.settings.operation
  const ago = (days: number) => new Date(now.getTime() - days * dayMilliseconds)
  const deletedCounts = [
    await deleteOldRows(db, 'sessions', customer.id, now, max),
    await deleteOldRows(db, 'plays', customer.id, ago(playDays), max),
    await deleteOldRows(db, 'play_leaks', customer.id, ago(leakDays), max),
    await deleteOldRows(db, 'join_verifications', customer.id, ago(1), max),
    await deleteOldRows(db, 'password_resets', customer.id, ago(1), max),
    await deleteOldMails(db, customer.id, { lastMails: ago(1), others: ago(mailDays) }, max),
    await deleteOldRows(db, 'catalog_imports', customer.id, ago(importDays), max),
    await deleteOldRows(db, 'bulk_jobs', customer.id, ago(bulkJobDays), max),
    await deleteOldRows(db, 'table_jobs', customer.id, ago(tableJobDays), max),
    await deleteOldSearches(db, customer.id, ago(searchDays), max),
    await deleteOldRows(db, 'rate_limits', customer.id, now, max),
    await deleteOldRows(db, 'known_networks', customer.id, ago(networkDays), max),
    await deleteOldRows(db, 'past_trials', customer.id, ago(trialDays), max),
  ]
  if (retentionDays > 0) {
    const usedBefore = ago(retentionDays)
    deletedCounts.push(
      await deleteGuestCarts(db, customer.id, usedBefore, max),
      await deleteGuestHistory(db, customer.id, 'viewed_products', usedBefore, max),
      await deleteGuestHistory(db, customer.id, 'positions', usedBefore, max),
    )
  }
  return deletedCounts.some((rows) => rows >= max)
}

/** How long a picture is stored that no text names: somebody may be writing the text. */
const pictureDays = 30
/** The number of pictures removed in one run, while edits of the store wait. */
const picturesAtOnce = 100

interface PictureDeps {
  pool: pg.Pool
  clock: Clock
  storage: Pick<MediaStorage, 'list' | 'remove'>
  /** The content hashes of the pictures that undoing an import would show again. */
  picturesInImports: (db: TenantDb, id: CustomerId, folder: string) => Promise<ReadonlySet<string>>
}

/**
 * Removes old uploaded pictures that nothing names: no text of the store, no earlier version of one
 * and no import that can be undone.
 *
 * @throws StorageUnavailable
 */
export const removeUnusedPictures = async (
  { pool, clock, storage, picturesInImports }: PictureDeps,
  { id }: Pick<Customer, 'id'>,
): Promise<void> => {
  const folder = textPictures(id)
  const before = clock.now().getTime() - pictureDays * dayMilliseconds
  const isOld = ({ modifiedAt }: StoredEntry) => modifiedAt.getTime() < before
  const hashOf = (key: string) => key.slice(folder.length + 1, folder.length + 33)
  const listOld = async () => {
    const entries: StoredEntry[] = []
    for await (const entry of storage.list(folder)) entries.push(entry)
    // A picture has several sizes. It is as old as the youngest of them.
    const young = new Set(entries.filter((entry) => !isOld(entry)).map(({ key }) => hashOf(key)))
    return entries.filter(({ key }) => !young.has(hashOf(key)))
  }
  const old = await listOld()
  const unused = async (db: TenantDb, among: readonly StoredEntry[]) => {
    const named = await picturesInTexts(db, id, `${folder}/`)
    const left = among.filter(({ key }) => !named.has(hashOf(key)))
    if (left.length === 0) return left
    const restored = await picturesInImports(db, id, folder)
    return left.filter(({ key }) => !restored.has(hashOf(key)))
  }
  const found = old.length > 0 ? await withTenant(pool, id, (db) => unused(db, old)) : []
  const hashes = new Set([...new Set(found.map(({ key }) => hashOf(key)))].slice(0, picturesAtOnce))
  if (hashes.size === 0) return
  await withTenant(pool, id, async (db) => {
    // Edits of content wait: each moves the version of the store.
    await settingsOf(db, id, 'FOR NO KEY UPDATE')
    // Somebody may have uploaded one of them again meanwhile.
    const stillOld = (await listOld()).filter(({ key }) => hashes.has(hashOf(key)))
    const removed = await unused(db, stillOld)
    await eachOf(removed, 8, ({ key }) => storage.remove(key))
  })
}

/** As `removeUnusedPictures`, in one hour of the day alone, because it reads all texts. */
export const removeUnusedPicturesDaily = async (deps: PictureDeps, customer: Pick<Customer, 'id'>): Promise<void> => {
  if (deps.clock.now().getUTCHours() === 3) await removeUnusedPictures(deps, customer)
}
