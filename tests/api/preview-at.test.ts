import { beforeAll, expect, test } from 'vitest'
import { banners } from '#api/modules/content/content.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { BannerId } from '#contract/ids.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
let tenant: Tenant
let owner: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  owner = await tenant.createStaff('OWNER')
})

const inHours = (hours: number) => new Date(api.clock.now().getTime() + hours * 3_600_000).toISOString()
const tokenIn = ({ url }: { url: string }) => new URL(url).searchParams.get('preview') ?? ''
const storeAt = async (at: string, more: { token?: string } = {}) =>
  previewOf(tenant, tokenIn(await owner.client.admin.store.createPreview({ at })), more)
const previewOf = ({ code }: Pick<Tenant, 'code'>, token: string, more: { token?: string } = {}) =>
  api.client(code, { ...more, headers: { 'x-preview-token': token } })

test('a preview of a time shows products, prices, banners and notices of then, and visitors those of now', async () => {
  const [film, later, ended] = await tenant.createProducts([
    { title: 'Winter sea', price: 1000 },
    { title: 'Winter sun', price: 900, saleFrom: inHours(5) },
    { title: 'Winter end', price: 800, saleTo: inHours(5) },
  ])
  const { version, options } = await owner.client.admin.products.get({ code: film!.code })
  const { price: _, listPrice: _list, ...option } = options[0]!
  const priceChanges = [
    { at: inHours(2), price: 700, listPrice: 1000 },
    { at: inHours(20), price: 500, listPrice: 1000 },
  ]
  await owner
    .withVersion(version)
    .admin.products.change({ code: film!.code, options: [{ ...option, price: 1000, listPrice: null, priceChanges }] })
  await tenant.within((db) =>
    db.insert(banners).values([
      { customerId: tenant.id, id: newId<BannerId>(), type: 'BANNER', title: 'Soon', startsAt: inHours(3) },
      { customerId: tenant.id, id: newId<BannerId>(), type: 'BANNER', title: 'Now', endsAt: inHours(3) },
    ]),
  )
  await owner.client.admin.notices.create({
    title: 'The shop moves',
    body: '<p>Soon.</p>',
    pinned: false,
    isDraft: false,
    startsAt: inHours(4),
    endsAt: null,
  })

  const now = {
    banners: ['Now'],
    notices: 0,
    titles: ['Winter end', 'Winter sea'],
    price: 1000,
    options: [1000],
    was: null,
  }
  const then = {
    banners: ['Soon'],
    notices: 1,
    titles: ['Winter sea', 'Winter sun'],
    price: 700,
    options: [700],
    was: 1000,
  }
  const shown = async (client: Tenant['guest']) => {
    const [{ items }, product, offered] = [
      await client.catalog.search({ q: 'winter' }),
      await client.catalog.product({ id: film!.id }),
      await client.catalog.productOptions({ id: film!.id }),
    ]
    const card = items.find(({ id }) => id === film!.id)
    expect(product.price).toEqual(card?.price)
    return {
      banners: (await client.content.banners()).items.map(({ title }) => title),
      notices: (await client.content.notices({})).total,
      titles: items.map(({ title }) => title).sort(),
      price: card?.price?.amount,
      options: offered.items.map(({ price }) => price.amount),
      was: card?.listPrice?.amount ?? null,
    }
  }
  const preview = await storeAt(inHours(6))
  // In turns and at once, because no answer may be cached for the other.
  expect(await shown(preview)).toEqual(then)
  expect(await shown(tenant.guest)).toEqual(now)
  expect(await shown(preview)).toEqual(then)
  const answers = await Promise.all([preview, tenant.guest, preview, tenant.guest].map(shown))
  expect(answers).toEqual([then, now, then, now])
  expect((await shown(await storeAt(inHours(30)))).price).toBe(500)
  const answer = await api.fetch(
    new Request(`${api.origin}/api/v1/customers/${tenant.code}/banners`, {
      headers: { 'x-preview-token': tokenIn(await owner.client.admin.store.createPreview({ at: inHours(6) })) },
    }),
  )
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect((await failureOf(tenant.guest.catalog.product({ id: later!.id }))).status).toBe(404)
  expect((await preview.catalog.product({ id: later!.id })).title).toBe('Winter sun')
  expect((await failureOf(preview.catalog.product({ id: ended!.id }))).code).toBe('GONE')
})

