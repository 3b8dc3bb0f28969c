import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import type { Customer } from '#api/context.ts'
import { plainHost, readCustomer, readCustomerHead } from '#api/db/queries/customers.ts'
import { type CustomerCode, customerCode } from '#contract/ids.ts'

const kept = new WeakMap<pg.Pool, LRUCache<string, Customer>>()

export interface ResolvedStore {
  customer: Customer
  /** Whose the host is that was named along with the code. */
  hostCustomerCode: CustomerCode | null
}

/**
 * The tenant behind a code, as it is at this moment; null when there is none. Its settings are large and rarely change, so they are
 * kept until the version says otherwise.
 */
export const resolveStore = async (
  { pool }: { pool: pg.Pool },
  code: string,
  host: string | null,
): Promise<ResolvedStore | null> => {
  if (!customerCode.safeParse(code).success) return null
  const head = await readCustomerHead(pool, code, host && plainHost(host))
  if (!head) return null
  const { hostCustomerCode, version, id } = head
  const customers = kept.get(pool) ?? new LRUCache({ max: 10_000 })
  kept.set(pool, customers)
  const known = customers.get(code)
  if (known?.version === version) return { customer: known, hostCustomerCode }
  const customer = await readCustomer(pool, id)
  if (!customer) return null
  customers.set(code, customer)
  return { customer, hostCustomerCode }
}

export const resolveCustomer = async (deps: { pool: pg.Pool }, code: string): Promise<Customer | null> =>
  (await resolveStore(deps, code, null))?.customer ?? null
