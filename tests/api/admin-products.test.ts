import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { lessons, type products, videos } from '#api/modules/catalog/catalog.schema.ts'
import { warmProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { StoreProduct } from '#contract/admin/products.ts'
import { productStatus, saleState } from '#contract/enumerations.ts'
import { type LessonId, productCode, type VideoId } from '#contract/ids.ts'
import { sweepTenant } from '#tests/support/background-tasks.ts'
import { plainSettings } from '#tests/support/settings.ts'
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

/** An option as staff send it back, with the amounts of its prices. */
const asInput = ({ price, listPrice, priceChanges: _, ...option }: StoreProduct['options'][number]) => ({
  ...option,
  price: price.amount,
  listPrice: listPrice?.amount ?? null,
})

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

test('products are found by a part of a title in each language of the store, with each filter', async () => {
  const settings = plainSettings()
  settings.base.locales = ['en', 'ko', 'ja']
  const store = await createTenant(api, { settings })
  const { client, withVersion } = await store.createStaff('CATALOG')
  const long = `${'A very long title '.repeat(16)}ends`
  const [tide, other] = await store.createProducts([{ title: 'Quiet tide' }, { title: long, status: 'DRAFT' }])
  const { products } = client.admin
  const { version } = await products.get({ code: tide!.code })
  const translations = { ko: { title: '고요한 밀물' }, ja: { title: '静かな"潮"', summary: '海辺の話' } }
  const changed = await withVersion(version).admin.products.change({ code: tide!.code, translations })
  const found = async (q: string, filter: Parameters<typeof products.list>[0] = {}) =>
    (await products.list({ q, ...filter })).items.map(({ title }) => title)
  for (const q of ['IET TI', '요한 밀', 'かな"潮', '潮"']) expect([q, await found(q)]).toEqual([q, ['Quiet tide']])
  expect(await found('ends')).toEqual([long])
  expect(await found('海辺')).toEqual([])
  expect(await found('밀물', { state: 'ON_SALE' })).toEqual(['Quiet tide'])
  expect(await found('밀물', { state: 'DRAFT' })).toEqual([])
  expect(await found('밀물', { codes: [other!.code] })).toEqual([])
  await withVersion(changed.version).admin.products.change({
    code: tide!.code,
    translations: { ko: { title: '다른 이름' } },
  })
  expect(await found('밀물')).toEqual([])
  expect(await found('다른')).toEqual(['Quiet tide'])
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
      { ...asInput(option!), price: 1200 },
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
      'options.Two days.price': { from: null, to: { amount: 400 } },
    },
  })
  expect(Object.keys(entry!.changes)).not.toContain('kind')

  // Off sale is not deleted: orders refer to it.
  const closed = await withVersion(after.version).change({
    code,
    options: after.options.map((each) => ({ ...asInput(each), onSale: each.type === 'OWN' })),
  })
  expect(closed.price?.amount).toBe(1200)
  expect(closed.options).toHaveLength(2)
})

