import { eq } from 'drizzle-orm'
import type pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { warmProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { openCustomers } from '#api/modules/tenancy/tenancy.queries.ts'
import { DatabaseUnavailable, withTenant } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { EntitlementId, ProductId } from '#contract/ids.ts'
import { buy } from '#tests/support/buying.ts'
import { createTenant, type ProductInput, type Tenant } from '#tests/support/tenant.ts'
import { type Client, createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const createProducts = async (tenant: Tenant, inputs: ProductInput[]) => {
  for (const input of inputs) await tenant.createProduct(input)
}
const titles = (answer: { items: { title: string }[] }) => answer.items.map((item) => item.title)

describe('Search', () => {
  test('search finds Korean words, parts of words, words with other spacing, and initial consonants', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [{ title: '비디오 편집 입문' }, { title: '수채화 드로잉' }, { title: '바다의 소리' }])
    const search = async (q: string) => titles(await tenant.guest.catalog.search({ q }))
    for (const q of ['비디오', '디오', '편집', '비디오편집', 'ㅍㅈ'])
      expect([q, await search(q)]).toEqual([q, ['비디오 편집 입문']])
    expect((await search('ㅂㄷ')).sort()).toEqual(['바다의 소리', '비디오 편집 입문'])
  })

  test('search by initial consonants ranks titles first in which a word begins with them', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [
      { title: '기다림에도 끝은 있다' },
      { title: '처음 드로잉' },
      { title: '또 다른 기다림에도' },
    ])
    const search = async (q: string) => titles(await tenant.guest.catalog.search({ q }))
    expect((await search('ㄷㄹㅇ'))[0]).toBe('처음 드로잉')
    expect(await search('ㄷㄹㅇ')).toHaveLength(3)
    expect((await search('ㄱㄷ')).slice(0, 2)).not.toContain('처음 드로잉')
  })

  test('search finds Japanese, full-width letters and letters with diacritics', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [{ title: '東京の夜景' }, { title: 'Café Lumière' }])
    const search = async (q: string) => titles(await tenant.guest.catalog.search({ q }))
    expect(await search('夜景')).toEqual(['東京の夜景'])
    expect(await search('ＣＡＦÉ')).toEqual(['Café Lumière'])
    expect(await search('cafe')).toEqual(['Café Lumière'])
  })

  test('search finds prefixes of words, tags and words of the summary', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [{ title: 'The Long Ridge', tags: ['mountains'], summary: 'Snow and silence' }])
    for (const q of ['rid', 'long ridge', 'RIDGE', 'mountains', 'silence'])
      expect([q, (await tenant.guest.catalog.search({ q })).total]).toEqual([q, 1])
    expect((await tenant.guest.catalog.search({ q: 'desert' })).total).toBe(0)
  })

  test('search corrects one wrong letter and returns the corrected word', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [{ title: 'Lantern Festival' }, { title: 'Quiet Harbour' }])
    for (const q of ['lantren', 'lanterm', 'lanern', 'llantern']) {
      const answer = await tenant.guest.catalog.search({ q })
      expect([q, titles(answer), answer.corrected]).toEqual([q, ['Lantern Festival'], 'lantern'])
    }
    expect((await tenant.guest.catalog.search({ q: 'lantern' })).corrected).toBeNull()
  })

  test('search accepts the operators of its query language as text', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [{ title: "It's a 'test' & more" }])
    for (const q of ["'", '&', '!', ':*', '<->', '\\', '()', "it's", '%_']) await tenant.guest.catalog.search({ q })
    expect((await tenant.guest.catalog.search({ q: 'test & more' })).total).toBe(1)
  })

  test('search filters by category with its descendants, kind, access, price, length and tag', async () => {
    const tenant = await createTenant(api)
    const films = await tenant.createCategory('Films')
    const drama = await tenant.createCategory('Drama', films)
    await createProducts(tenant, [
      { title: 'A', categoryIds: [films.id, drama.id], kind: 'VOD', price: 500, durationSeconds: 60, tags: ['sea'] },
      { title: 'B', categoryIds: [films.id], kind: 'PAY', price: 1500, durationSeconds: 600 },
      { title: 'C', kind: 'FREE', access: 'MEMBER', price: null, durationSeconds: null },
    ])
    const found = async (query: Parameters<typeof tenant.guest.catalog.search>[0]) =>
      titles(await tenant.guest.catalog.search(query))
        .sort()
        .join('')
    expect(await found({ category: films.id })).toBe('AB')
    expect(await found({ category: drama.id })).toBe('A')
    expect(await found({ kind: ['PAY', 'FREE'] })).toBe('BC')
    expect(await found({ access: ['MEMBER'] })).toBe('C')
    expect(await found({ priceMin: 600, priceMax: 2000 })).toBe('B')
    expect(await found({ durationMax: 100 })).toBe('A')
    expect(await found({ tag: 'sea' })).toBe('A')
    expect(await found({ video: true })).toBe('AB')
  })

  test('search counts each facet without its own filter', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [{ kind: 'VOD' }, { kind: 'VOD' }, { kind: 'PAY', price: 5000 }])
    const answer = await tenant.guest.catalog.search({ kind: ['PAY'] })
    expect(answer.total).toBe(1)
    const kinds = Object.fromEntries(answer.facets.kind.map(({ value, count }) => [value, count]))
    expect(kinds).toMatchObject({ VOD: 2, PAY: 1 })
    expect(answer.priceRange).toMatchObject({ max: 5000 })
  })

  test.each<[SortOption, string]>([
    ['sort,DESC', 'ABC'],
    ['createdAt,DESC', 'CBA'],
    ['createdAt,ASC', 'ABC'],
    ['countOfViews,DESC', 'BCA'],
    ['countOfViews,ASC', 'ACB'],
    ['countOfPlays,DESC', 'CAB'],
    ['countOfPlays,ASC', 'BAC'],
    ['duration,DESC', 'ABC'],
    ['duration,ASC', 'BAC'],
  ])('search sorts products by %s', async (sort, order) => {
    const tenant = await createTenant(api)
    const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
    await createProducts(tenant, [
      { title: 'A', sort: 30, createdAt: at(1), countOfViews: 1, countOfPlays: 20, durationSeconds: 900 },
      { title: 'B', sort: 20, createdAt: at(2), countOfViews: 9, countOfPlays: 10, durationSeconds: 60 },
      { title: 'C', sort: 10, createdAt: at(3), countOfViews: 5, countOfPlays: 30, durationSeconds: null },
    ])
    expect(titles(await tenant.guest.catalog.search({ sort })).join('')).toBe(order)
  })

  test('the pages of a search contain each product once', async () => {
    const tenant = await createTenant(api)
    await createProducts(
      tenant,
      Array.from({ length: 11 }, (_, index) => ({ title: `No. ${index}` })),
    )
    const pages = await Promise.all([1, 2, 3, 4].map((page) => tenant.guest.catalog.search({ page, size: 4 })))
    expect(pages.map((page) => [page.items.length, page.total])).toEqual([
      [4, 11],
      [4, 11],
      [3, 11],
      [0, 11],
    ])
    expect(new Set(pages.flatMap((page) => page.items.map((item) => item.id))).size).toBe(11)
  })

  test('search lists only products that are on sale now', async () => {
    const tenant = await createTenant(api)
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    await createProducts(tenant, [
      { title: 'Now' },
      { title: 'Draft', status: 'DRAFT' },
      { title: 'Hidden', status: 'HIDDEN' },
      { title: 'Ended', status: 'ENDED' },
      { title: 'Not yet', saleFrom: inHours(1) },
      { title: 'Over', saleTo: inHours(-1) },
    ])
    expect(titles(await tenant.guest.catalog.search({}))).toEqual(['Now'])
  })

  test('suggestions for a prefix contain products and categories', async () => {
    const tenant = await createTenant(api)
    await tenant.createCategory('Landscapes')
    await createProducts(tenant, [{ title: 'Land of tides' }, { title: 'Skyline' }])
    const answer = await tenant.guest.catalog.suggest({ q: 'land' })
    expect(titles({ items: answer.products })).toEqual(['Land of tides'])
    expect(answer.categories.map((category) => category.name)).toEqual(['Landscapes'])
    expect(answer.corrected).toBeNull()
  })

  test('suggestions for a mistyped word equal its search results and contain the corrected word', async () => {
    const tenant = await createTenant(api)
    await createProducts(tenant, [{ title: 'The Lighthouse' }, { title: 'Skyline' }])
    const [suggested, searched] = await Promise.all([
      tenant.guest.catalog.suggest({ q: 'lightouse' }),
      tenant.guest.catalog.search({ q: 'lightouse' }),
    ])
    expect([titles({ items: suggested.products }), suggested.corrected]).toEqual([['The Lighthouse'], 'lighthouse'])
    expect([titles(searched), searched.corrected]).toEqual([['The Lighthouse'], 'lighthouse'])
    expect(await tenant.guest.catalog.suggest({ q: 'zzzzz' })).toMatchObject({ products: [], corrected: null })
  })
})

