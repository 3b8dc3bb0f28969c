import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { refreshProducts } from '#api/modules/catalog/product-index.queries.ts'
import { warmProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { productEvents } from '#api/modules/engagement/engagement.schema.ts'
import { openCustomers } from '#api/modules/tenancy/tenancy.queries.ts'
import { newId } from '#api/platform/db/columns.ts'
import { durationRanges } from '#contract/catalog.ts'
import { productAccess, productKind, sortOption } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
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
    durationMin: some(0, 450),
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
  const small = createTestApi({ productIndexMemory: 0.013 })
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
  expect(productIndexes.size()).toBeLessThanOrEqual(13_000)
  expect(await second!.total()).toBe(2)
})

/** Returns the statements that are sent to the database meanwhile. */
const statementsDuring = async (work: () => Promise<unknown>) => {
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const sent = queries.mock.calls.map(([query]) => query as unknown as string | { text: string; values?: unknown[] })
  queries.mockRestore()
  return sent.map((query) => (typeof query === 'string' ? { text: query } : query))
}

test('a list that everybody sees is read once for each version, and one of a visitor for the visitor', async () => {
  const tenant = await createTenant(api)
  const product = await tenant.createProduct({ title: 'Quiet river', price: 1_500 })
  const { code, guest, id } = tenant
  const visitor = await tenant.createMember()
  const requests = {
    list: () => guest.catalog.search({ kind: ['VOD'] }),
    suggestions: () => guest.catalog.suggest({ q: 'quiet' }),
    'list of a member': () => visitor.client.catalog.search({ kind: ['VOD'] }),
  }
  const textsOf = async (work: () => Promise<unknown>) =>
    (await statementsDuring(work)).map(({ text }) => text).filter((text) => text.includes('FROM products'))
  const repeated: Record<string, number> = {}
  for (const [name, send] of Object.entries(requests)) {
    await send()
    repeated[name] = (await textsOf(send)).length
  }
  expect(repeated).toEqual({ list: 0, suggestions: 0, 'list of a member': 1 })
  expect(await textsOf(() => guest.catalog.search({ kind: ['VOD'], priceMax: 9_000 }))).toEqual([])
  const begun = (await statementsDuring(requests.list)).filter(({ text }) => text.startsWith('BEGIN'))
  expect(begun).toEqual([])

  await settingOptions('price_amount', 2_500)(tenant, [product.id])
  const prices = async (client: Client) => (await client.catalog.search({ kind: ['VOD'] })).items[0]?.price?.amount
  for (const client of [guest, visitor.client, api.client(code)]) expect(await prices(client)).toBe(2_500)
  expect(api.deps.productIndexes.versionOf(id)).not.toBe(null)
})

/** Returns how often all rows of an index are read meanwhile. */
const wholeReads = async (work: () => Promise<unknown>): Promise<number> =>
  (await statementsDuring(work)).filter(({ text }) => text.startsWith('DECLARE product_index')).length

test.each([
  ['in the memory', api, 0],
  ['without a place in the memory', withoutIndexes, 1],
])(
  'the next sale of an index %s is looked up once for each version',
  async (_, { deps, clock, client }, lookups) => {
    const tenant = await createTenant(api)
    const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()
    await tenant.createProduct({ saleFrom: inMinutes(10), saleTo: inMinutes(20) })
    const versionOf = async () => (await openCustomers(deps.pool, [tenant.id]))[0]?.version ?? 0
    const total = async () => (await client(tenant.code).catalog.search({})).total
    expect(await total()).toBe(0)
    await using _warming = warmProductIndexes(deps)
    const statements = await statementsDuring(() => sleep(5_000))
    const ofStore = statements.filter(({ values }) => values?.flat().includes(tenant.id))
    expect(ofStore.filter(({ text }) => text.includes('FROM customers')).length).toBeGreaterThan(1)
    expect(ofStore.filter(({ text }) => text.includes('sale_to >'))).toHaveLength(lookups)

    for (const listed of [1, 0]) {
      const before = await versionOf()
      clock.advance(10 * 60_000)
      await expect.poll(versionOf, { timeout: 20_000 }).toBe(before + 1)
      expect(await total()).toBe(listed)
    }
  },
  60_000,
)

