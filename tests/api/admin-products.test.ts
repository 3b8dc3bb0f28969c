import { beforeAll, expect, test } from 'vitest'
import { warmProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { productCode } from '#contract/ids.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let staff: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  staff = await tenant.createStaff('CATALOG')
})

/** A client that sends the version which it saw. */
const withVersion = (version: string) => staff.withVersion(version).admin.products

const draft = (name: string) =>
  staff.client.admin.products.create({ code: productCode.parse(name), title: `Film ${name}`, kind: 'VOD' })

test('a draft is created once a code, and listed by title, code and status', async () => {
  const product = await draft('first-film')
  expect(product).toMatchObject({ status: 'DRAFT', access: 'PURCHASE', price: null, ready: false, options: [] })
  expect(product.poster).toMatch(/^\/media\/posters\//)
  expect(product.history).toMatchObject([{ actor: `staff:${staff.email}`, action: 'product.created' }])
  expect(await failureOf(draft('first-film'))).toMatchObject({
    status: 409,
    code: 'CONFLICT',
    problem: { errors: { code: ['Another product has this code.'] } },
  })
  const { products } = staff.client.admin
  expect((await products.posters({ code: product.code })).items).toEqual([])
  for (const filter of [{ q: 'FIRST' }, { q: 'film first' }, { state: 'DRAFT' as const }])
    expect((await products.list(filter)).items.map(({ code }) => code)).toEqual(['first-film'])
  expect((await products.list({ q: 'ilm-' })).items).toEqual([])
})

test('products are listed in pages that miss and repeat none, also where many have the same time', async () => {
  const store = await createTenant(api)
  const { client } = await store.createStaff('ANALYST')
  const codes = Array.from({ length: 9 }, (_, at) => `p-${at}`)
  await store.createProducts(codes.map((code) => ({ code, createdAt: '2026-11-01T00:00:00.000Z' })))
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.admin.products.list({ size: 4, ...(cursor && { cursor }) })
    found.push(...page.items.map(({ code }) => code))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(found.toSorted()).toEqual(codes)
})

test('a changed product is sold at its new price, and its history has the values before and after', async () => {
  const drama = await tenant.createCategory('Drama')
  const short = await tenant.createCategory('Short', drama)
  const { code } = await tenant.createProduct({ code: 'tide', title: 'Tide', price: 900, status: 'DRAFT' })
  const before = await staff.client.admin.products.get({ code })
  const [option] = before.options
  const after = await withVersion(before.version).change({
    code,
    title: 'A quiet tide',
    status: 'ON_SALE',
    categoryIds: [short.id],
    tags: ['sea'],
    options: [
      { ...option!, price: 1200 },
      { name: 'Two days', type: 'RENT', days: 2, price: 400, onSale: true },
    ],
  })
  expect(after).toMatchObject({
    title: 'A quiet tide',
    // Operators see the deepest category alone.
    categoryIds: [short.id],
    price: { amount: 400 },
    options: [
      { id: option!.id, price: { amount: 1200 }, days: null },
      { name: 'Two days', type: 'RENT', days: 2, onSale: true },
    ],
  })
  const { items } = await tenant.guest.catalog.search({ category: drama.id })
  expect(items.map(({ title, price }) => [title, price?.amount])).toEqual([['A quiet tide', 400]])
  const [entry] = after.history
  expect(entry).toMatchObject({
    action: 'product.changed',
    changes: {
      title: { from: 'Tide', to: 'A quiet tide' },
      status: { from: 'DRAFT', to: 'ON_SALE' },
      'options.Two days': { from: null, to: { price: { amount: 400 } } },
    },
  })
  expect(Object.keys(entry!.changes)).not.toContain('kind')

  // Off sale is not deleted: orders refer to it.
  const closed = await withVersion(after.version).change({
    code,
    options: after.options.map(({ price, ...each }) => ({ ...each, price: price.amount, onSale: each.type === 'OWN' })),
  })
  expect(closed.price?.amount).toBe(1200)
  expect(closed.options).toHaveLength(2)
})

test('of two people who change a product at once, the second is told what the first one changed', async () => {
  const { code, version } = await draft('two-people')
  const change = (title: string) => withVersion(version).change({ code, title })
  const answers = await Promise.allSettled([change('One'), change('Two')])
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused).toHaveLength(1)
  expect(await failureOf(Promise.reject(refused[0]))).toMatchObject({
    status: 412,
    code: 'VERSION_CONFLICT',
    problem: { data: { changes: [{ action: 'product.changed' }, { action: 'product.created' }] } },
  })
  expect(await failureOf(staff.client.admin.products.change({ code, title: 'Three' }))).toMatchObject({ status: 400 })
})