describe('Products', () => {
  test('a product is found by its id and by its code', async () => {
    const tenant = await createTenant(api)
    const { id, code } = await tenant.createProduct({ code: 'the-tide' })
    const byCode = await tenant.guest.catalog.product({ id: code })
    expect(byCode).toMatchObject({ id, code: 'the-tide', options: [{ price: { amount: 1200, currency: 'USD' } }] })
    expect((await tenant.guest.catalog.product({ id })).code).toBe(code)
  })

  test('a hidden or draft product answers 404, and an ended one 410', async () => {
    const tenant = await createTenant(api)
    for (const status of ['DRAFT', 'HIDDEN'] as const) {
      const { id } = await tenant.createProduct({ status })
      expect(await failureOf(tenant.guest.catalog.product({ id }))).toMatchObject({ status: 404 })
    }
    const { id } = await tenant.createProduct({ status: 'ENDED' })
    expect(await failureOf(tenant.guest.catalog.product({ id }))).toMatchObject({ status: 410, code: 'GONE' })
  })

  test('the wish list counts the titles that it shows', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const [shown, hidden, other] = await tenant.createProducts([
      { title: 'Shown' },
      { title: 'Hidden' },
      { title: 'Other' },
    ])
    for (const { id } of [other!, hidden!, shown!]) {
      await member.client.engagement.like({ id, liked: true })
      api.clock.advance(1000)
    }
    await tenant.within((db) => db.update(products).set({ status: 'HIDDEN' }).where(eq(products.id, hidden!.id)))
    const { liked } = member.client.engagement
    expect(await liked({ size: 1 })).toMatchObject({ items: [{ id: shown!.id }], total: 2 })
    expect(await liked({ size: 1, page: 2 })).toMatchObject({ items: [{ id: other!.id }], total: 2 })
  })

  test('a hidden product is available to its buyers only and a draft to no member, on every route', async () => {
    const tenant = await createTenant(api)
    const [buyer, other] = [await tenant.createMember(), await tenant.createMember()]
    const product = await tenant.createProduct()
    await buy(api, tenant, buyer, product)
    const { id: commentId } = await buyer.client.engagement.addComment({ id: product.id, body: 'Mine for ever' })
    const { id } = product
    for (const { client } of [buyer, other]) {
      await client.engagement.like({ id, liked: true })
      await client.engagement.view({ id })
    }
    const listed = async ({ catalog, engagement }: Client) => [
      ...(await engagement.liked({})).items.map((card) => card.id),
      ...(await catalog.viewed({})).items.map((card) => card.id),
      ...(await catalog.viewerStates({ productIds: [id] })).items.map((state) => state.productId),
    ]
    const reads: Record<string, (client: Client) => Promise<unknown>> = {
      product: ({ catalog }) => catalog.product({ id }),
      attachments: ({ catalog }) => catalog.attachments({ id }),
      comments: ({ engagement }) => engagement.comments({ id }),
      replies: ({ engagement }) => engagement.replies({ id, commentId }),
      'a comment': ({ engagement }) => engagement.addComment({ id, body: 'Hello' }),
      like: ({ engagement }) => engagement.like({ id, liked: true }),
      view: ({ engagement }) => engagement.view({ id }),
    }
    const statusesOf = async (client: Client) => {
      const statuses = Object.entries(reads).map(async ([name, read]) => [
        name,
        await read(client).then(
          () => 200,
          (error: { status: number }) => error.status,
        ),
      ])
      return Object.fromEntries(await Promise.all(statuses))
    }
    const allWith = (status: number) => Object.fromEntries(Object.keys(reads).map((name) => [name, status]))
    const setStatus = (status: 'HIDDEN' | 'DRAFT') =>
      tenant.within((db) => db.update(products).set({ status }).where(eq(products.id, id)))

    await setStatus('HIDDEN')
    expect(await statusesOf(other.client)).toEqual(allWith(404))
    expect(await listed(other.client)).toEqual([])
    expect(await listed(buyer.client)).toEqual([id, id, id])
    expect(await failureOf(tenant.guest.engagement.comments({ id }))).toMatchObject({ status: 404 })
    expect(await failureOf(tenant.guest.catalog.productOptions({ id }))).toMatchObject({ status: 404 })
    expect(await statusesOf(buyer.client)).toEqual(allWith(200))
    expect((await buyer.client.catalog.product({ id: product.code })).options).toEqual([])
    await setStatus('DRAFT')
    expect(await statusesOf(buyer.client)).toEqual(allWith(404))
  })

  test('the product viewed last is first among the viewed products', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const [first, second] = [
      await tenant.createProduct({ title: 'First' }),
      await tenant.createProduct({ title: 'Second' }),
    ]
    for (const { id } of [first, second, first]) await member.client.catalog.product({ id })
    expect(titles(await member.client.catalog.viewed({}))).toEqual(['First', 'Second'])
    expect(titles(await member.client.catalog.viewed({ exposureLimit: 1 }))).toEqual(['First'])
    const other = await tenant.createMember()
    expect((await other.client.catalog.viewed({})).items).toEqual([])
    expect((await tenant.guest.catalog.viewed({})).items).toEqual([])
  })

  test('a product read in advance is counted when a member or guest reports the view', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const { id } = await tenant.createProduct()
    await member.client.catalog.product({ id, view: false })
    expect((await member.client.catalog.viewed({})).items).toEqual([])
    await member.client.engagement.view({ id })
    await tenant.guest.engagement.view({ id })
    expect((await member.client.catalog.viewed({})).items.map((card) => card.id)).toEqual([id])
    await withTenant(api.deps.pool, tenant.id, (db) => rollUpEvents(db, tenant.id, 100))
    expect((await tenant.guest.catalog.product({ id, view: false })).countOfViews).toBe(2)
    const hidden = await tenant.createProduct({ status: 'HIDDEN' })
    expect(await failureOf(tenant.guest.engagement.view({ id: hidden.id }))).toMatchObject({ status: 404 })
  })

  test('the viewer state of a product is the same in its card and in a request of its own', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const [liked, other] = [await tenant.createProduct(), await tenant.createProduct({ access: 'MEMBER' })]
    await member.client.engagement.like({ id: liked.id, liked: true })
    const productIds = [liked.id, other.id, newId<ProductId>()]
    const { items } = await member.client.catalog.viewerStates({ productIds })
    const cards = (await member.client.catalog.search({})).items
    expect(items.map(({ productId, ...state }) => [productId, state]).sort()).toEqual(
      cards.map(({ id, viewer }) => [id, viewer]).sort(),
    )
    expect(items.find(({ productId }) => productId === liked.id)?.liked).toBe(true)
    expect((await tenant.guest.catalog.viewerStates({ productIds })).items).toEqual([])
    expect((await member.client.catalog.viewerStates({ productIds, marked: true })).items).toEqual([])
    await tenant.within((db) =>
      db.insert(entitlements).values({
        customerId: tenant.id,
        id: newId<EntitlementId>(),
        memberId: member.id,
        productId: liked.id,
        source: 'OWN',
        createdAt: api.clock.now().toISOString(),
      }),
    )
    const marked = await member.client.catalog.viewerStates({ productIds, marked: true })
    expect(marked.items).toMatchObject([{ productId: liked.id, liked: true, entitled: true, source: 'OWN' }])
  })

  test('a product states whether the viewer is entitled and by which source', async () => {
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    const viewerOf = async (access: 'FREE' | 'MEMBER' | 'PURCHASE') => {
      const { id } = await tenant.createProduct({ access })
      return (await member.client.catalog.product({ id })).viewer
    }
    expect(await viewerOf('FREE')).toMatchObject({ entitled: true, source: 'FREE' })
    expect(await viewerOf('MEMBER')).toMatchObject({ entitled: true, source: 'MEMBER' })
    expect(await viewerOf('PURCHASE')).toMatchObject({ entitled: false, source: null })
  })

  test('options are returned for one product and for several', async () => {
    const tenant = await createTenant(api)
    const [first, second] = [await tenant.createProduct(), await tenant.createProduct({ price: 300 })]
    expect((await tenant.guest.catalog.productOptions({ id: first.id })).items).toHaveLength(1)
    const both = await tenant.guest.catalog.options({ productIds: [first.id, second.id] })
    expect(both.items.map((option) => option.price.amount).sort((a, b) => a - b)).toEqual([300, 1200])
  })
})

