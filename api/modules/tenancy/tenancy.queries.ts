import { eq } from 'drizzle-orm'
import type pg from 'pg'
import type { Customer, PaymentAccount } from '#api/platform/context.ts'
import { type TenantDb, withTenant } from '#api/platform/db/client.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { paymentAccounts } from './tenancy.schema.ts'

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

interface HeadRow {
  id: CustomerId
  useCustomer: boolean
  useSite: boolean
  opened: boolean
  version: number
}

interface HeadAtHost extends HeadRow {
  /** The customer code of the requested host. */
  hostCustomerCode: CustomerCode | null
}

/** The tenants whose stores are open, each with its version. */
export const openCustomers = async (pool: pg.Pool): Promise<Pick<HeadRow, 'id' | 'version'>[]> => {
  const { rows } = await pool.query<Pick<HeadRow, 'id' | 'version'>>({
    name: 'open-customers',
    text: 'SELECT customer_id AS id, version FROM customers WHERE use_site AND use_customer AND opened ORDER BY customer_id',
  })
  return rows
}

/**
 * Reads what may change at any moment, without the settings, which are read again only if the
 * version has changed. The host's owner is read in the same query.
 */
export const readCustomerHead = async (
  pool: pg.Pool,
  code: string,
  host: string | null,
): Promise<HeadAtHost | null> => {
  const { rows } = await pool.query<HeadAtHost>({
    name: 'customer-head',
    text: `SELECT customer_id AS id, use_customer AS "useCustomer", use_site AS "useSite", opened, version,
                  (SELECT o.code FROM customer_domains d JOIN customers o ON o.customer_id = d.customer_id
                    WHERE d.host = $2) AS "hostCustomerCode"
             FROM customers WHERE code = $1`,
    values: [code, host],
  })
  return rows[0] ?? null
}

export const readCustomer = async (pool: pg.Pool, id: CustomerId): Promise<Customer | null> => {
  const { rows } = await pool.query<HeadRow & { code: CustomerCode; settings: SiteSettings }>({
    name: 'customer',
    text: `SELECT customer_id AS id, code, use_customer AS "useCustomer", use_site AS "useSite", opened, version, settings
             FROM customers WHERE customer_id = $1`,
    values: [id],
  })
  const [row] = rows
  // Read after the version: the accounts may be newer than the version, never older.
  return row ? { ...row, paymentAccounts: await withTenant(pool, id, (db) => readPaymentAccounts(db, id)) } : null
}

/** Normalizes a host: lower case, without the port and a trailing dot. */
export const plainHost = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '')

export const findCustomerCodeByHost = async (pool: pg.Pool, host: string): Promise<CustomerCode | null> => {
  const { rows } = await pool.query<{ code: CustomerCode }>({
    name: 'customer-by-host',
    text: `SELECT c.code FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id WHERE d.host = $1`,
    values: [host],
  })
  return rows[0]?.code ?? null
}

/** The hosts of a tenant in alphabetical order. */
export const readHosts = async (pool: pg.Pool, id: CustomerId): Promise<string[]> => {
  const { rows } = await pool.query<{ host: string }>({
    name: 'customer-hosts',
    text: 'SELECT host FROM customer_domains WHERE customer_id = $1 ORDER BY host',
    values: [id],
  })
  return rows.map(({ host }) => host)
}

/** The codes of all tenants. */
export const readCodes = async (pool: pg.Pool): Promise<CustomerCode[]> => {
  const { rows } = await pool.query<{ code: CustomerCode }>({
    name: 'customer-codes',
    text: 'SELECT code FROM customers ORDER BY code',
  })
  return rows.map(({ code }) => code)
}

/** Every tenant of the installation, by code. */
export const readTenants = async (pool: pg.Pool): Promise<{ id: CustomerId; code: CustomerCode }[]> => {
  const { rows } = await pool.query<{ id: CustomerId; code: CustomerCode }>(
    'SELECT customer_id AS id, code FROM customers ORDER BY code',
  )
  return rows
}
