import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

/**
 * Serializes catalogue imports and settings changes of a store until the transaction ends, because
 * imported prices use the currency of the settings.
 */
export const lockSettings = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [customerId])

/** Reads a store's settings. `lock` is a locking clause such as FOR NO KEY UPDATE. */
export const settingsOf = async (db: TenantDb, customerId: CustomerId, lock = ''): Promise<SiteSettings> => {
  const { rows } = await db.$client.query<{ settings: SiteSettings }>(
    `SELECT settings FROM customers WHERE customer_id = $1 ${lock}`,
    [customerId],
  )
  const [row] = rows
  if (!row) throw new Error(`There is no store ${customerId}`)
  return row.settings
}

/** Returns the hosts at which visitors reach a store, in no order. */
export const readOwnHosts = async (db: TenantDb, id: CustomerId): Promise<string[]> => {
  const { rows } = await db.$client.query<{ host: string }>(
    'SELECT host FROM customer_domains WHERE customer_id = $1',
    [id],
  )
  return rows.map(({ host }) => host)
}

/** Whether a store has products or plans, whose prices depend on its currency. */
export const hasPrices = async (db: TenantDb, id: CustomerId): Promise<boolean> => {
  const { rows } = await db.$client.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM products WHERE customer_id = $1) OR EXISTS (SELECT FROM plans WHERE customer_id = $1) AS any',
    [id],
  )
  return rows[0]?.any ?? false
}

/** Replaces the settings of a store. */
export const updateSettings = (db: TenantDb, id: CustomerId, settings: SiteSettings) =>
  db.$client.query('UPDATE customers SET settings = $2 WHERE customer_id = $1', [id, settings])
