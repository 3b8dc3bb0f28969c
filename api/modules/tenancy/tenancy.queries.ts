import { eq } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { Customer, PaymentAccount } from '#api/platform/context.ts'
import { isDatabaseUnavailable, type TenantDb, withTenant } from '#api/platform/db/client.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import type { Maintenance, SiteSettings } from '#contract/tenancy.ts'
import { customerCodes, customerDomains, customers, type installation, paymentAccounts } from './tenancy.schema.ts'

/**
 * Returns the tenant's accounts at payment providers, current and former. Secrets are encrypted.
 */
export const readPaymentAccounts = (db: TenantDb, customerId: CustomerId): Promise<PaymentAccount[]> =>
  db
    .select({
      provider: paymentAccounts.provider,
      active: paymentAccounts.active,
      options: paymentAccounts.options,
      secrets: paymentAccounts.secrets,
    })
    .from(paymentAccounts)
    .where(eq(paymentAccounts.customerId, customerId))
    .orderBy(paymentAccounts.provider)

interface HeadRow {
  id: CustomerId
  code: CustomerCode
  useCustomer: boolean
  useSite: boolean
  opened: boolean
  version: number
}

/** What may change at any moment of a tenant, and the owner of a host. */
export interface HeadAtHost extends HeadRow {
  /** The customer code of the requested host. */
  hostCustomerCode: CustomerCode | null
}

/** SQL for `HeadAtHost` in a query that aliases customers as `c`. `host` is a placeholder. */
export const headColumns = (host: string) => `
  c.customer_id AS id, c.code, c.use_customer AS "useCustomer", c.use_site AS "useSite", c.opened, c.version,
  (SELECT o.code FROM customer_domains d JOIN customer_codes o ON o.customer_id = d.customer_id
    WHERE d.host = ${host}) AS "hostCustomerCode"`

/** Returns the id of the tenant with a code, or null. */
export const findCustomerId = async (pool: pg.Pool, code: string): Promise<CustomerId | null> => {
  const { rows } = await pool.query<{ id: CustomerId }>({
    name: 'customer-id',
    text: 'SELECT customer_id AS id FROM customer_codes WHERE code = $1',
    values: [code],
  })
  return rows[0]?.id ?? null
}

/** A tenant whose store is open. */
export type OpenCustomer = Pick<HeadRow, 'id' | 'version'>

/** Those of some tenants whose stores are open, each with its version. */
export const openCustomers = async (pool: pg.Pool, ids: readonly CustomerId[]): Promise<OpenCustomer[]> => {
  const { rows } = await pool.query<OpenCustomer>({
    name: 'open-customers',
    text: `SELECT customer_id AS id, version FROM customers
            WHERE customer_id = ANY($1::uuid[]) AND use_site AND use_customer AND opened ORDER BY customer_id`,
    values: [ids],
  })
  return rows
}

/**
 * Reads those of some tenants whose stores are open in one statement. While a node of a cluster is
 * away, `read` asks for one tenant each, and throws for those of that node.
 */
export const readOpenCustomers = async (
  pool: pg.Pool,
  ids: readonly CustomerId[],
): Promise<{ id: CustomerId; read: () => Promise<OpenCustomer | undefined> }[]> => {
  if (ids.length === 0) return []
  try {
    return (await openCustomers(pool, ids)).map((customer) => ({ id: customer.id, read: async () => customer }))
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
    return ids.map((id) => ({ id, read: async () => (await openCustomers(pool, [id]))[0] }))
  }
}

/** Moves the version of a tenant on, and returns it; null if it has moved since it was read. */
export const moveVersion = async (db: TenantDb, { id, version }: Pick<HeadRow, 'id' | 'version'>) => {
  const { rows } = await db.$client.query<{ version: number }>(
    'UPDATE customers SET version = version + 1 WHERE customer_id = $1 AND version = $2 RETURNING version::float8',
    [id, version],
  )
  return rows[0]?.version ?? null
}

/**
 * Reads what may change at any moment, without the settings, which are read again only if the
 * version has changed. The host's owner is read in the same query.
 */
export const readCustomerHead = async (
  pool: pg.Pool,
  id: CustomerId,
  host: string | null,
): Promise<HeadAtHost | null> => {
  const { rows } = await pool.query<HeadAtHost>({
    name: 'customer-head',
    text: `SELECT ${headColumns('$2')} FROM customers c WHERE c.customer_id = $1`,
    values: [id, host],
  })
  return rows[0] ?? null
}

/** Returns a customer with settings and payment accounts; null if it does not exist. */
export const readCustomer = async (pool: pg.Pool, id: CustomerId): Promise<Customer | null> => {
  const { rows } = await pool.query<HeadRow & Pick<Customer, 'isInstallation' | 'maintenance' | 'settings'>>({
    name: 'customer',
    text: `SELECT customer_id AS id, code, use_customer AS "useCustomer", use_site AS "useSite", opened, version, settings, maintenance,
                  is_installation AS "isInstallation" FROM customers WHERE customer_id = $1`,
    values: [id],
  })
  const [row] = rows
  // Read after the version: the accounts may be newer than the version, never older.
  return row ? { ...row, paymentAccounts: await withTenant(pool, id, (db) => readPaymentAccounts(db, id)) } : null
}

/** Normalizes a host: lower case, without the port and a trailing dot. */
export const plainHost = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

/** Every tenant of the installation, by code. */
export const readTenants = async (pool: pg.Pool): Promise<{ id: CustomerId; code: CustomerCode }[]> => {
  const { rows } = await pool.query<{ id: CustomerId; code: CustomerCode }>(
    'SELECT customer_id AS id, code FROM customer_codes ORDER BY code',
  )
  return rows
}

