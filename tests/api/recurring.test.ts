import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { positions, viewedProducts } from '#api/modules/engagement/engagement.schema.ts'
import { sessions } from '#api/modules/identity/identity.schema.ts'
import { purge } from '#api/modules/privacy/retention.ts'
import { cartItems, carts } from '#api/modules/storefront/carts.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import type { CartOwner } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { sweepTenants } from '#api/worker.ts'
import type { CartId, GuestId, ViewerId } from '#contract/ids.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

// A sweep includes all tenants, so other test files use another database.
const api = createTestApi({ database: await ownDatabase() })
const daysAgo = (days: number) => new Date(api.clock.now().getTime() - days * dayMilliseconds).toISOString()

test('a failing task of a tenant does not stop its other tasks', async () => {
  const tenant = await createTenant(api)
  const { id } = await tenant.createProduct()
  await tenant.guest.engagement.view({ id })
  const deliverDue = () => Promise.reject(new Error('No such thing was foreseen.'))
  const deps = { ...api.deps, sandbox: { ...api.deps.sandbox, deliverDue } }
  await sweepTenants(deps, (request) => api.fetch(request))
  expect((await tenant.guest.catalog.product({ id, view: false })).countOfViews).toBe(1)
})

const purgeSome = async (tenant: Tenant, max: number) => {
  const customer = await resolveCustomer(api.deps, tenant.code)
  return tenant.within((db) => purge({ customer: customer!, db, clock: api.clock }, max))
}

/**
 * A tenant with a member and two guests: one was active today, the other's retention period has
 * passed.
 */
const arrange = async (retentionDays: number) => {
  const settings = plainSettings()
  settings.operation.retentionDays = retentionDays
  const tenant = await createTenant(api, { settings })
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const customerId = tenant.id
  const [freshGuest, staleGuest] = [newId<GuestId>(), newId<GuestId>()]
  const traces: { viewer: ViewerId; owner: CartOwner; at: string }[] = [
    { viewer: freshGuest, owner: { guestId: freshGuest }, at: daysAgo(1) },
    { viewer: staleGuest, owner: { guestId: staleGuest }, at: daysAgo(31) },
    { viewer: member.id, owner: { memberId: member.id }, at: daysAgo(31) },
  ]
  await tenant.within(async (db) => {
    for (const { viewer, owner, at } of traces) {
      const place = { customerId, viewer, productId: product.id, at }
      await db.insert(viewedProducts).values(place)
      await db.insert(positions).values({ ...place, part: 'main', positionSeconds: 1, durationSeconds: 100 })
      const cart = { customerId, id: newId<CartId>(), updatedAt: at }
      await db.insert(carts).values({ ...cart, ...owner })
      const price = { priceAmount: 1200, currency: 'USD' }
      await db.insert(cartItems).values({
        customerId,
        id: newId(),
        cartId: cart.id,
        productId: product.id,
        optionId: product.optionId!,
        ...price,
      })
    }
    const session = { customerId, memberId: member.id, device: '', address: '', lastSeenAt: daysAgo(9) }
    for (const days of [1, 2, 3])
      await db
        .insert(sessions)
        .values({ ...session, id: newId(), tokenHash: `ended-${days}`, expiresAt: daysAgo(days) })
  })
  const remaining = () =>
    tenant.within(async (db) => ({
      viewers: (await db.select().from(viewedProducts).orderBy(asc(viewedProducts.viewer))).map((row) => row.viewer),
      positions: (await db.select().from(positions).orderBy(asc(positions.viewer))).map((row) => row.viewer),
      carts: (await db.select().from(carts)).map((row) => row.guestId ?? row.memberId).sort(),
      lines: await db.$count(cartItems),
      sessions: await db.$count(sessions, eq(sessions.customerId, customerId)),
    }))
  return {
    tenant,
    member,
    remaining,
    remembered: [freshGuest, member.id].sort(),
    everyone: traces.map((t) => t.viewer).sort(),
  }
}

test('traces of guests and ended sessions are purged after the tenant’s retention period, in batches', async () => {
  const { tenant, member, remaining, remembered } = await arrange(30)
  expect(await purgeSome(tenant, 2)).toBe(true)
  expect((await remaining()).sessions).toBe(2)
  expect(await purgeSome(tenant, 2)).toBe(false)
  expect(await remaining()).toEqual({
    viewers: remembered,
    positions: remembered,
    carts: remembered,
    lines: 2,
    sessions: 1,
  })
  expect(await member.client.identity.me()).toMatchObject({ id: member.id })
})

test('a tenant with unlimited retention loses no traces of guests', async () => {
  const { tenant, remaining, everyone } = await arrange(0)
  expect(await purgeSome(tenant, 100)).toBe(false)
  expect(await remaining()).toMatchObject({
    viewers: everyone,
    positions: everyone,
    carts: everyone,
    lines: 3,
    sessions: 1,
  })
})
