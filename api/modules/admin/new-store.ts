import { insertStarterPages } from '#api/modules/content/starter-pages.ts'
import { insertCustomer } from '#api/modules/tenancy/store-states.ts'
import { findStoresByCodeOrHosts } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, audit } from '#api/platform/audit.ts'
import type { Clock, Customer } from '#api/platform/context.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { type CustomerCode, type CustomerId, customerCode } from '#contract/ids.ts'
import { isHost } from '#contract/rules.ts'
import type { SiteSettings } from '#contract/tenancy.ts'

export interface CreateStoreOptions {
  id?: CustomerId
  code: CustomerCode
  hosts: readonly string[]
  settings: SiteSettings
  by: AuditActor
}

/**
 * Normalizes a host: lower case, Punycode, without scheme and port. Returns null if it is not a
 * domain.
 */
export const readHost = (text: string): string | null => {
  const plain = text.trim().toLowerCase()
  if (!/^[^\s/:@?#]+$/.test(plain)) return null
  try {
    const { hostname } = new URL(`http://${plain}`)
    return isHost(hostname) ? hostname : null
  } catch {
    return null
  }
}

/** Returns why a store cannot have a code or hosts; null if it can. */
export const storeRefusal = async (
  db: TenantDb,
  { code: text, hosts }: { code: string; hosts: readonly string[] },
): Promise<string | null> => {
  const { data: code } = customerCode.safeParse(text)
  if (!code)
    return `${text} cannot be a customer code: it must have at most 40 lower case letters, digits and hyphens, for example acme.`
  const rows = await findStoresByCodeOrHosts(db, code, hosts)
  if (rows.some((row) => row.code === code)) return `There is a store with the customer code ${code} already.`
  const hostOwner = rows.find(({ host }) => host !== null)
  return hostOwner ? `The host ${hostOwner.host} belongs to the store ${hostOwner.code} already.` : null
}

/** Returns a store as `createStore` leaves it: closed to visitors and without a payment account. */
export const newCustomer = (store: Pick<Customer, 'id' | 'code' | 'settings'>): Customer => ({
  ...store,
  useCustomer: true,
  useSite: true,
  opened: false,
  paymentAccounts: [],
  version: 1,
})

/**
 * Creates a store with settings and draft pages, in the owner's transaction. The store is closed to
 * visitors until it is opened.
 */
export const createStore = async (
  db: TenantDb,
  clock: Clock,
  { id: known, code, hosts, settings, by }: CreateStoreOptions,
): Promise<CustomerId> => {
  const id = await insertCustomer(db, { code, settings, hosts, ...(known && { id: known }) })
  await insertStarterPages(db, clock, { id, locale: settings.base.locale })
  await audit(
    { db, customer: { id }, clock },
    { actor: by, action: 'store.created', subject: 'store', detail: { hosts: [...hosts] } },
  )
  return id
}