test('lists of a preview of a time are filtered, counted and offered by the prices of then', async () => {
  const settings = plainSettings()
  settings.order.useFree = false
  const store = await createTenant(api, { settings })
  const staff = await store.createStaff('OWNER')
  const products = await store.createProducts([
    { title: 'Autumn reduced', price: 2000 },
    { title: 'Autumn same', price: 1500 },
    { title: 'Autumn dearer', price: 900 },
    { title: 'Autumn gift', price: 800 },
    { title: 'Autumn no gift', price: 0 },
  ])
  const change = async (at: number, amounts: readonly number[]) => {
    const { code } = products[at]!
    const { version, options } = await staff.client.admin.products.get({ code })
    const { price, listPrice: _, ...option } = options[0]!
    const priceChanges = amounts.map((amount, each) => ({ at: inHours(2 + each), price: amount, listPrice: null }))
    await staff
      .withVersion(version)
      .admin.products.change({ code, options: [{ ...option, price: price.amount, listPrice: null, priceChanges }] })
  }
  await change(0, [1700, 500])
  await change(2, [3000])
  await change(3, [0])
  await change(4, [1200])
  const { url } = await staff.client.admin.store.createPreview({ at: inHours(6) })
  const preview = previewOf(store, tokenIn({ url }))
  const found = async (client: Tenant['guest'], search: { priceMin?: number; priceMax?: number; q?: string }) => {
    const { items, total, priceRange, facets } = await client.catalog.search(search)
    expect(total).toBe(items.length)
    const counted = facets.kind.reduce((sum, { count }) => sum + count, 0)
    return { prices: items.map(({ price }) => price?.amount).sort(), priceRange, counted }
  }
  const then = { prices: [1200, 1500, 3000, 500], priceRange: { min: 500, max: 3000 }, counted: 4 }
  expect(await found(preview, {})).toEqual(then)
  expect(await found(preview, { q: 'autumn' })).toEqual(then)
  expect((await found(preview, { priceMax: 1000 })).prices).toEqual([500])
  expect((await found(preview, { priceMin: 1200, q: 'autumn' })).prices).toEqual([1200, 1500, 3000])
  expect(await found(store.guest, {})).toEqual({
    prices: [1500, 2000, 800, 900],
    priceRange: { min: 800, max: 2000 },
    counted: 4,
  })
})

test('links of a product and a notice show a time too, and an address says which', async () => {
  const film = await tenant.createProduct({ title: 'Private', price: 1500, status: 'DRAFT' })
  const at = inHours(48)
  const { url } = await owner.client.admin.products.createPreview({ code: film.code, at })
  const preview = previewOf(tenant, tokenIn({ url }))
  expect((await preview.catalog.product({ id: film.code })).preview).toBe(true)
  const contract = await preview.tenancy.contract()
  expect(contract.previewAt).toBe(`${at.slice(0, 19)}.000Z`)
  expect((await tenant.guest.tenancy.contract()).previewAt).toBeUndefined()
  expect((await failureOf(tenant.guest.catalog.product({ id: film.code }))).status).toBe(404)
  const { history } = await owner.client.admin.products.get({ code: film.code })
  expect(history[0]).toMatchObject({ action: 'product.preview-created', detail: { at } })
})

test('a preview of a time writes nothing', async () => {
  const film = await tenant.createProduct({ price: 1000 })
  const member = await tenant.createMember()
  const preview = await storeAt(inHours(24), { token: member.token })
  const attempts = [
    () => preview.orders.addToCart({ productId: film.id, optionId: film.optionId!, quantity: 1 }),
    () => preview.engagement.like({ id: film.id, liked: true }),
    () => preview.identity.login({ email: member.email, password: 'x' }),
  ]
  for (const attempt of attempts) expect((await failureOf(attempt())).code).toBe('READ_ONLY')
  // A view of a product and a search without a hit are not counted.
  await preview.catalog.product({ id: film.id, view: true })
  expect((await preview.catalog.search({ q: 'zzzyyxx' })).total).toBe(0)
  expect((await member.client.catalog.viewed({ exposureLimit: 5 })).items).toEqual([])
  // What is the member's own is of the present, and so is what staff do.
  expect((await preview.identity.me()).email).toBe(member.email)
  const staff = api.client(tenant.code, {
    token: owner.token,
    headers: { 'x-preview-token': tokenIn(await owner.client.admin.store.createPreview({ at: inHours(24) })) },
  })
  expect((await staff.admin.store.createPreview()).url).toContain('?preview=')
})