test('scheduled prices are applied in their time, to lists, cart and page, and said in the history', async () => {
  const { code, id } = await tenant.createProduct({ code: 'autumn-sale', title: 'Autumn harbour', price: 1000 })
  const member = await tenant.createMember()
  const before = await staff.client.admin.products.get({ code })
  const option = asInput(before.options[0]!)
  await member.client.orders.addToCart({ productId: id, optionId: option.id, quantity: 1 })
  const inMinutes = (minutes: number) => new Date(api.clock.now().getTime() + minutes * 60_000).toISOString()
  const priceChanges = [
    { at: inMinutes(60), price: 1000, listPrice: null },
    { at: inMinutes(30), price: 700, listPrice: 1000 },
  ]
  const scheduled = await withVersion(before.version).change({ code, options: [{ ...option, priceChanges }] })
  expect(scheduled.options[0]?.priceChanges.map(({ price }) => price.amount)).toEqual([700, 1000])
  const shown = async () => {
    const [{ items }, [card], cart] = [
      await tenant.guest.catalog.productOptions({ id }),
      (await tenant.guest.catalog.search({ q: 'autumn harbour' })).items.filter((each) => each.id === id),
      await member.client.orders.cart(),
    ]
    return [items[0]?.price.amount, items[0]?.listPrice?.amount, card?.price?.amount, cart.total.amount]
  }
  const pass = async (minutes: number) => {
    api.clock.advance(minutes * 60_000)
    await sweepTenant(api, tenant)
    return shown()
  }
  expect(await pass(29)).toEqual([1000, undefined, 1000, 1000])
  expect(await pass(2)).toEqual([700, 1000, 700, 700])
  const reduced = await staff.client.admin.products.get({ code })
  expect(reduced.options[0]?.priceChanges).toHaveLength(1)
  expect(reduced.history[0]).toMatchObject({
    actor: 'rule',
    action: 'product.price-applied',
    changes: { [`options.${option.name}.price`]: { from: { amount: 1000 }, to: { amount: 700 } } },
  })
  // Who saw the old price is told that it has changed.
  expect(await failureOf(withVersion(scheduled.version).change({ code, title: 'Autumn' }))).toMatchObject({
    code: 'VERSION_CONFLICT',
  })
  // What is left out stays: the price after the sale.
  await withVersion(reduced.version).change({ code, options: [{ ...asInput(reduced.options[0]!), price: 650 }] })
  expect(await pass(30)).toEqual([1000, undefined, 1000, 1000])
  await sweepTenant(api, tenant)
  const { history } = await staff.client.admin.products.get({ code })
  expect(history.filter(({ action }) => action === 'product.price-applied')).toHaveLength(2)
})

test('of scheduled prices that a stopped service has missed, the last one is applied', async () => {
  const { code } = await tenant.createProduct({ code: 'missed-prices', price: 1000 })
  const { version, options } = await staff.client.admin.products.get({ code })
  const at = (minutes: number) => new Date(api.clock.now().getTime() + minutes * 60_000).toISOString()
  const priceChanges = [900, 800, 700].map((price, each) => ({ at: at(each + 1), price, listPrice: null }))
  await withVersion(version).change({ code, options: [{ ...asInput(options[0]!), priceChanges }] })
  api.clock.advance(2 * 60_000)
  await Promise.all([sweepTenant(api, tenant), sweepTenant(api, tenant)])
  const after = await staff.client.admin.products.get({ code })
  expect(after.price?.amount).toBe(800)
  expect(after.options[0]?.priceChanges.map(({ price }) => price.amount)).toEqual([700])
  expect(after.history.filter(({ action }) => action === 'product.price-applied')).toHaveLength(1)
})