test('related products share a category, are sorted by common tags, and are on sale', async () => {
  const tenant = await createTenant(api)
  const { id: here } = await tenant.createCategory('Here')
  const { id: elsewhere } = await tenant.createCategory('Elsewhere')
  const past = '2020-01-01T00:00:00.000Z'
  const future = '2090-01-01T00:00:00.000Z'
  const tags = ['sea', 'night', 'jazz']
  const subject = await tenant.createProduct({ title: 'Subject', categoryIds: [here], tags, sort: 9 })
  await createProducts(tenant, [
    { title: 'In front', categoryIds: [here], tags: [], sort: 8 },
    { title: 'One tag', categoryIds: [here], tags: ['sea'], sort: 1 },
    { title: 'Two tags', categoryIds: [here], tags: ['sea', 'night'], sort: 2 },
    { title: 'In both', categoryIds: [here, elsewhere], tags: [], sort: 7 },
    { title: 'Elsewhere', categoryIds: [elsewhere], tags, sort: 6 },
    { title: 'Hidden', categoryIds: [here], tags, status: 'HIDDEN' },
    { title: 'Over', categoryIds: [here], tags, saleTo: past },
    { title: 'Not yet', categoryIds: [here], tags, saleFrom: future },
  ])
  const { related } = await tenant.guest.catalog.product({ id: subject.id })
  expect(titles({ items: related })).toEqual(['Two tags', 'One tag', 'In front', 'In both'])
})

