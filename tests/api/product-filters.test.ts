import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { lessons, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import { customerBase } from '#contract/http.ts'
import { bulkJobId, type LessonId, productCode, type VideoId } from '#contract/ids.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let staff: TestStaff
let drama: Awaited<ReturnType<Tenant['createCategory']>>
let short: typeof drama

const at = (day: number) => `2026-11-0${day}T00:00:00.000Z`
const secondAt = (second: number) => new Date(Date.parse(at(1)) + second * 1000).toISOString()

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('CATALOG')
  drama = await tenant.createCategory('Drama')
  short = await tenant.createCategory('Short', drama)
  await tenant.createProducts([
    {
      code: 'tide',
      title: 'Tide',
      tags: ['sea', "o'clock"],
      price: 900,
      categoryIds: [drama.id, short.id],
      createdAt: at(1),
    },
    { code: 'ebb', title: 'ebb', tags: ['sea'], kind: 'PAY', price: 500, categoryIds: [drama.id], createdAt: at(2) },
    { code: 'bare', title: 'Bare', price: null, file: false, createdAt: at(3) },
    { code: 'open', title: 'Open', kind: 'FREE', access: 'MEMBER', price: null, description: 'Text', createdAt: at(4) },
  ])
})

type Query = Parameters<TestStaff['client']['admin']['products']['list']>[0]
const found = async (query: Query) => (await staff.client.admin.products.list(query)).items.map(({ code }) => code)

test('products are filtered by kind, category, tag and words, also by several at once', async () => {
  expect(await found({ kind: 'PAY' })).toEqual(['ebb'])
  expect(await found({ categoryId: drama.id })).toEqual(['ebb', 'tide'])
  expect(await found({ categoryId: short.id })).toEqual(['tide'])
  expect(await found({ tag: 'sea' })).toEqual(['ebb', 'tide'])
  expect(await found({ tag: 'se' })).toEqual([])
  expect(await found({ tag: "o'clock" })).toEqual(['tide'])
  expect(await found({ tag: "x' | 'sea" })).toEqual([])
  expect(await found({ tag: 'sea', categoryId: short.id })).toEqual(['tide'])
  expect(await found({ tag: 'sea', q: 'EB' })).toEqual(['ebb'])
  expect(await found({ kind: 'VOD', q: 'ebb' })).toEqual([])
  expect(await found({ kind: 'VOD', state: 'DRAFT' })).toEqual([])
  const refused = await failureOf(staff.client.admin.products.list({ tag: ' ' }))
  expect(Object.keys(refused.problem.errors)).toEqual(['tag'])
})

test('products are filtered by what they lack, until they have it', async () => {
  expect(await found({ lacks: 'PRICE' })).toEqual(['bare'])
  expect(await found({ lacks: 'CATEGORY' })).toEqual(['open', 'bare'])
  expect(await found({ lacks: 'DESCRIPTION' })).toEqual(['bare', 'ebb', 'tide'])
  expect(await found({ lacks: 'CONTENT' })).toEqual(['bare'])
  expect(await found({ lacks: 'POSTER' })).toEqual([])
  const { code } = await staff.client.admin.products.create({ code: 'plain' as never, title: 'Plain', kind: 'VOD' })
  expect(await found({ lacks: 'POSTER' })).toEqual(['plain'])
  expect(await found({ lacks: 'CONTENT' })).toEqual(['plain', 'bare'])
  await tenant.within(async (db) => {
    const [video] = await db
      .insert(videos)
      .values({ customerId: tenant.id, id: newId<VideoId>(), asset: 'none', durationSeconds: 1 })
      .returning()
    const [product] = await db.select().from(products).where(eq(products.code, code))
    const lesson = { customerId: tenant.id, id: newId<LessonId>(), productId: product!.id, sort: 1, title: 'One' }
    await db.insert(lessons).values({ ...lesson, videoId: video!.id })
  })
  expect(await found({ lacks: 'CONTENT' })).toEqual(['bare'])
  const { version } = await staff.client.admin.products.get({ code })
  await staff.withVersion(version).admin.products.delete({ code })
})

