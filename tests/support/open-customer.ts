import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { insertCustomer, type NewCustomer } from '#api/modules/tenancy/store-states.ts'
import type { CustomerId } from '#contract/ids.ts'

/**
 * Creates a store that is open to visitors. Requires the owner's connection: the role that serves
 * requests cannot create tenants.
 */
export const createOpenCustomer = (owner: NodePgDatabase, store: NewCustomer): Promise<CustomerId> =>
  owner.transaction((tx) => insertCustomer(tx, { ...store, opened: true }))