test('a price before the discount below the price, and wrong times of prices, are refused by field', async () => {
  const { code } = await tenant.createProduct({ code: 'wrong-prices', price: 1000 })
  const { version, options } = await staff.client.admin.products.get({ code })
  const at = new Date(api.clock.now().getTime() + 60_000).toISOString()
  const refused = await failureOf(
    withVersion(version).change({
      code,
      options: [
        {
          ...asInput(options[0]!),
          listPrice: 900,
          priceChanges: [
            { at, price: 500, listPrice: 400 },
            { at, price: 600, listPrice: null },
            { at: '2020-01-01T00:00:00Z', price: 600, listPrice: null },
          ],
        },
      ],
    }),
  )
  expect(refused.problem.errors).toEqual({
    'options.0.listPrice': ['Enter a price before the discount that is not below the price.'],
    'options.0.priceChanges.0.listPrice': ['Enter a price before the discount that is not below the price.'],
    'options.0.priceChanges.1.at': ['Enter a different time for each price.'],
    'options.0.priceChanges.2.at': ['Enter a time in the future.'],
  })
  // A price above the one before the discount leaves no discount.
  const discounted = await withVersion(version).change({
    code,
    options: [{ ...asInput(options[0]!), listPrice: 1200 }],
  })
  const { listPrice: _, ...plain } = asInput(discounted.options[0]!)
  const above = withVersion(discounted.version).change({ code, options: [{ ...plain, price: 1300 }] })
  expect(Object.keys((await failureOf(above)).problem.errors)).toEqual(['options.0.listPrice'])
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

test('tags, the poster and the texts for search engines are translated, and tags keep theirs when they change', async () => {
  const { code } = await tenant.createProduct({ code: 'translated-all', title: 'Tide', tags: ['sea', 'night'] })
  const product = productCode.parse(code)
  const { version } = await staff.client.admin.products.get({ code: product })
  const ko = {
    tags: ['바다', '밤'],
    posterAlt: '밤바다의 등대',
    seoTitle: '밀물 보기',
    seoDescription: '밤바다 이야기를 보세요',
  }
  const translated = await withVersion(version).change({ code: product, translations: { ko } })
  expect(translated.translations).toEqual({ ko })
  expect(translated.history[0]?.changes.translations).toEqual({ from: {}, to: { ko } })
  const korean = api.client(tenant.code, { headers: { 'accept-language': 'ko' } })
  const shown = () => korean.catalog.product({ id: code })
  expect(await shown()).toMatchObject({
    tags: ['sea', 'night'],
    tagLabels: ['바다', '밤'],
    poster: { alt: '밤바다의 등대' },
    seo: { title: '밀물 보기', description: '밤바다 이야기를 보세요' },
  })

  const short = withVersion(translated.version).change({ code: product, translations: { ko: { tags: ['바다'] } } })
  expect((await failureOf(short)).problem.errors).toEqual({
    'translations.ko.tags': ['Translate each tag, in their order. Their number is 2.'],
  })
  const retagged = await withVersion(translated.version).change({ code: product, tags: ['night', 'harbour'] })
  expect(retagged.translations.ko?.tags).toEqual(['밤', 'harbour'])
  const both = await withVersion(retagged.version).change({
    code: product,
    tags: ['harbour'],
    translations: { ko: { tags: ['항구'], seoTitle: null } },
  })
  expect(both.translations.ko).toEqual({ tags: ['항구'], posterAlt: ko.posterAlt, seoDescription: ko.seoDescription })
  await withVersion(both.version).change({ code: product, translations: { ko: { tags: [] } } })
  expect(await shown()).not.toHaveProperty('tagLabels')
})

test('the list and the page of a product agree on its state, for each status and any period', async () => {
  const store = await createTenant(api)
  const { client } = await store.createStaff('CATALOG')
  const at = (minutes: number) => new Date(api.clock.now().getTime() + minutes * 60_000).toISOString()
  const starts = [null, at(-10), at(0), at(10)]
  const ends = [null, at(-5), at(0), at(5), at(15)]
  await store.createProducts(
    productStatus.options.flatMap((status) =>
      starts.flatMap((saleFrom) => ends.map((saleTo) => ({ status, saleFrom, saleTo }))),
    ),
  )
  const { items } = await client.admin.products.list({ size: 100 })
  expect(items).toHaveLength(productStatus.options.length * starts.length * ends.length)
  const pages = await Promise.all(items.map(({ code }) => client.admin.products.get({ code })))
  expect(items.map(({ code, state }) => ({ code, state }))).toEqual(pages.map(({ code, state }) => ({ code, state })))
  expect(new Set(items.map(({ state }) => state))).toEqual(new Set(saleState.options))
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
  await expect.poll(isListed, { timeout: 20_000 }).toBe(true)
  await buy()

  api.clock.advance(10 * 60_000)
  expect(await stateNow()).toBe('ENDED')
  expect((await failureOf(lookUp())).code).toBe('GONE')
  expect((await failureOf(buy())).code).toBe('GONE')
  await expect.poll(isListed, { timeout: 20_000 }).toBe(false)
  await at(planned).admin.products.change({ code: product.code, saleTo: null })
  expect((await lookUp()).code).toBe(product.code)
})

test('many products are changed at once, each with its result and its own history', async () => {
  const here = await tenant.createCategory('Bulk here')
  const gone = await tenant.createCategory('Bulk gone')
  await tenant.createProducts([
    { code: 'bulk-1', status: 'DRAFT', categoryIds: [gone.id] },
    { code: 'bulk-2', status: 'DRAFT', file: false },
    { code: 'bulk-3', status: 'ON_SALE', categoryIds: [here.id] },
  ])
  const codes = ['bulk-1', 'bulk-2', 'bulk-3', 'bulk-none'].map((code) => productCode.parse(code))
  const { items } = await staff.client.admin.products.changeMany({
    codes,
    status: 'ON_SALE',
    addCategoryIds: [here.id],
    removeCategoryIds: [gone.id],
  })
  const version = expect.any(String)
  expect(items).toEqual([
    {
      code: 'bulk-1',
      result: 'CHANGED',
      reason: null,
      before: { code: 'bulk-1', status: 'DRAFT', categoryIds: [gone.id], version },
    },
    { code: 'bulk-2', result: 'FAILED', reason: 'NOT_READY', before: null },
    { code: 'bulk-3', result: 'UNCHANGED', reason: null, before: null },
    { code: 'bulk-none', result: 'FAILED', reason: 'NOT_FOUND', before: null },
  ])
  const [one, two] = await Promise.all(codes.slice(0, 2).map((code) => staff.client.admin.products.get({ code })))
  expect(one).toMatchObject({ status: 'ON_SALE', categoryIds: [here.id], history: [{ action: 'product.changed' }] })
  expect(two).toMatchObject({ status: 'DRAFT', categoryIds: [], history: [] })
})

test('a change of many products is undone, but not of those that were changed since', async () => {
  await tenant.createProducts(['undo-1', 'undo-2'].map((code) => ({ code, status: 'ON_SALE' as const })))
  const codes = ['undo-1', 'undo-2'].map((code) => productCode.parse(code))
  const { products } = staff.client.admin
  const { items } = await products.changeMany({ codes, status: 'HIDDEN' })
  const [one, two] = items.map(({ before }) => before!)
  await withVersion(two!.version).change({ code: two!.code, title: 'Renamed meanwhile' })
  const restored = await products.restoreMany({ items: [one!, two!] })
  expect(restored.items.map(({ result, reason }) => [result, reason])).toEqual([
    ['CHANGED', null],
    ['FAILED', 'VERSION_CONFLICT'],
  ])
  const statuses = await Promise.all(codes.map(async (code) => (await products.get({ code })).status))
  expect(statuses).toEqual(['ON_SALE', 'HIDDEN'])
  // Undone once, it is not undone again.
  const again = await products.restoreMany({ items: [one!] })
  expect(again.items[0]).toMatchObject({ result: 'FAILED', reason: 'VERSION_CONFLICT' })
})

test('a preview link shows one product in any state, to be stored by nobody, until it expires', async () => {
  const store = await createTenant(api)
  const { client } = await store.createStaff('CATALOG')
  const [draft, other] = await store.createProducts([
    { status: 'DRAFT', code: 'draft' },
    { status: 'DRAFT', code: 'other' },
  ])
  const { url } = await client.admin.products.createPreview({ code: draft!.code })
  expect(new URL(url).pathname).toBe('/products/draft')
  const token = new URL(url).searchParams.get('preview') ?? ''
  const answers: Response[] = []
  const previewWith = (sent: string) =>
    api.client(store.code, { headers: { 'x-preview-token': sent }, onAnswer: (answer) => answers.push(answer) })
  const preview = previewWith(token)
  const lookUp = (seen = preview, { id } = draft!) => seen.catalog.product({ id, view: false })
  expect(await lookUp()).toMatchObject({ code: 'draft', preview: true, options: [{ name: 'For ever' }] })
  expect(answers.at(-1)?.headers.get('cache-control')).toBe('no-store')
  expect((await preview.engagement.comments({ id: draft!.id })).total).toBe(0)
  expect((await preview.catalog.attachments({ id: draft!.id })).items).toHaveLength(1)
  // It is not listed, not sold, and nothing is written about it.
  expect((await preview.catalog.search({})).total).toBe(0)
  const refused = [
    () => lookUp(preview, other),
    () => lookUp(store.guest),
    () => lookUp(previewWith(token.replace(draft!.id, other!.id)), other),
    () => preview.orders.addToCart({ productId: draft!.id, optionId: draft!.optionId! }),
    () => preview.engagement.view({ id: draft!.id }),
  ]
  for (const attempt of refused) expect((await failureOf(attempt())).code).toBe('NOT_FOUND')
  const { version } = await client.admin.products.get({ code: draft!.code })
  await (await store.createStaff('CATALOG')).withVersion(version).admin.products.change({
    code: draft!.code,
    status: 'ON_SALE',
  })
  expect(await lookUp()).not.toHaveProperty('preview')
  const { url: late } = await client.admin.products.createPreview({ code: other!.code })
  const expiring = previewWith(new URL(late).searchParams.get('preview') ?? '')
  expect(await lookUp(expiring, other)).toMatchObject({ preview: true })
  api.clock.advance(8 * dayMilliseconds)
  expect((await failureOf(lookUp(expiring, other))).code).toBe('NOT_FOUND')
})

test('lessons are added, ordered, translated and removed, and a file is stored, named and removed', async () => {
  const { code, id } = await tenant.createProduct({ code: 'course', kind: 'PAY', file: false, price: 500 })
  const { products } = staff.client.admin
  const empty = await products.parts({ code })
  expect(empty).toMatchObject({ lessons: [], attachments: [] })
  const lesson = (title: string) => ({ title, summary: '', free: false })
  const first = await withVersion(empty.version).changeParts({ code, lessons: [lesson('One'), lesson('Two')] })
  expect(first.lessons).toMatchObject([
    { title: 'One', durationSeconds: null },
    { title: 'Two', durationSeconds: null },
  ])
  // The second lesson gets a video, as an encoding does it.
  const [one, two] = first.lessons.map(({ durationSeconds: _, ...fields }) => fields)
  const videoId = newId<VideoId>()
  await tenant.within(async (db) => {
    await db.insert(videos).values({ customerId: tenant.id, id: videoId, asset: 'video/two', durationSeconds: 30 })
    await db.update(lessons).set({ videoId }).where(eq(lessons.id, two!.id))
  })
  const ordered = await withVersion(first.version).changeParts({
    code,
    lessons: [{ ...two!, free: true, translations: { ko: { title: '둘' } } }, one!],
  })
  expect(ordered.lessons.map(({ title, durationSeconds }) => [title, durationSeconds])).toEqual([
    ['Two', 30],
    ['One', null],
  ])
  const korean = api.client(tenant.code, { headers: { 'accept-language': 'ko' } })
  const seen = await korean.catalog.product({ id, view: false })
  expect(seen.lessons).toMatchObject([{ title: '둘', free: true, durationSeconds: 30 }])
  expect((await products.get({ code })).history[0]).toMatchObject({
    action: 'product.changed',
    changes: { 'lessons.Two': { from: { place: 2, free: false }, to: { place: 1, free: true } } },
  })
  expect((await failureOf(withVersion(first.version).changeParts({ code, lessons: [] }))).code).toBe('VERSION_CONFLICT')
  const foreign = withVersion(ordered.version).changeParts({ code, lessons: [{ ...one!, id: newId<LessonId>() }] })
  expect(Object.keys((await failureOf(foreign)).problem.errors)).toEqual(['lessons.0.id'])

  const withFile = await products.addAttachment({ code, file: new File(['%PDF-1.4 work'], 'Work/book.pdf') })
  expect(withFile.attachments).toMatchObject([{ contentType: 'application/pdf', bytes: 13 }])
  const renamed = await withVersion(withFile.version).changeParts({
    code,
    attachments: [{ id: withFile.attachments[0]!.id, name: 'Workbook.pdf', confirmationText: 'For you alone.' }],
    lessons: [one!],
  })
  expect(renamed).toMatchObject({ lessons: [{ title: 'One' }], attachments: [{ name: 'Workbook.pdf' }] })
  const { items } = await tenant.guest.catalog.attachments({ id })
  expect(items).toMatchObject([{ name: 'Workbook.pdf', confirmationText: 'For you alone.' }])
  // Visitors read its texts in their language, those without a translation in the store's.
  const file = { id: withFile.attachments[0]!.id, name: 'Workbook.pdf', confirmationText: 'For you alone.' }
  const translate = (version: string, translations: object) =>
    withVersion(version).changeParts({ code, attachments: [{ ...file, translations }] })
  const translated = await translate(renamed.version, { ko: { name: '연습장.pdf' } })
  expect(translated.attachments).toMatchObject([{ name: 'Workbook.pdf', translations: { ko: { name: '연습장.pdf' } } }])
  expect(translated.version).not.toBe(renamed.version)
  expect((await korean.catalog.attachments({ id })).items).toMatchObject([
    { name: '연습장.pdf', confirmationText: 'For you alone.', languages: { confirmationText: 'en' } },
  ])
  expect((await tenant.guest.catalog.attachments({ id })).items).toMatchObject([{ name: 'Workbook.pdf' }])
  expect((await products.get({ code })).history[0]).toMatchObject({
    changes: { 'files.Workbook.pdf': { to: { translations: { ko: { name: '연습장.pdf' } } } } },
  })
  // What a change does not name stays; an empty text removes one.
  const worded = await translate(translated.version, { ko: { confirmationText: '나만 볼게요.' } })
  expect(worded.attachments[0]?.translations).toEqual({ ko: { name: '연습장.pdf', confirmationText: '나만 볼게요.' } })
  const same = await withVersion(worded.version).changeParts({ code, attachments: [file] })
  expect(same.attachments).toEqual(worded.attachments)
  const emptied = await translate(same.version, { ko: { name: '', confirmationText: null } })
  expect(emptied.attachments[0]?.translations).toEqual({})
  const wrong = await failureOf(translate(emptied.version, { ja: { name: 'ノート.pdf' } }))
  expect(wrong.problem.errors.translations).toEqual(['Translate into the other languages of the store alone.'])
  // The video of the removed lesson ends for new viewers, and its files are deleted later.
  const retired = await tenant.within((db) => db.select().from(videos).where(eq(videos.id, videoId)))
  expect(retired).toMatchObject([{ retiredFrom: two!.id, retiredAt: expect.any(String) }])
  await products.changeMany({ codes: [code], status: 'HIDDEN' })
  const bare = await withVersion(emptied.version).changeParts({ code, attachments: [] })
  expect(bare.attachments).toEqual([])
})

test('lessons and options of the same name are told apart in the history', async () => {
  const { code } = await tenant.createProduct({ code: 'twins', file: false, price: 500 })
  const { products } = staff.client.admin
  const lesson = (summary: string) => ({ title: 'Intro', summary, free: false })
  const { version } = await products.parts({ code })
  const { lessons: both, ...first } = await withVersion(version).changeParts({
    code,
    lessons: [lesson('a'), lesson('b')],
  })
  const remaining = both.slice(1).map(({ id, title, summary, free }) => ({ id, title, summary, free }))
  await withVersion(first.version).changeParts({ code, lessons: remaining })
  const stored = await products.get({ code })
  const fact = (place: number, summary: string) => ({ place, summary, free: false, translations: {} })
  expect(stored.history.slice(0, 2).map(({ changes }) => changes)).toEqual([
    {
      'lessons.Intro (1)': { from: fact(1, 'a'), to: null },
      'lessons.Intro (2)': { from: fact(2, 'b'), to: fact(1, 'b') },
    },
    {
      'lessons.Intro (1)': { from: null, to: fact(1, 'a') },
      'lessons.Intro (2)': { from: null, to: fact(2, 'b') },
    },
  ])
  const [option] = stored.options
  const { id, name, type, days, onSale } = option!
  const changed = await withVersion(stored.version).change({
    code,
    options: [
      { id, name, type, days, onSale, price: 600 },
      { name, type, days, onSale, price: 700 },
    ],
  })
  expect(changed.history[0]!.changes).toMatchObject({
    [`options.${name} (1).price`]: { from: { amount: 500 }, to: { amount: 600 } },
    [`options.${name} (2).price`]: { from: null, to: { amount: 700 } },
  })
})

test('a sale may begin half a second before its end, and not after it', async () => {
  const { code } = await tenant.createProduct({ code: 'half-second' })
  const period = (saleFrom: string, saleTo: string) => ({ code, saleFrom, saleTo })
  const { version } = await staff.client.admin.products.get({ code })
  const [whole, half] = ['2031-01-01T00:00:00Z', '2031-01-01T00:00:00.5Z']
  expect(await failureOf(withVersion(version).change(period(half, whole)))).toMatchObject({
    problem: { errors: { saleTo: ['The sale must end after it begins.'] } },
  })
  expect(await withVersion(version).change(period(whole, half))).toMatchObject({ state: 'SCHEDULED' })
})

test('the rank, the description of the poster and the texts for search engines are written, and emptied', async () => {
  const { code, id } = await tenant.createProduct({ code: 'presented' })
  await tenant.createProduct({ code: 'beside-presented' })
  const { products } = staff.client.admin
  const first = await products.get({ code })
  expect(first).toMatchObject({ sort: 0, posterAlt: '', seoTitle: null, seoDescription: null })
  const texts = { posterAlt: 'A boat at dusk', seoTitle: 'Watch the tide', seoDescription: 'A film of the harbour.' }
  const written = await withVersion(first.version).change({ code, sort: 50, ...texts })
  expect(written).toMatchObject({ sort: 50, ...texts })
  const shown = await tenant.guest.catalog.product({ id, view: false })
  expect(shown).toMatchObject({
    poster: { alt: 'A boat at dusk' },
    seo: { title: 'Watch the tide', description: 'A film of the harbour.' },
  })
  const { items } = await tenant.guest.catalog.search({})
  expect(items[0]).toMatchObject({ code })
  // A new title leaves what somebody wrote.
  const renamed = await withVersion(written.version).change({ code, title: 'High tide' })
  expect(renamed).toMatchObject(texts)
  const none = { posterAlt: '', seoTitle: null, seoDescription: null }
  const emptied = await withVersion(renamed.version).change({ code, sort: -1, ...none })
  expect(emptied).toMatchObject({ sort: -1, ...none })
  expect((await tenant.guest.catalog.product({ id, view: false })).poster.alt).toBe('High tide')
  const wrong = { code, sort: 2_000_000_000, seoTitle: 'x'.repeat(301) }
  const refused = await failureOf(withVersion(emptied.version).change(wrong))
  expect(Object.keys(refused.problem.errors).sort()).toEqual(['seoTitle', 'sort'])
})

test('options and categories are translated, and an empty text removes a translation', async () => {
  const { code, id } = await tenant.createProduct({ code: 'translated-parts', price: 300 })
  const { version, options } = await staff.client.admin.products.get({ code })
  const option = asInput(options[0]!)
  const changed = (name: string) => [{ ...option, translations: { ko: { name } } }]
  const named = await withVersion(version).change({ code, options: changed('소장') })
  expect(named.options[0]?.translations).toEqual({ ko: { name: '소장' } })
  const korean = api.client(tenant.code, { headers: { 'accept-language': 'ko' } })
  expect((await korean.catalog.productOptions({ id })).items[0]?.name).toBe('소장')
  const cleared = await withVersion(named.version).change({ code, options: changed('') })
  expect(cleared.options[0]?.translations).toEqual({})
  const own = withVersion(cleared.version).change({
    code,
    options: [{ ...option, translations: { en: { name: 'Own' } } }],
  })
  expect(Object.keys((await failureOf(own)).problem.errors)).toEqual(['translations'])

  const { id: category } = await tenant.createCategory('Documentaries')
  const { categories } = staff.client.admin
  const update = async (name: string) =>
    staff.withVersion((await categories.list()).version).admin.categories.update({
      id: category,
      translations: { ko: { name } },
    })
  const tree = await update('다큐멘터리')
  expect(tree.items.find((each) => each.id === category)?.translations).toEqual({ ko: { name: '다큐멘터리' } })
  expect(tree.history[0]?.changes).toHaveProperty(['Documentaries.translations'])
  const shown = async () => (await korean.catalog.categories()).items.find((each) => each.id === category)?.name
  expect(await shown()).toBe('다큐멘터리')
  await update('')
  expect(await shown()).toBe('Documentaries')
})