test('a product with more tags and categories than an index takes is found as well', async () => {
  const store = await createTenant(api)
  const { client } = await store.createStaff('CATALOG')
  const category = await store.createCategory('Drama')
  const tags = Array.from({ length: 50 }, (_, place) => `${'가'.repeat(50)}-${place}`)
  await store.createProducts([{ code: 'many', tags, categoryIds: [category.id] }, { code: 'few' }])
  for (const query of [{ tag: tags[49] }, { categoryId: category.id }, { tag: tags[0], categoryId: category.id }])
    expect((await client.admin.products.list(query)).items.map(({ code }) => code)).toEqual(['many'])
  expect((await client.admin.products.list({ tag: 'none' })).items).toEqual([])
})

test.each([
  ['NEWEST', ['open', 'bare', 'ebb', 'tide']],
  ['OLDEST', ['tide', 'ebb', 'bare', 'open']],
  ['TITLE', ['bare', 'ebb', 'open', 'tide']],
] as const)('products in the order %s are read page by page', async (sort, expected) => {
  const codes: string[] = []
  let cursor: string | undefined
  do {
    const page = await staff.client.admin.products.list({ sort, size: 1, ...(cursor && { cursor }) })
    codes.push(...page.items.map(({ code }) => code))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(codes).toEqual(expected)
  expect(await found({ sort, tag: 'sea' })).toEqual(expected.filter((code) => code === 'ebb' || code === 'tide'))
})

test.each(['PRICE_LOW', 'PRICE_HIGH'] as const)('products in the order %s end with those without one', async (sort) => {
  const codes: string[] = []
  let cursor: string | undefined
  do {
    const page = await staff.client.admin.products.list({ sort, size: 1, ...(cursor && { cursor }) })
    codes.push(...page.items.map(({ code }) => code))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(codes.slice(0, 2)).toEqual(sort === 'PRICE_LOW' ? ['ebb', 'tide'] : ['tide', 'ebb'])
  expect(codes.slice(2).toSorted()).toEqual(['bare', 'open'])
  const { nextCursor } = await staff.client.admin.products.list({ size: 1 })
  const refused = await failureOf(staff.client.admin.products.list({ sort, cursor: nextCursor! }))
  expect(Object.keys(refused.problem.errors)).toEqual(['cursor'])
})

test.each([
  ['TITLE', ['a', 'b', 'c', 'd']],
  ['PRICE_LOW', ['a', 'b', 'c', 'd']],
  ['PRICE_HIGH', ['d', 'c', 'b', 'a']],
] as const)(
  'a page in the order %s begins where the one before ended, whatever became of its last',
  async (sort, all) => {
    const store = await createTenant(api)
    const person = await store.createStaff('OWNER')
    const { products: list } = person.client.admin
    await store.createProducts(
      ['a', 'b', 'c', 'd'].map((code, at) => ({ code, title: `${code.toUpperCase()} ~ film`, price: 100 * (at + 1) })),
    )
    const codesOf = async (cursor: string | null) =>
      (await list.list({ sort, ...(cursor && { cursor }) })).items.map(({ code }) => code)
    const first = await list.list({ sort, size: 2 })
    const last = first.items[1]!.code
    const change = { title: 'Zebra', priceAmount: 999, status: 'DRAFT' as const }
    await store.within((db) => db.update(products).set(change).where(eq(products.code, last)))
    const renamed = await codesOf(first.nextCursor)
    expect(renamed.filter((code) => code !== last)).toEqual(all.slice(2))
    const { version } = await list.get({ code: last })
    await person.withVersion(version).admin.products.delete({ code: last })
    expect(await codesOf(first.nextCursor)).toEqual(all.slice(2))
  },
)

test('the cursor of the order by title takes every letter of a title, and none of another order', async () => {
  const store = await createTenant(api)
  const { products: list } = (await store.createStaff('OWNER')).client.admin
  const titles = ['~~ 가나다 ~', `${'é'.repeat(99)}🎬 end`, "%' \\ --"]
  await store.createProducts(titles.map((title, at) => ({ code: `p-${at}`, title })))
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list.list>> = await list.list({
      sort: 'TITLE',
      size: 1,
      ...(cursor && { cursor }),
    })
    seen.push(...page.items.map(({ title }) => title))
    cursor = page.nextCursor
  } while (cursor)
  expect(seen.toSorted()).toEqual(titles.toSorted())
  const { nextCursor } = await list.list({ sort: 'TITLE', size: 1 })
  for (const sort of ['NEWEST', 'PRICE_LOW'] as const)
    expect((await failureOf(list.list({ sort, cursor: nextCursor! }))).status).toBe(422)
})

test.each(['NEWEST', 'OLDEST', 'TITLE', 'PRICE_LOW', 'PRICE_HIGH'] as const)(
  'a page in the order %s is full wherever those that a filter leaves stand in it',
  async (sort) => {
    const store = await createTenant(api)
    const { products: list } = (await store.createStaff('CATALOG')).client.admin
    // A page of one looks at 120 products in their order, where it may not find enough.
    const rows = Array.from({ length: 130 }, (_, at) => {
      const isLast = at === 126 || at === 128
      const code = `p-${String(at).padStart(3, '0')}`
      const price = at % 50 === 7 ? null : 100 * (at % 40)
      return { code, price, title: `Film ${code}`, tags: at < 3 || isLast ? ['rare'] : [], createdAt: secondAt(at) }
    })
    await store.createProducts(rows)
    await store.within((db) =>
      db
        .update(products)
        .set({ status: 'HIDDEN' })
        .where(eq(products.code, productCode.parse('p-001'))),
    )
    const read = async (query: Query) => {
      const codes: string[] = []
      let cursor: string | undefined
      do {
        const page = await list.list({ ...query, sort, ...(cursor && { cursor }) })
        codes.push(...page.items.map(({ code }) => code))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return codes
    }
    const all = await read({ size: 200 })
    expect(all).toHaveLength(130)
    const that = (fits: (at: number) => boolean) => all.filter((code) => fits(Number(code.slice(2))))
    const isRare = (at: number) => at < 3 || at === 126 || at === 128
    for (const size of [1, 2, 200]) {
      expect(await read({ tag: 'rare', size })).toEqual(that(isRare))
      expect(await read({ tag: 'rare', q: 'P-12', size })).toEqual(that((at) => at === 126 || at === 128))
      expect(await read({ state: 'HIDDEN', size })).toEqual(['p-001'])
      expect(await read({ state: 'ON_SALE', tag: 'rare', size })).toEqual(that((at) => isRare(at) && at !== 1))
      expect(await read({ q: 'film p-00', size })).toEqual(that((at) => at < 10))
      expect(await read({ lacks: 'PRICE', size })).toEqual(that((at) => at % 50 === 7))
      expect(await read({ kind: 'PAY', size })).toEqual([])
    }
  },
)

test('the list is exported as it is shown, and the audit log names the export', async () => {
  const download = async (query: string) => {
    const request = new Request(`${api.origin}${customerBase(tenant.code)}/admin/product-list.csv?${query}`, {
      headers: { authorization: `Bearer ${staff.token}` },
    })
    return (await api.fetch(request)).text()
  }
  expect(await download('sort=TITLE&tag=sea&columns=title,price')).toBe(
    'title,price,currency\r\nebb,5.00,USD\r\nTide,9.00,USD\r\n',
  )
  const lines = (await download('')).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^title,code,kind,status,status name,has content,sale from/)
  expect(lines.map((line) => line.split(',')[1])).toEqual(['code', 'open', 'bare', 'ebb', 'tide'])
  expect(lines[2]).toMatch(/^Bare,bare,VOD,ON_SALE,On sale,no,,,PURCHASE,,,/)
  const { client } = await tenant.createStaff('OWNER')
  const { items } = await client.admin.audit({ action: 'product-list.exported' })
  expect(items[1]).toMatchObject({
    detail: { rows: 2, filters: { sort: 'TITLE', tag: 'sea', columns: 'title,price' } },
  })
})

test('a change of all that fit the filters is about the filtered products alone', async () => {
  const filters = { categoryId: drama.id, kind: 'VOD' as const }
  const { admin } = staff.client
  expect(await admin.bulk.count({ kind: 'PRODUCTS', filters })).toEqual({ count: 1 })
  expect(await admin.products.previewMany({ filters })).toMatchObject({ products: 1 })
  const id = bulkJobId.parse(crypto.randomUUID())
  const job = await admin.bulk.start({ id, kind: 'PRODUCTS', filters, change: { addTags: ['new'] } })
  expect(job.total).toBe(1)
})