test('a preview of a time ends with its link, is signed, and is of one store', async () => {
  const other = await createTenant(api)
  expect((await failureOf(owner.client.admin.store.createPreview({ at: inHours(-1) }))).problem.errors.at).toEqual([
    'Enter a time that is still to come.',
  ])
  const at = inHours(24)
  const token = tokenIn(await owner.client.admin.store.createPreview({ at }))
  const [expires = '', signature = '', time = ''] = token.split('.')
  expect(time).toBe(`t${Math.floor(Date.parse(at) / 1000)}`)
  const previewAt = async (of: Tenant, given: string) => (await previewOf(of, given).tenancy.contract()).previewAt
  expect(await previewAt(tenant, token)).toBeDefined()
  for (const forged of [`${expires}.${signature}`, `${expires}.${signature}.t1999999999`, `${token}.x`, `${token}0`])
    expect(await previewOf(tenant, forged).tenancy.contract()).toMatchObject({ preview: false })
  expect(await previewOf(other, token).tenancy.contract()).toMatchObject({ preview: false })
  expect(await previewAt(other, token)).toBeUndefined()
  api.clock.advance(8 * 86_400_000)
  expect(await previewOf(tenant, token).tenancy.contract()).toMatchObject({ preview: false })
  expect(await previewAt(tenant, token)).toBeUndefined()
})

test('drafts of pages are shown by a preview of the present alone', async () => {
  const { pages } = owner.client.admin
  await pages.create({ type: 'draft', title: 'Draft', body: '<p>[DRAFT] Text</p>' })
  const now = previewOf(tenant, tokenIn(await owner.client.admin.store.createPreview()))
  expect((await now.content.page({ type: 'draft' })).title).toBe('Draft')
  const then = await storeAt(inHours(1))
  expect((await failureOf(then.content.page({ type: 'draft' }))).status).toBe(404)
  expect((await then.content.pages()).items).toEqual([])
})

test('the page of a product has the prices of the time that a preview shows, whatever the store says of free ones', async () => {
  for (const useFree of [true, false]) {
    const settings = plainSettings()
    settings.order.useFree = useFree
    const store = await createTenant(api, { settings })
    const staff = await store.createStaff('OWNER')
    const member = await store.createMember()
    const category = await store.createCategory('Seasons')
    const [gift, sold] = await store.createProducts([
      { title: 'Spring gift', price: 800, categoryIds: [category.id] },
      { title: 'Spring sold', price: 0, categoryIds: [category.id] },
    ])
    await member.client.orders.addToCart({ productId: gift!.id, optionId: gift!.optionId! })
    for (const [product, amount] of [
      [gift, 0],
      [sold, 700],
    ] as const) {
      const { version, options } = await staff.client.admin.products.get({ code: product!.code })
      const { price, listPrice: _, ...option } = options[0]!
      const priceChanges = [{ at: inHours(2), price: amount, listPrice: null }]
      const changed = [{ ...option, price: price.amount, listPrice: null, priceChanges }]
      await staff.withVersion(version).admin.products.change({ code: product!.code, options: changed })
    }
    const token = tokenIn(await staff.client.admin.store.createPreview({ at: inHours(6) }))
    for (const client of [previewOf(store, token), previewOf(store, token, { token: member.token })]) {
      const page = await client.catalog.product({ id: sold!.id })
      expect(page).toMatchObject({ price: { amount: 700 }, options: [{ price: { amount: 700 } }] })
      expect((await client.catalog.productOptions({ id: sold!.id })).items).toMatchObject([{ price: { amount: 700 } }])
      const related = page.related.filter(({ id }) => id === gift!.id).map(({ price }) => price?.amount)
      expect(related).toEqual(useFree ? [0] : [])
      const free = client.catalog.product({ id: gift!.id })
      if (useFree) expect(await free).toMatchObject({ price: { amount: 0 }, options: [{ price: { amount: 0 } }] })
      else expect((await failureOf(free)).code).toBe('NOT_FOUND')
      if (!useFree) expect((await failureOf(client.catalog.productOptions({ id: gift!.id }))).code).toBe('NOT_FOUND')
    }
    const asMember = previewOf(store, token, { token: member.token })
    const { items } = await asMember.catalog.viewerStates({ productIds: [gift!.id, sold!.id] })
    expect(items.map(({ productId }) => productId).sort()).toEqual((useFree ? [gift!.id, sold!.id] : [sold!.id]).sort())
    expect((await asMember.orders.cart({})).items).toMatchObject([
      { price: { amount: 0 }, product: { price: useFree ? { amount: 0 } : null } },
    ])
    // Visitors see the prices of now.
    expect((await store.guest.catalog.product({ id: gift!.id })).price?.amount).toBe(800)
  }
})
