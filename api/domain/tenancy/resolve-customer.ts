import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Customer } from '#api/context.ts'
import { readCustomer, readCustomerHead } from '#api/db/queries/customers.ts'
import { customerCode } from '#contract/ids.ts'

const kept = new WeakMap<pg.Pool, LRUCache<string, Customer>>()

/**
 * The tenant behind a code, as it is at this moment; null when there is none. Its settings are large and rarely change, so they are
 * kept until the version says otherwise.
 */
export const resolveCustomer = async ({ pool }: { pool: pg.Pool }, code: string): Promise<Customer | null> => {
  if (!customerCode.safeParse(code).success) return null
  const head = await readCustomerHead(pool, code)
  if (!head) return null
  const customers = kept.get(pool) ?? new LRUCache({ max: 10_000 })
  kept.set(pool, customers)
  const known = customers.get(code)
  if (known?.version === head.version) return known
  const customer = await readCustomer(pool, head.id)
  if (customer) customers.set(code, customer)
  return customer
}
