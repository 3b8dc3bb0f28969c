import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { customerDomains, customers } from '#api/db/schema/tenancy.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerCode, CustomerId } from '#contract/ids.ts'
import { type SiteSettings, siteSettings } from '#contract/tenancy.ts'

export interface NewCustomer {
  code: string
  settings: SiteSettings
  hosts?: readonly string[]
  useCustomer?: boolean
  useSite?: boolean
}

/** Opens a tenant. Only the owner's connection may: the role that serves requests cannot make tenants. */
export const createCustomer = async (owner: NodePgDatabase, given: NewCustomer): Promise<CustomerId> => {
  const id = newId<CustomerId>()
  await owner.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('marquee.customer_id', ${id}, true)`)
    await tx.insert(customers).values({
      customerId: id,
      code: given.code as CustomerCode,
      settings: siteSettings.parse(given.settings),
      useCustomer: given.useCustomer ?? true,
      useSite: given.useSite ?? true,
    })
    const hosts = (given.hosts ?? []).map((host) => host.toLowerCase())
    if (hosts.length > 0) await tx.insert(customerDomains).values(hosts.map((host) => ({ customerId: id, host })))
  })
  return id
}