test('what does not fit is refused by field, and nothing is changed', async () => {
  const { code, version } = await draft('refused')
  const other = await createTenant(api)
  const foreign = await other.createCategory('Foreign')
  const refused = await failureOf(
    withVersion(version).change({
      code,
      kind: 'FREE',
      access: 'PURCHASE',
      categoryIds: [foreign.id],
      saleFrom: '2026-12-02T00:00:00.000Z',
      saleTo: '2026-12-01T00:00:00.000Z',
      options: [{ name: 'Rental', type: 'RENT', days: null, price: 100, onSale: true }],
    }),
  )
  expect(refused).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
  expect(Object.keys(refused.problem.errors).toSorted()).toEqual(['access', 'categoryIds', 'options.0.days', 'saleTo'])
  expect((await staff.client.admin.products.get({ code })).version).toBe(version)
})

test('a translated product is found and shown in the language, and one text is removed', async () => {
  const { code } = await tenant.createProduct({ code: 'translated', title: 'Quiet harbour' })
  const product = productCode.parse(code)
  const { version } = await staff.client.admin.products.get({ code: product })
  const translated = await withVersion(version).change({
    code: product,
    translations: { ko: { title: '고요한 항구', summary: '바다 이야기' } },
  })
  expect(translated).toMatchObject({ title: 'Quiet harbour', translations: { ko: { title: '고요한 항구' } } })
  expect(translated.history[0]?.changes).toHaveProperty('translations')
  const korean = api.client(tenant.code, { headers: { 'accept-language': 'ko' } })
  expect((await korean.catalog.search({ q: '항구' })).items).toMatchObject([{ code, title: '고요한 항구' }])
  const shorter = await withVersion(translated.version).change({ code: product, translations: { ko: { summary: '' } } })
  expect(shorter.translations).toEqual({ ko: { title: '고요한 항구' } })
  const own = withVersion(shorter.version).change({ code: product, translations: { en: { title: 'Own' } } })
  expect(Object.keys((await failureOf(own)).problem.errors)).toEqual(['translations'])
})

test('a scheduled product is seen by nobody before its sale begins, and sold from that minute until it ends', async () => {
  await using _warming = warmProductIndexes(api.deps)
  const store = await createTenant(api)
  const { client, withVersion: at } = await store.createStaff('CATALOG')
  const product = await store.createProduct({ access: 'PURCHASE' })
  const { version } = await client.admin.products.get({ code: product.code })
  const inMinutes = (minutes: number) => new Date(api.clock.now().getTime() + minutes * 60_000).toISOString()
  const period = { saleFrom: inMinutes(10), saleTo: inMinutes(20) }
  const { version: planned } = await at(version).admin.products.change({ code: product.code, ...period })
  const stateNow = async () => {
    const { state } = await client.admin.products.get({ code: product.code })
    const [row] = (await client.admin.products.list({ state })).items
    expect(row).toMatchObject({ code: product.code, state, ...period })
    return state
  }
  const buy = () => store.guest.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  const isListed = async () => (await store.guest.catalog.search({})).total === 1
  const lookUp = () => store.guest.catalog.product({ id: product.code, view: false })

  expect(await stateNow()).toBe('SCHEDULED')
  expect(await isListed()).toBe(false)
  for (const attempt of [lookUp, buy, () => store.guest.catalog.productOptions({ id: product.id })])
    expect((await failureOf(attempt())).code).toBe('NOT_FOUND')

  api.clock.advance(10 * 60_000)
  expect(await stateNow()).toBe('ON_SALE')
  expect((await lookUp()).options).toHaveLength(1)
  // Lists are cached for a time. The beginning of the sale ends that.
  await expect.poll(isListed, { timeout: 10_000 }).toBe(true)
  await buy()

  api.clock.advance(10 * 60_000)
  expect(await stateNow()).toBe('ENDED')
  expect((await failureOf(lookUp())).code).toBe('GONE')
  expect((await failureOf(buy())).code).toBe('GONE')
  await expect.poll(isListed, { timeout: 10_000 }).toBe(false)
  await at(planned).admin.products.change({ code: product.code, saleTo: null })
  expect((await lookUp()).code).toBe(product.code)
})