const idsOf = (tenant: Tenant): Promise<ProductId[]> =>
  tenant.within(async (db) => {
    const { rows } = await db.$client.query<{ id: ProductId }>(
      'SELECT id FROM products WHERE customer_id = $1 ORDER BY code',
      [tenant.id],
    )
    return rows.map(({ id }) => id)
  })

type Change = (tenant: Tenant, ids: readonly ProductId[]) => Promise<unknown>
const changing = (text: string, ...values: unknown[]): Change => {
  return (tenant, ids) =>
    tenant.within(async (db) => {
      await db.$client.query(text, [tenant.id, ids, ...values])
      await refreshProducts(db, tenant.id, ids)
    })
}
const settingProducts = (column: string, value: unknown) =>
  changing(`UPDATE products SET ${column} = $3 WHERE customer_id = $1 AND id = ANY($2::uuid[])`, value)
const settingOptions = (column: string, value: unknown) =>
  changing(`UPDATE product_options SET ${column} = $3 WHERE customer_id = $1 AND product_id = ANY($2::uuid[])`, value)

/** Changes of everything that decides what lists show of a product. */
const changesOfProducts: Change[] = [
  ...['DRAFT', 'ON_SALE', 'HIDDEN'].map((status) => settingProducts('status', status)),
  ...[-5, 2, 100_000].map((sort) => settingProducts('sort', sort)),
  ...['VOD', 'FREE'].map((kind) => settingProducts('kind', kind)),
  ...['PURCHASE', 'FREE', 'MEMBER'].map((access) => settingProducts('access', access)),
  ...[null, '2020-01-01T00:00:00Z', '2090-01-01T00:00:00Z'].flatMap((time) => [
    settingProducts('sale_from', time),
    settingProducts('sale_to', time),
  ]),
  settingProducts('created_at', '2026-02-02T02:02:02.000002Z'),
  settingProducts('tags', ['sea', 'new words']),
  settingProducts('tags', []),
  settingProducts('title', 'lantern of the bay'),
  settingProducts('category_ids', []),
  (tenant, ids) =>
    tenant.within(async (db) => {
      const { rows } = await db.$client.query('SELECT id FROM categories WHERE customer_id = $1', [tenant.id])
      const categoryIds = rows.slice(ids.length % 2).map(({ id }) => id)
      await db.$client.query('UPDATE products SET category_ids = $3 WHERE customer_id = $1 AND id = ANY($2::uuid[])', [
        tenant.id,
        ids,
        categoryIds,
      ])
    }),
  ...[0, 700, 20_000_001].map((price) => settingOptions('price_amount', price)),
  ...[true, false].map((isOnSale) => settingOptions('on_sale', isOnSale)),
  changing('DELETE FROM attachments WHERE customer_id = $1 AND product_id = ANY($2::uuid[])'),
  (tenant, ids) => tenant.createProducts(ids.map((_, place) => ({ title: `night ${place}`, sort: 3, tags: ['jazz'] }))),
]

