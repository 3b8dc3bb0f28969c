import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationRanges } from '#contract/catalog.ts'
import { productAccess, productKind, sortOption } from '#contract/enumerations.ts'
import { createPlan } from '#tests/support/plans.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type ProductInput, type Tenant } from '#tests/support/tenant.ts'
import { type Client, createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
/** The same database, where no product index fits into the memory. */
const withoutIndexes = createTestApi({ productIndexMemory: 0.0001 })

const words = ['river', 'night', 'garden', 'lantern', '바다의', '드로잉', 'harbour']
const tagNames = ['sea', 'jazz', 'snow']
const at = (list: readonly string[], place: number) => list[place % list.length]!

/** Products with few different values, so that orders have ties and facets share products. */
const arrange = async (): Promise<Tenant> => {
  const settings = plainSettings()
  settings.order.useSubscribe = true
  const tenant = await createTenant(api, { settings })
  const categories = [await tenant.createCategory('Films'), await tenant.createCategory('Lessons')]
  const product = (place: number): ProductInput => ({
    title: `${at(words, place)} ${at(words, place * 3 + 1)}`,
    summary: at(words, place * 5),
    kind: at(productKind.options, Math.floor(place / 2)) as ProductInput['kind'] & string,
    access: at(productAccess.options, Math.floor(place / 3)) as ProductInput['access'] & string,
    status: place % 13 === 12 ? 'HIDDEN' : 'ON_SALE',
    tags: tagNames.filter((_, tag) => (place >> tag) % 2 === 1),
    categoryIds: categories.filter((_, category) => (place >> category) % 3 === 0).map(({ id }) => id),
    price: place % 7 === 0 ? null : (place % 4) * 1_500,
    durationSeconds: place % 5 === 0 ? null : (place % 9) * 450,
    sort: place % 4,
    countOfViews: place % 3,
    countOfPlays: place % 2,
    createdAt: new Date(Date.UTC(2026, 0, 1 + (place % 6))).toISOString(),
    ...(place % 11 === 0 && { saleFrom: '2090-01-01T00:00:00.000Z' }),
    ...(place % 17 === 0 && { saleTo: '2020-01-01T00:00:00.000Z' }),
  })
  await tenant.createProducts(Array.from({ length: 60 }, (_, place) => product(place)))
  return tenant
}

const clientsOf = ({ code }: Tenant) => [api.client(code), withoutIndexes.client(code)] as const
/** Mostly no filter, so that several together still leave products. */
const some = <T>(...values: T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) })

test('lists, filters, sorts, searches and pages are the same with and without an index', async () => {
  const tenant = await arrange()
  const [indexed, plain] = clientsOf(tenant)
  const { items: categories } = await indexed.catalog.categories()
  const searches = fc.record({
    q: some(...words, 'riv', 'rivr', 'ㄷㄹㅇ', 'nothing here'),
    category: some(...categories.map(({ path }) => path), 'unknown'),
    kind: some(['VOD'] as const, ['VOD', 'PAY'] as const),
    access: some(['PURCHASE'] as const, ['FREE', 'MEMBER'] as const),
    tag: some(...tagNames, 'unknown'),
    priceMin: some(0, 1_500),
    priceMax: some(1_500, 3_000),
    durationMin: some(0, 900),
    durationMax: some(450, 1_800),
    video: some(true),
    sort: some(...sortOption.options),
    page: some(1, 2, 3),
    size: fc.constantFrom(4, 24),
  })
  let matched = 0
  await fc.assert(
    fc.asyncProperty(searches, async (given) => {
      const search = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      const [first, second] = await Promise.all([indexed.catalog.search(search), plain.catalog.search(search)])
      expect(second).toEqual(first)
      matched += first.items.length
    }),
    { numRuns: 120 },
  )
  expect(matched).toBeGreaterThan(120)
  expect(api.deps.productIndexes.versionOf(tenant.id)).not.toBe(null)
  expect(withoutIndexes.deps.productIndexes.versionOf(tenant.id)).toBe(null)
  const all = await plain.catalog.search({ size: 24 })
  expect(all.facets.duration.map(({ value }) => value)).toEqual([...durationRanges])
})

test('suggestions, related products and the products of plans are the same with and without an index', async () => {
  const tenant = await arrange()
  const [indexed, plain] = clientsOf(tenant)
  const { items } = await indexed.catalog.search({ size: 24 })
  const categoryIds = (await indexed.catalog.categories()).items.slice(0, 1).map(({ id }) => id)
  const plans = [
    await createPlan(tenant),
    await createPlan(tenant, { categoryIds }),
    await createPlan(tenant, { productIds: items.map(({ id }) => id).slice(3, 17) }),
  ]
  for (const q of [...words, 'riv', 'rivr', 'ㅂ'])
    expect(await plain.catalog.suggest({ q })).toEqual(await indexed.catalog.suggest({ q }))
  for (const { id } of items) {
    const [first, second] = await Promise.all([indexed, plain].map((each) => each.catalog.product({ id, view: false })))
    expect(second?.related).toEqual(first?.related)
  }
  const countsOf = async (client: Client) =>
    (await client.subscriptions.plans()).items.map(({ id, productCount }) => [id, productCount])
  expect(await countsOf(plain)).toEqual(await countsOf(indexed))
  for (const { id } of plans)
    expect(await plain.subscriptions.planProducts({ id, size: 24 })).toEqual(
      await indexed.subscriptions.planProducts({ id, size: 24 }),
    )
})

test('the least recently used index leaves first, and a store that returns has its products', async () => {
  const small = createTestApi({ productIndexMemory: 0.01 })
  const { productIndexes } = small.deps
  const tenants = await Promise.all(Array.from({ length: 3 }, () => createTenant(small)))
  for (const tenant of tenants) await tenant.createProducts([{}, {}])
  let size = 1
  const [first, second, third] = tenants.map(({ code, id }) => ({
    id,
    // Another page size each time: equal answers are cached.
    total: async () => (await small.client(code).catalog.search({ size: size++ })).total,
  }))
  for (const store of [first!, second!, first!, third!]) expect(await store.total()).toBe(2)
  const isCached = [first!, second!, third!].map(({ id }) => productIndexes.versionOf(id) !== null)
  expect(isCached).toEqual([true, false, true])
  expect(productIndexes.size()).toBeLessThanOrEqual(10_000)
  expect(await second!.total()).toBe(2)
})