test('a request that began before a change does not restore the old product index', async () => {
  const tenant = await createTenant(api)
  const { productIndexes } = api.deps
  const newer = await productIndexes.of({ id: tenant.id, version: 9 })
  await tenant.createProduct()
  await productIndexes.of({ id: tenant.id, version: 8 })
  expect(await productIndexes.of({ id: tenant.id, version: 9 })).toBe(newer)
  const [late, first] = await Promise.all([8, 10].map((version) => productIndexes.of({ id: tenant.id, version })))
  expect([late?.size, first?.size]).toEqual([0, 1])
  expect(await productIndexes.of({ id: tenant.id, version: 10 })).toBe(first)
})

test('product indexes in use are built again after each change', async () => {
  const { deps } = api
  const [tenant, unused] = [await createTenant(api), await createTenant(api)]
  await using _warming = warmProductIndexes(deps)
  await tenant.guest.catalog.search({})
  const version = async () => (await openCustomers(deps.pool, [tenant.id]))[0]!.version
  const isCurrent = async () => (deps.productIndexes.versionOf(tenant.id) ?? -1) >= (await version())
  expect(await isCurrent()).toBe(true)
  await tenant.createProduct()
  expect(await isCurrent()).toBe(false)
  await expect.poll(isCurrent, { timeout: 10_000 }).toBe(true)
  expect(deps.productIndexes.versionOf(unused.id)).toBe(null)
})