test('lists are the same after any changes as from the database, and read only what changed', async () => {
  const tenant = await arrange()
  const [indexed, plain] = clientsOf(tenant)
  await indexed.catalog.search({})
  const change = fc.record({
    change: fc.constantFrom(...changesOfProducts),
    places: fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 4 }),
  })
  const products = await idsOf(tenant)
  const lists = [
    ...sortOption.options.map((sort) => ({ sort, size: 48 })),
    { q: 'night' },
    { q: 'lantern', sort: 'createdAt,ASC' as const },
    { tag: 'sea', priceMin: 700 },
    { video: true, durationMax: 1_800 },
  ]
  const areSame = async () => {
    for (const list of lists) expect(await indexed.catalog.search(list)).toEqual(await plain.catalog.search(list))
  }
  const reads = await wholeReads(async () => {
    for (const [turn, apply] of changesOfProducts.entries()) {
      const { items } = await indexed.catalog.search({ page: 1 + (turn % 2), size: 5 })
      await apply(
        tenant,
        items.map(({ id }) => id),
      )
      await areSame()
      await settingProducts('status', 'ON_SALE')(tenant, products)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        for (const { change, places } of changes)
          await change(
            tenant,
            places.map((place) => products[place]!),
          )
        await areSame()
      }),
      { numRuns: 15 },
    )
  })
  expect(reads).toBe(0)
}, 120_000)

test('orders by views and plays follow the counts a minute later, and read only what was counted', async () => {
  const tenant = await arrange()
  const [indexed, plain] = clientsOf(tenant)
  const sorts = ['countOfViews,DESC', 'countOfViews,ASC', 'countOfPlays,DESC', 'countOfPlays,ASC'] as const
  const pagesOf = (client: Client, priceMax: number) =>
    Promise.all(sorts.map(async (sort) => (await client.catalog.search({ sort, size: 48, priceMax })).items))
  const ids = await idsOf(tenant)
  const event = fc.record({
    place: fc.nat(59),
    type: fc.constantFrom('VIEW' as const, 'PLAY' as const),
    times: fc.integer({ min: 1, max: 300 }),
  })
  const now = performance.now.bind(performance)
  let [later, priceMax] = [0, 100_000]
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  await pagesOf(indexed, priceMax)
  const reads = await wholeReads(() =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(event, { maxLength: 5 }), { maxLength: 2 }), async (rounds) => {
        for (const events of rounds)
          await tenant.within(async (db) => {
            const rows = events.flatMap(({ place, type, times }) =>
              Array.from({ length: times }, () => ({
                customerId: tenant.id,
                id: newId(),
                productId: ids[place]!,
                type,
              })),
            )
            if (rows.length > 0) await db.insert(productEvents).values(rows)
            await rollUpEvents(db, tenant.id, 5_000)
          })
        later += 61_000
        // Answered from the index as it is, which reads its counts behind.
        await pagesOf(indexed, ++priceMax)
        await expect
          .poll(() => pagesOf(indexed, ++priceMax), { interval: 20 })
          .toEqual(await pagesOf(plain, ++priceMax))
      }),
      { numRuns: 12 },
    ),
  )
  expect(reads).toBe(0)
}, 60_000)

test('all products are read again where it is not known which have changed', async () => {
  const tenant = await arrange()
  const [indexed, plain] = clientsOf(tenant)
  const isEqual = async () => expect(await indexed.catalog.search({})).toEqual(await plain.catalog.search({}))
  await isEqual()
  const ids = await idsOf(tenant)
  const cases: [Change, number][] = [
    // Nothing of the products.
    [() => tenant.createCategory('Shorts'), 0],
    [settingProducts('title', 'Another title'), 0],
    // A setting decides about free products.
    [
      () =>
        api.owner.execute(
          sql`UPDATE customers SET settings = jsonb_set(settings, '{order,useFree}', 'false') WHERE customer_id = ${tenant.id}`,
        ),
      1,
    ],
    // More than are named.
    [() => tenant.createProducts(Array.from({ length: 201 }, () => ({}))), 1],
    // More versions than are remembered.
    [
      async () => {
        for (let turn = 0; turn < 257; turn++) await tenant.createCategory(`Category ${turn}`)
      },
      1,
    ],
  ]
  for (const [change, reads] of cases) {
    await change(tenant, ids.slice(0, 2))
    expect(await wholeReads(() => indexed.catalog.search({ size: 48 }))).toBe(reads)
    await isEqual()
  }
}, 120_000)
