import type pg from 'pg'
import type { Customer } from '#api/context.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

interface HeadRow {
  id: CustomerId
  useCustomer: boolean
  useSite: boolean
  version: number
}

/** What may change at any moment, without the settings: those are read again only when the version has moved. */
export const readCustomerHead = async (pool: pg.Pool, code: string): Promise<HeadRow | null> => {
  const { rows } = await pool.query<HeadRow>({
    name: 'customer-head',
    text: `SELECT customer_id AS id, use_customer AS "useCustomer", use_site AS "useSite", version
             FROM customers WHERE code = $1`,
    values: [code],
  })
  return rows[0] ?? null
}

export const readCustomer = async (pool: pg.Pool, id: CustomerId): Promise<Customer | null> => {
  const { rows } = await pool.query<HeadRow & { code: CustomerCode; settings: SiteSettings }>({
    name: 'customer',
    text: `SELECT customer_id AS id, code, use_customer AS "useCustomer", use_site AS "useSite", version, settings
             FROM customers WHERE customer_id = $1`,
    values: [id],
  })
  return rows[0] ?? null
}

export const findCustomerCodeByHost = async (pool: pg.Pool, host: string): Promise<CustomerCode | null> => {
  const { rows } = await pool.query<{ code: CustomerCode }>({
    name: 'customer-by-host',
    text: `SELECT c.code FROM customer_domains d JOIN customers c ON c.customer_id = d.customer_id WHERE d.host = $1`,
    values: [host],
  })
  return rows[0]?.code ?? null
}
