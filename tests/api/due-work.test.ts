import { expect, test } from 'vitest'
import { hasDueWork } from '#api/modules/admin/admin-lists.queries.ts'
import { sweepDueTenants, sweepTenants } from '#api/worker.ts'
import { depositFor } from '#tests/support/bank.ts'
import { beginToBuy, beginToPay, placeOrderOf } from '#tests/support/buying.ts'
import { queueGreetingOf } from '#tests/support/mails.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createPlan } from '#tests/support/plans.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

// A sweep includes all tenants, so other test files use another database.
const api = createTestApi({ database: await ownDatabase() })
const settings = plainSettings()
settings.order.methods = ['CARD', 'BANK']
const isDue = ({ id }: Tenant, minutesLater = 0) =>
  hasDueWork(api.deps.pool, id, new Date(api.clock.now().getTime() + minutesLater * 60_000))

/** The tenants whose tasks a sweep runs: each has the task of webhooks. */
const sweptBy = async (sweep: typeof sweepTenants) => {
  const codes: string[] = []
  const deliverDue = async ({ code }: { code: string }) => codes.push(code)
  await sweep({ ...api.deps, sandbox: { ...api.deps.sandbox, deliverDue } }, (request) => api.fetch(request))
  return codes.sort()
}

test('a sweep of every minute runs the tasks of tenants with due work alone, one of every hour those of all', async () => {
  const tenants = await Promise.all(Array.from({ length: 5 }, () => createTenant(api)))
  const all = tenants.map(({ code }) => code).sort()
  expect(await sweptBy(sweepTenants)).toEqual(all)
  expect(await sweptBy(sweepDueTenants)).toEqual([])
  await queueGreetingOf(api)(tenants[3]!, 'a@example.com')
  expect(await sweptBy(sweepDueTenants)).toEqual([tenants[3]?.code])
})

test('views, orders, payments and deposits are due work while they need a task', async () => {
  const tenant = await createTenant(api, { settings })
  const first = await tenant.createMember()
  const products = await tenant.createProducts([{}])
  await sweepTenants(api.deps, (request) => api.fetch(request))
  expect(await isDue(tenant, 60)).toBe(false)

  await tenant.guest.engagement.view({ id: products[0]!.id })
  expect(await isDue(tenant)).toBe(true)
  await sweepTenants(api.deps, (request) => api.fetch(request))
  expect(await isDue(tenant)).toBe(false)

  const order = await placeOrderOf(api, tenant, first, products[0]!)
  expect(await isDue(tenant)).toBe(false)
  expect(await isDue(tenant, 24 * 60)).toBe(true)
  await beginToPay(api, tenant, first, order)
  expect(await isDue(tenant)).toBe(true)

  const other = await createTenant(api, { settings })
  expect(await isDue(other)).toBe(false)
  const buyer = await other.createMember()
  const product = await other.createProduct()
  const { order: ordered } = await beginToBuy(api, other, buyer, product)
  await depositFor(api, other, buyer, ordered)
  expect(await isDue(other)).toBe(true)
})

test('a subscription is due work at its renewal, and when its charge is under way', async () => {
  const subscriptions = plainSettings()
  subscriptions.order.useSubscribe = true
  const tenant = await createTenant(api, { settings: subscriptions })
  const plan = await createPlan(tenant)
  await subscriber(api, tenant, plan)
  await sweepTenants(api.deps, (request) => api.fetch(request))
  expect(await isDue(tenant, 60)).toBe(false)
  expect(await isDue(tenant, 32 * 24 * 60)).toBe(true)
})
