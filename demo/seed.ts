import type pg from 'pg'
import { starterSettings } from '#api/modules/admin/store-lifecycle.ts'
import { insertCustomer } from '#api/modules/tenancy/store-states.ts'
import { onConnection } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { locale } from '#contract/enumerations.ts'
import { type CustomerId, customerCode } from '#contract/ids.ts'
import { siteSettings } from '#contract/tenancy.ts'
import type { DemoTenant } from './content/model/types.ts'
import { DEMO_TENANTS } from './content/tenants.ts'
import { seedCatalog } from './seed/catalog.ts'
import { seedContent } from './seed/content.ts'
import { seedOrders } from './seed/orders.ts'
import { seedPeople } from './seed/people.ts'
import { seedPlans } from './seed/plans.ts'
import { seedStaff } from './seed/staff.ts'
import { seedSubscription } from './seed/subscription.ts'

export { DEMO_EMAIL, DEMO_OPERATOR, DEMO_PASSWORD, SECOND_EMAIL } from './seed/accounts.ts'

const DEMO_INSTALLATION = customerCode.parse('installation')

/** The progress of seeding: `done` of `total` stores are ready. */
export type SeedProgress = (doing: string, done: number, total: number) => void

/**
 * Fills the database with the demo stores, each in one transaction; what is there already
 * is left alone. `owner` connects as the role that owns the tables: the one that serves requests
 * cannot make tenants. `secret` is the installation's.
 */
export async function seedDemo(owner: pg.Pool, secret: string, onProgress: SeedProgress = () => {}): Promise<void> {
  const { rows } = await owner.query<{ code: string }>('SELECT code FROM customers')
  const present = new Set(rows.map(({ code }) => code))
  const missing = DEMO_TENANTS.filter(({ code }) => !present.has(code))
  for (const [done, tenant] of missing.entries()) {
    onProgress(`Filling the store ${tenant.settings.base.name ?? tenant.code}`, done, missing.length)
    await inTransaction(owner, (client) => seedTenant(client, tenant, secret))
  }
  if (!present.has(DEMO_INSTALLATION)) await inTransaction(owner, seedInstallation)
}

/** Makes the console in which all demo stores are managed. */
async function seedInstallation(client: pg.PoolClient): Promise<void> {
  const db = onConnection(client)
  const start = { name: 'Marquee demo', locale: 'en', currency: 'USD', timeZone: 'UTC' } as const
  const starter = starterSettings(start, new Date().toISOString().slice(0, 10))
  const customerId = await insertCustomer(db, {
    code: DEMO_INSTALLATION,
    settings: { ...starter, base: { ...starter.base, locales: locale.options } },
    hosts: ['admin.localhost'],
    isInstallation: true,
  })
  await seedStaff({ db, customerId })
}

async function inTransaction(owner: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('BEGIN')
    await work(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

async function seedTenant(client: pg.PoolClient, tenant: DemoTenant, secret: string): Promise<void> {
  const db = onConnection(client)
  const customerId = newId<CustomerId>()
  await insertCustomer(db, {
    id: customerId,
    code: customerCode.parse(tenant.code),
    useCustomer: tenant.useCustomer,
    useSite: tenant.useSite,
    opened: true,
    settings: siteSettings.parse(tenant.settings),
    hosts: tenant.domains,
  })
  const seeding = { db, customerId, tenant, secret, now: new Date() }
  await seedStaff(seeding)
  const catalog = await seedCatalog(seeding)
  const plans = await seedPlans(seeding, catalog)
  await seedContent(seeding, catalog)
  const memberId = await seedPeople(seeding, catalog)
  await seedOrders(seeding, catalog, memberId)
  await seedSubscription(seeding, plans, memberId)
}
