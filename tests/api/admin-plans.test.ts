import { expect, test } from 'vitest'
import { planCode } from '#contract/ids.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import type { Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createPlanTenant(api, ({ base }) => {
    base.locales = ['en', 'ko']
  })
  const staff = await tenant.createStaff('CATALOG')
  const { plans } = staff.client.admin
  const at = (version: string) => staff.withVersion(version).admin.plans
  const create = (code: string) =>
    plans.create({ code: planCode.parse(code), name: `Plan ${code}`, cycle: 'MONTH', price: 1_000 })
  return { tenant, plans, at, create }
}

const offered = async ({ guest }: Tenant) => (await guest.subscriptions.plans()).items

test('a plan is created, filled and put on sale, and visitors see it with the next request', async () => {
  const { tenant, plans, at, create } = await arrange()
  const created = await create('pass')
  expect(created).toMatchObject({ code: 'pass', scope: 'ALL', onSale: false, subscribers: 0, products: 0 })
  expect((await failureOf(create('pass'))).code).toBe('CONFLICT')
  expect(await offered(tenant)).toEqual([])

  const { id } = created
  const empty = await failureOf(at(created.version).change({ id, onSale: true }))
  expect(empty.problem.errors).toEqual({ onSale: [expect.stringContaining('opens no product on sale yet')] })
  expect((await plans.get({ id })).onSale).toBe(false)

  const film = await tenant.createProduct({ access: 'PLAN' })
  const bought = await tenant.createProduct({ access: 'PURCHASE' })
  const free = await failureOf(at(created.version).change({ id, onSale: true, price: 0 }))
  expect(Object.keys(free.problem.errors ?? {})).toEqual(['price'])
  const filled = await at(created.version).change({
    id,
    onSale: true,
    price: 1_500,
    benefits: ['Every film', 'New ones each week'],
    trialDays: 7,
    scope: 'PRODUCTS',
    productCodes: [film.code, bought.code],
    translations: { ko: { name: '패스', benefits: ['모든 영화'] } },
  })
  // The product that is bought alone is not opened by plans.
  expect(filled).toMatchObject({
    onSale: true,
    products: 1,
    translations: { ko: { name: '패스', benefits: ['모든 영화'] } },
  })
  expect([...filled.productCodes].sort()).toEqual([film.code, bought.code].sort())
  expect(await offered(tenant)).toMatchObject([{ id, price: { amount: 1_500 }, trialDays: 7, productCount: 1 }])
  const korean = await api.client(tenant.code, { headers: { 'accept-language': 'ko' } }).subscriptions.plan({ id })
  expect(korean).toMatchObject({ name: '패스', benefits: ['모든 영화'] })
  expect(filled.history.map(({ action }) => action)).toEqual(['plan.changed', 'plan.created'])
  expect(filled.history[0]?.changes).toMatchObject({
    priceAmount: { from: 1_000, to: 1_500 },
    'benefits.ko': { from: null, to: ['모든 영화'] },
  })

  const again = await at(filled.version).change({ id, scope: 'ALL', translations: { ko: { benefits: [] } } })
  expect(again).toMatchObject({ productCodes: [], translations: { ko: { name: '패스' } } })
  const off = await at(again.version).change({ id, onSale: false })
  expect(await offered(tenant)).toEqual([])
  expect(off.onSale).toBe(false)
})

test('wrong fields are named, and a change of somebody else is not overwritten', async () => {
  const { tenant, plans, at, create } = await arrange()
  const { id, version } = await create('pass')
  const foreign = await createPlanTenant(api)
  const { id: categoryId } = await foreign.createCategory('Films')
  const wrong = await failureOf(
    at(version).change({ id, scope: 'CATEGORIES', categoryIds: [categoryId], translations: { ja: { name: 'パス' } } }),
  )
  expect(Object.keys(wrong.problem.errors ?? {}).sort()).toEqual(['categoryIds', 'translations'])
  const none = await failureOf(at(version).change({ id, scope: 'PRODUCTS', productCodes: [] }))
  expect(Object.keys(none.problem.errors ?? {})).toEqual(['productCodes'])
  const product = await foreign.createProduct()
  const unknown = await failureOf(at(version).change({ id, scope: 'PRODUCTS', productCodes: [product.code] }))
  expect(unknown.problem.errors?.productCodes?.[0]).toContain(product.code)

  await at(version).change({ id, summary: 'All films' })
  const conflict = await failureOf(at(version).change({ id, summary: 'Some films' }))
  expect(conflict).toMatchObject({
    code: 'VERSION_CONFLICT',
    problem: { data: { changes: [{ action: 'plan.changed' }, {}] } },
  })
  expect((await failureOf(plans.change({ id, summary: 'Some films' }))).code).toBe('VERSION_MISSING')
  expect((await plans.get({ id })).summary).toBe('All films')
  const support = await tenant.createStaff('SUPPORT')
  expect((await failureOf(support.client.admin.plans.change({ id, summary: '' }))).code).toBe('FORBIDDEN')
})

test('plans are moved; one with subscribers keeps their price and cannot be deleted', async () => {
  const { tenant, plans, at, create } = await arrange()
  const [first, second] = [await create('first'), await create('second')]
  const sold = await createPlan(tenant, { code: 'sold', sort: 3 })
  const before = await plans.list()
  expect(before.items.map(({ code }) => code)).toEqual(['first', 'second', 'sold'])
  const moved = await at(before.version).move({ id: sold.id, position: 1 })
  expect(moved.items.map(({ code }) => code)).toEqual(['sold', 'first', 'second'])
  expect(moved.history).toMatchObject([{ action: 'plan.moved', changes: { [sold.id]: { from: 3, to: 1 } } }])
  expect((await failureOf(at(before.version).move({ id: first.id, position: 3 }))).code).toBe('VERSION_CONFLICT')

  const { member } = await subscriber(api, tenant, sold)
  const { version } = await plans.get({ id: sold.id })
  const changed = await at(version).change({ id: sold.id, price: 2_000 })
  expect(changed).toMatchObject({ subscribers: 1, price: { amount: 2_000 } })
  expect((await member.client.subscriptions.subscription()).regular).toMatchObject({ price: { amount: 900 } })
  expect((await failureOf(at(changed.version).delete({ id: sold.id }))).code).toBe('CONFLICT')

  await at(second.version).delete({ id: second.id })
  expect((await failureOf(plans.get({ id: second.id }))).code).toBe('NOT_FOUND')
  expect((await plans.list()).items.map(({ code }) => code)).toEqual(['sold', 'first'])
})
