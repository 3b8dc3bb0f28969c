import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import type { StoreState } from '#contract/store-state.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

export type CustomerRow = {
  id: CustomerId
  code: string
  use_customer: boolean
  use_site: boolean
  opened: boolean
  settings: SiteSettings
}

/** Serializes imports of one installation until the transaction ends. */
export const lockInstallation = (db: TenantDb) =>
  db.$client.query(`SELECT pg_advisory_xact_lock(hashtextextended('installation', 1))`)

/** Returns stores by code. Without `codes`, all of them. */
export const readCustomerRows = async (db: TenantDb, codes: readonly string[] | null): Promise<CustomerRow[]> => {
  const { rows } = await db.$client.query<CustomerRow>(
    `SELECT customer_id AS id, code, use_customer, use_site, opened, settings FROM customers
      WHERE ($1::text[] IS NULL OR code = ANY($1)) AND NOT is_installation ORDER BY code COLLATE "C"`,
    [codes],
  )
  return rows
}

/** Returns the ids of stores by code. Without `codes`, all of them. */
export const readCustomerIds = async (
  db: TenantDb,
  codes: readonly string[] | null,
): Promise<Map<string, CustomerId>> => {
  const { rows } = await db.$client.query<{ id: CustomerId; code: CustomerCode }>(
    'SELECT customer_id AS id, code FROM customer_codes WHERE $1::text[] IS NULL OR code = ANY($1)',
    [codes],
  )
  return new Map(rows.map(({ id, code }) => [code, id]))
}

/** Sets the three columns that make up the state of a store in the installation's tables. */
export const updateCustomerState = (db: TenantDb, customerId: CustomerId, state: StoreState) =>
  db.$client.query(
    // Preserves whether the store of an ended contract was online, and whether an offline store was
    // opened.
    `UPDATE customers SET use_customer = $2 <> 'ENDED',
            use_site = CASE WHEN $2 = 'ENDED' THEN use_site ELSE $2 <> 'CLOSED' END,
            opened = CASE WHEN $2 IN ('ENDED', 'CLOSED') THEN opened ELSE $2 = 'OPEN' END,
            maintenance = CASE WHEN $2 = 'OPEN' THEN NULL ELSE maintenance END
      WHERE customer_id = $1`,
    [customerId, state],
  )

/** Returns hosts with the codes of their stores, by store. Without `hosts`, all of them. */
export const readDomainRows = async (db: TenantDb, hosts: readonly string[] | null) => {
  const { rows } = await db.$client.query<{ host: string; customer: string }>(
    `SELECT d.host, c.code AS customer FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id
      WHERE ($1::text[] IS NULL OR d.host = ANY($1)) AND NOT c.is_installation ORDER BY c.code COLLATE "C", d.host COLLATE "C"`,
    [hosts],
  )
  return rows
}

/** Assigns a host to a store, even if another store had it. */
export const assignHost = (db: TenantDb, customerId: CustomerId, host: string) =>
  db.$client.query(
    `INSERT INTO customer_domains (customer_id, host) VALUES ($1, $2)
         ON CONFLICT (host) DO UPDATE SET customer_id = excluded.customer_id`,
    [customerId, host],
  )

/** Removes hosts from the stores that have them. */
export const deleteHosts = (db: TenantDb, hosts: readonly string[]) =>
  db.$client.query('DELETE FROM customer_domains WHERE host = ANY($1::text[])', [hosts])

/** Returns the number of rows in a table of the installation. */
export const countInstallationRows = async (db: TenantDb, table: 'customers' | 'customer_domains'): Promise<number> => {
  const { rows } = await db.$client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
  return rows[0]?.count ?? 0
}