export type StoreListing = { code: CustomerCode; name: string; state: string; hosts: string | null }

/** Every store of the installation with its state and hosts, by code. */
export const readStores = async (pool: pg.Pool): Promise<StoreListing[]> => {
  const { rows } = await pool.query<StoreListing>(
    `SELECT c.code, c.settings->'base'->>'name' AS name,
            CASE WHEN NOT c.use_customer THEN 'contract ended' WHEN NOT c.use_site THEN 'suspended'
                 WHEN NOT c.opened THEN 'coming soon' ELSE 'open' END AS state,
            (SELECT string_agg(host, ' ' ORDER BY host) FROM customer_domains d WHERE d.customer_id = c.customer_id) AS hosts
       FROM customers c WHERE NOT c.is_installation ORDER BY c.code`,
  )
  return rows
}

/**
 * Stores that have a customer code or one of some hosts: one row per host, and one without a host
 * for the code alone.
 */
export const findStoresByCodeOrHosts = async (db: TenantDb, code: CustomerCode, hosts: readonly string[]) => {
  const { rows } = await db.$client.query<{ code: CustomerCode; host: string | null }>(
    `SELECT c.code, d.host FROM customer_codes c LEFT JOIN customer_domains d ON d.customer_id = c.customer_id AND d.host = ANY($2::text[])
      WHERE c.code = $1 OR d.host IS NOT NULL`,
    [code, hosts],
  )
  return rows
}

/** Takes a store offline, temporarily or because its contract has ended. */
export const takeOffline = (db: TenantDb, customerId: CustomerId, isContractEnded: boolean) =>
  db.$client.query(
    `UPDATE customers SET ${isContractEnded ? 'use_customer' : 'use_site'} = false WHERE customer_id = $1`,
    [customerId],
  )

/** Ends that a store is offline. One that was not open before stays closed. */
export const bringBack = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query('UPDATE customers SET use_customer = true, use_site = true WHERE customer_id = $1', [customerId])

/** The text for visitors of a closed store is forgotten. */
const asOpened = 'opened = true, maintenance = NULL'

/** Opens a store to visitors, whatever state it had. */
export const setOpened = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query(`UPDATE customers SET use_customer = true, use_site = true, ${asOpened} WHERE customer_id = $1`, [
    customerId,
  ])

/** Opens a store to visitors that is neither suspended nor without a contract. */
export const setOpenedAlone = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query(`UPDATE customers SET ${asOpened} WHERE customer_id = $1`, [customerId])

/** Reads the state of a store and keeps others from changing it until the transaction ends. */
export const readStateForUpdate = async (db: TenantDb, customerId: CustomerId) => {
  const { rows } = await db.$client.query<Pick<Customer, 'useCustomer' | 'useSite' | 'opened' | 'maintenance'>>(
    `SELECT use_customer AS "useCustomer", use_site AS "useSite", opened, maintenance FROM customers
      WHERE customer_id = $1 FOR NO KEY UPDATE`,
    [customerId],
  )
  return rows[0]
}

/** Closes an open store to visitors. One that has never been open keeps its "coming soon" page. */
export const setClosed = (db: TenantDb, customerId: CustomerId, maintenance: Maintenance | null) =>
  db.$client.query('UPDATE customers SET opened = false, maintenance = $2 WHERE customer_id = $1 AND opened', [
    customerId,
    maintenance,
  ])

/** Changes what visitors of a closed store read. */
export const updateMaintenance = (db: TenantDb, id: CustomerId, maintenance: Maintenance) =>
  db.$client.query('UPDATE customers SET maintenance = $2 WHERE customer_id = $1', [id, maintenance])

/** Inserts a store and its hosts. */
export const insertStore = async (
  db: Pick<NodePgDatabase, 'insert'>,
  store: typeof customers.$inferInsert,
  hosts: readonly string[],
) => {
  await db.insert(customers).values(store)
  const { customerId, code } = store
  await db
    .insert(customerCodes)
    .values({ customerId, code })
    .onConflictDoNothing({ target: [customerCodes.customerId] })
  if (hosts.length > 0) await db.insert(customerDomains).values(hosts.map((host) => ({ customerId, host })))
}

/**
 * Stores an account. An active account replaces the previous one, which is retained for the
 * payments made through it.
 */
export const savePaymentAccount = async (
  db: TenantDb,
  customerId: CustomerId,
  { provider, active, options, secrets }: PaymentAccount,
  now: Date,
): Promise<void> => {
  if (active) {
    await db.update(paymentAccounts).set({ active: false }).where(eq(paymentAccounts.customerId, customerId))
  }
  const fields = { active, options, secrets, updatedAt: now.toISOString() }
  await db
    .insert(paymentAccounts)
    .values({ customerId, provider, ...fields })
    .onConflictDoUpdate({ target: [paymentAccounts.customerId, paymentAccounts.provider], set: fields })
}

/** How the service of an installation runs. */
export type Environment = typeof installation.$inferSelect.environment

/** Reads the recorded mode of the service, or null before its first start. */
export const readMode = async (client: Pick<pg.ClientBase, 'query'>): Promise<Environment | null> => {
  const { rows } = await client.query<{ environment: Environment }>('SELECT environment FROM installation')
  return rows[0]?.environment ?? null
}

/** Reads the recorded mode of the service in a transaction. */
export const readModeIn = (db: TenantDb): Promise<Environment | null> => readMode(db.$client)

/** Records the mode of the service, except over production. */
export const writeMode = (client: pg.Client, mode: Environment) =>
  client.query(
    `INSERT INTO installation (environment) VALUES ($1)
       ON CONFLICT (only_row) DO UPDATE SET environment = $1
         WHERE installation.environment NOT IN ($1, 'production')`,
    [mode],
  )

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
