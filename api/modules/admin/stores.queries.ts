import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { customerDomains, customers } from '#api/modules/tenancy/tenancy.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'

export type StoreListing = { code: string; name: string; state: string; hosts: string | null }

/** Every store of the installation with its state and hosts, by code. */
export const listStores = async (pool: pg.Pool): Promise<StoreListing[]> => {
  const { rows } = await pool.query<StoreListing>(
    `SELECT c.code, c.settings->'base'->>'name' AS name,
            CASE WHEN NOT c.use_customer THEN 'contract ended' WHEN NOT c.use_site THEN 'suspended'
                 WHEN NOT c.opened THEN 'coming soon' ELSE 'open' END AS state,
            (SELECT string_agg(host, ' ' ORDER BY host) FROM customer_domains d WHERE d.customer_id = c.customer_id) AS hosts
       FROM customers c ORDER BY c.code`,
  )
  return rows
}

/**
 * Stores that have a customer code or one of some hosts: one row per host, and one without a host
 * for the code alone.
 */
export const findStoresByCodeOrHosts = async (db: TenantDb, code: string, hosts: readonly string[]) => {
  const { rows } = await db.$client.query<{ code: string; host: string | null }>(
    `SELECT c.code, d.host FROM customers c LEFT JOIN customer_domains d ON d.customer_id = c.customer_id AND d.host = ANY($2::text[])
      WHERE c.code = $1 OR d.host IS NOT NULL`,
    [code, hosts],
  )
  return rows
}

/** Takes a store offline, temporarily or because its contract has ended. */
export const suspendStore = (db: TenantDb, customerId: string, isContractEnded: boolean) =>
  db.$client.query(
    `UPDATE customers SET ${isContractEnded ? 'use_customer' : 'use_site'} = false WHERE customer_id = $1`,
    [customerId],
  )

/** Opens a store to visitors, whatever state it had. */
export const openToVisitors = (db: TenantDb, customerId: string) =>
  db.$client.query('UPDATE customers SET use_customer = true, use_site = true, opened = true WHERE customer_id = $1', [
    customerId,
  ])

/** Closes a store to visitors, who see the "coming soon" page. */
export const closeToVisitors = (db: TenantDb, customerId: string) =>
  db.$client.query('UPDATE customers SET opened = false WHERE customer_id = $1', [customerId])

/** Returns the hosts that belong to other stores, with the code of each store. */
export const hostsOfOtherStores = async (db: TenantDb, customerId: string, hosts: readonly string[]) => {
  const { rows } = await db.$client.query<{ host: string; code: string }>(
    `SELECT d.host, c.code FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id
      WHERE d.host = ANY($1::text[]) AND d.customer_id <> $2`,
    [hosts, customerId],
  )
  return rows
}

/** Adds and removes hosts of a store. Idempotent. */
export const changeHosts = async (
  db: TenantDb,
  customerId: string,
  { added, removed }: { added: readonly string[]; removed: readonly string[] },
) => {
  await db.$client.query('DELETE FROM customer_domains WHERE customer_id = $1 AND host = ANY($2::text[])', [
    customerId,
    removed,
  ])
  await db.$client.query(
    'INSERT INTO customer_domains (customer_id, host) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [customerId, added],
  )
}

export type FailingJob = {
  customer: string
  chore: string
  state: string
  tries: number
  since: Date
  failure: string | null
}

/** Background jobs that failed or wait for a retry, latest first. */
export const listFailingJobs = async (pool: pg.Pool): Promise<FailingJob[]> => {
  const { rows } = await pool.query<FailingJob>(
    `SELECT data->>'customer' AS customer, data->>'chore' AS chore, state, retry_count AS tries, created_on AS since,
            output->>'message' AS failure
       FROM jobs.job WHERE name = 'chores' AND state IN ('failed', 'retry') ORDER BY created_on DESC LIMIT 100`,
  )
  return rows
}

/** Inserts a store and its hosts. */
export const insertStore = async (
  db: Pick<NodePgDatabase, 'insert'>,
  store: typeof customers.$inferInsert,
  hosts: readonly string[],
) => {
  await db.insert(customers).values(store)
  const { customerId } = store
  if (hosts.length > 0) await db.insert(customerDomains).values(hosts.map((host) => ({ customerId, host })))
}