test('a store whose node is away stops no other, and the beginning of a sale meanwhile is seen once it is back', async () => {
  const { deps, clock } = api
  const [away, near] = [await createTenant(api), await createTenant(api)]
  const inTenMinutes = new Date(clock.now().getTime() + 600_000).toISOString()
  for (const tenant of [away, near]) await tenant.createProduct({ saleFrom: inTenMinutes })
  const isListed = async ({ guest }: Tenant) => (await guest.catalog.search({})).total === 1
  for (const tenant of [away, near]) expect(await isListed(tenant)).toBe(false)

  // What a cluster answers while the node of one store is away.
  const originalQuery = deps.pool.query.bind(deps.pool)
  const query = vi.spyOn(deps.pool, 'query').mockImplementation((async (statement: pg.QueryConfig) => {
    if (statement.name === 'open-customers' && JSON.stringify(statement.values).includes(away.id))
      throw new DatabaseUnavailable(new Error('could not connect to any active placements'))
    return originalQuery(statement)
    // The type declares only the form with a callback.
  }) as never)
  await using _warming = warmProductIndexes(deps)
  clock.advance(700_000)
  await expect.poll(() => isListed(near), { timeout: 10_000 }).toBe(true)
  const versionOf = async ({ id }: Tenant) =>
    (await deps.pool.query({ text: 'SELECT version FROM customers WHERE customer_id = $1', values: [id] })).rows[0]
      .version
  const before = await versionOf(away)
  await near.createProduct()
  await expect.poll(() => isListed(near), { timeout: 10_000 }).toBe(false)

  query.mockRestore()
  await expect.poll(() => versionOf(away), { timeout: 10_000 }).toBeGreaterThan(before)
  expect(await isListed(away)).toBe(true)
})

describe('Categories', () => {
  test('categories are a flat list with parent and level', async () => {
    const tenant = await createTenant(api)
    const films = await tenant.createCategory('Films')
    const drama = await tenant.createCategory('Drama', films)
    const { items } = await tenant.guest.catalog.categories()
    expect(items.map(({ id, parentId, level }) => [id, parentId, level])).toEqual([
      [films.id, null, 1],
      [drama.id, films.id, 2],
    ])
  })
})
