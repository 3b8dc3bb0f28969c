import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { bindTenant } from '#api/db/bind-tenant.ts'
import { customerDomains, customers } from '#api/db/schema/tenancy.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import { type SiteSettings, siteSettings } from '#contract/tenancy.ts'

export interface NewCustomer {
  /** Where it is known before the store is there. */
  id?: CustomerId
  code: string
  settings: SiteSettings
  hosts?: readonly string[]
  useCustomer?: boolean
  useSite?: boolean
  /** A store is closed until it is opened; the demo's are open from the beginning. */
  opened?: boolean
}

/** Writes a tenant, in the caller's transaction, which belongs to it from then on. */
export const insertCustomer = async (
  db: Pick<NodePgDatabase, 'execute' | 'insert'>,
  given: NewCustomer,
): Promise<CustomerId> => {
  const { id = newId<CustomerId>() } = given
  await bindTenant(db, id)
  await db.insert(customers).values({
    customerId: id,
    code: given.code as CustomerCode,
    settings: siteSettings.parse(given.settings),
    useCustomer: given.useCustomer ?? true,
    useSite: given.useSite ?? true,
    opened: given.opened ?? false,
  })
  const hosts = (given.hosts ?? []).map((host) => host.toLowerCase())
  if (hosts.length > 0) await db.insert(customerDomains).values(hosts.map((host) => ({ customerId: id, host })))
  return id
}

/** Makes a tenant whose store is open. Only the owner's connection may: the role that serves requests cannot make tenants. */
export const createCustomer = (owner: NodePgDatabase, given: NewCustomer): Promise<CustomerId> =>
  owner.transaction((tx) => insertCustomer(tx, { opened: true, ...given }))
