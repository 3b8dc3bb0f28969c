import { expect, test } from 'vitest'
import { productOptions, products } from '#api/modules/catalog/catalog.schema.ts'
import { refreshProducts } from '#api/modules/catalog/product-index.queries.ts'
import { banners } from '#api/modules/content/content.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { AttachmentId, BannerId, OptionId, ProductCode, ProductId } from '#contract/ids.ts'
import { beginToBuy, keyed, terms } from '#tests/support/buying.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { addAttachment, addLesson, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const everything = { sort: 'sort,DESC', page: 1, size: 100 } as const

const disableFreeProducts = async ({ code }: Tenant) =>
  expect(await run(['settings', 'set', '-c', code, 'order.useFree', 'false'])).toMatchObject({ code: 0 })

const createOption = async (tenant: Tenant, productId: ProductId, priceAmount: number) => {
  const id = newId<OptionId>()
  const { currency } = tenant.settings.base
  await tenant.within(async (db) => {
    await db
      .insert(productOptions)
      .values({ customerId: tenant.id, id, productId, name: 'Option', type: 'OWN', priceAmount, currency })
    await refreshProducts(db, tenant.id, [productId])
  })
  return id
}

const obtainFree = async (tenant: Tenant, member: TestMember, product: TestProduct) => {
  const order = await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  const { payment } = await keyed(api, tenant, member).billing.startPayment({
    code: order.code,
    method: 'CARD',
    returnUrl: '/payments/result',
  })
  expect(payment.status).toBe('PAID')
}

/** Creates one product of each way to be free, and a paid one. */
const createFreeAndPaid = async (tenant: Tenant) => {
  const input = { title: 'Quiet harbour', tags: ['harbour'] }
  return {
    kindFree: await createFilm(tenant, { ...input, kind: 'FREE', access: 'MEMBER', price: null }),
    openToAll: await createFilm(tenant, { ...input, access: 'FREE', price: null }),
    openToMembers: await createFilm(tenant, { ...input, access: 'MEMBER', price: null }),
    zeroPrice: await createFilm(tenant, { ...input, price: 0 }),
    paid: await createFilm(tenant, { ...input, price: 900 }),
  }
}

test('a store with free products disabled lists, counts and suggests only paid products', async () => {
  const tenant = await createTenant(api)
  const category = await tenant.createCategory('Harbours')
  const { paid, ...free } = await createFreeAndPaid(tenant)
  await tenant.within((db) => db.update(products).set({ categoryIds: [category.id] }))
  const { catalog } = tenant.guest
  expect((await catalog.search(everything)).total).toBe(5)
  expect((await catalog.sitemap({ page: 1 })).items).toHaveLength(5)

  await disableFreeProducts(tenant)
  for (const search of [{}, { q: 'harbour' }, { tag: 'harbour' }, { category: category.id }, { q: 'harbuor' }]) {
    const results = await catalog.search({ ...everything, ...search })
    expect(results.items.map(({ id }) => id)).toEqual([paid.id])
    expect(results.total).toBe(1)
    expect(results.priceRange).toEqual({ min: 900, max: 900 })
    const counts = Object.values(results.facets).flatMap((facet) => facet.map(({ count }) => count))
    expect(counts.every((count) => count === 1)).toBe(true)
    expect(results.facets.kind.map(({ value }) => value)).toEqual(['VOD'])
    expect(results.facets.access.map(({ value }) => value)).toEqual(['PURCHASE'])
  }
  expect((await catalog.suggest({ q: 'harbour' })).products.map(({ id }) => id)).toEqual([paid.id])
  expect((await catalog.sitemap({ page: 1 })).items.map(({ code }) => code)).toEqual([paid.code])
  expect((await catalog.product({ id: paid.id, view: false })).related).toEqual([])
  const ids = Object.values(free).map(({ id }) => id)
  expect((await catalog.options({ productIds: [...ids, paid.id] })).items.map(({ productId }) => productId)).toEqual([
    paid.id,
  ])
})

test('the home page of a store with free products disabled has only paid products and their banners', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const { paid, ...free } = await createFreeAndPaid(tenant)
  const category = await tenant.createCategory('Harbours')
  await tenant.within((db) => db.update(products).set({ categoryIds: [category.id], countOfPlays: 3 }))
  const all = [paid, ...Object.values(free)]
  const links = [
    ...all.map(({ code }) => ({ target: 'PRODUCT' as const, productCode: code as ProductCode })),
    { target: 'CATEGORY' as const, categoryId: category.id },
    null,
  ]
  const banner = { customerId: tenant.id, type: 'MAIN_SLIDER_BANNER' as const, title: 'Harbours' }
  await tenant.within((db) =>
    db.insert(banners).values(links.map((link, sort) => ({ ...banner, id: newId<BannerId>(), link, sort }))),
  )
  for (const { id } of all) await member.client.catalog.product({ id })
  await disableFreeProducts(tenant)
  for (const { catalog, content } of [tenant.guest, member.client]) {
    for (const search of [
      { sort: 'createdAt,DESC' },
      { sort: 'countOfPlays,DESC' },
      { category: category.id },
    ] as const) {
      const { items, total } = await catalog.search({ ...search, size: 12 })
      expect([items.map(({ id }) => id), total]).toEqual([[paid.id], 1])
    }
    expect((await content.banners()).items.map(({ link }) => link)).toEqual([links[0], ...links.slice(-2)])
  }
  const { watched, viewed } = await member.client.catalog.histories({ exposureLimit: 24 })
  expect([...watched, ...viewed].map(({ id }) => id)).toEqual([paid.id])
})

test('a disabled free product is refused on every route without an entitlement', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const { paid: _, ...free } = await createFreeAndPaid(tenant)
  const files = new Map<string, AttachmentId>()
  for (const { id } of Object.values(free)) {
    files.set(id, await addAttachment(tenant, id, 'notes.pdf', 'attachments/notes.pdf'))
    await member.client.engagement.like({ id, liked: true })
    await member.client.catalog.product({ id })
  }
  await disableFreeProducts(tenant)
  for (const client of [tenant.guest, member.client])
    for (const { id, code, video } of Object.values(free)) {
      const attempts = [
        () => client.catalog.product({ id }),
        () => client.catalog.product({ id: code }),
        () => client.catalog.productOptions({ id }),
        () => client.catalog.attachments({ id }),
        () => client.catalog.confirmAttachment({ id, attachmentId: files.get(id)! }),
        () => client.playback.startPlayback({ id }),
        () => client.playback.preview({ id, previewId: video.id }),
        () => client.engagement.comments({ id, page: 1, size: 10 }),
      ]
      for (const attempt of attempts) expect((await failureOf(attempt())).status).toBeOneOf([401, 404])
    }
  const ids = Object.values(free).map(({ id }) => id)
  expect((await member.client.engagement.liked({ page: 1, size: 24 })).items).toEqual([])
  expect((await member.client.catalog.viewed({ exposureLimit: 24 })).items).toEqual([])
  expect((await member.client.catalog.viewerStates({ productIds: ids })).items).toEqual([])
})

test('a disabled zero-price option cannot be added to a cart or ordered, and is blocked in a cart', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const { zeroPrice, paid } = await createFreeAndPaid(tenant)
  const both = await createFilm(tenant, { price: 700 })
  const zeroPriceOptionId = await createOption(tenant, both.id, 0)
  const { orders } = member.client
  await orders.addToCart({ productId: zeroPrice.id, optionId: zeroPrice.optionId! })
  await orders.addToCart({ productId: both.id, optionId: zeroPriceOptionId })
  const draft = await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: zeroPrice.id, optionId: zeroPrice.optionId! },
    ...terms(tenant),
  })
  await disableFreeProducts(tenant)

  const cart = await orders.cart()
  expect(cart.items.map(({ blocked }) => blocked)).toEqual(['ENDED', 'ENDED'])
  expect(cart.total.amount).toBe(0)
  const stranger = await tenant.createMember()
  const line = { productId: zeroPrice.id, optionId: zeroPrice.optionId! }
  expect((await failureOf(stranger.client.orders.addToCart(line))).status).toBe(404)
  expect(
    (await failureOf(stranger.client.orders.addToCart({ productId: both.id, optionId: zeroPriceOptionId }))).status,
  ).toBe(410)
  expect((await failureOf(keyed(api, tenant, member).orders.placeOrder(terms(tenant)))).status).toBe(422)
  const pay = { code: draft.code, method: 'CARD', returnUrl: '/payments/result' } as const
  expect((await failureOf(keyed(api, tenant, member).billing.startPayment(pay))).code).toBe('ORDER_NOT_PAYABLE')

  const shown = await tenant.guest.catalog.product({ id: both.id, view: false })
  expect(shown).toMatchObject({ price: { amount: 700 }, optionCount: 1 })
  expect(shown.options.map(({ price }) => price.amount)).toEqual([700])
  expect((await tenant.guest.catalog.search(everything)).items.find(({ id }) => id === both.id)?.price?.amount).toBe(
    700,
  )
  expect((await beginToBuy(api, tenant, stranger, paid)).order.total.amount).toBe(900)
})

test('a free product obtained before it was disabled stays in the library and can be played and downloaded', async () => {
  const tenant = await createTenant(api)
  const media = await openMedia(api)
  const [member, stranger] = [await tenant.createMember(), await tenant.createMember()]
  const { kindFree, zeroPrice } = await createFreeAndPaid(tenant)
  const file = await createFilm(tenant, { kind: 'FREE', access: 'MEMBER', price: null })
  const attachmentId = await addAttachment(tenant, file.id, 'notes.pdf', `attachments/${tenant.id}/notes.pdf`)
  await obtainFree(tenant, member, zeroPrice)
  await member.client.playback.startPlayback({ id: kindFree.id })
  await member.client.catalog.confirmAttachment({ id: file.id, attachmentId })
  const strangerPlayback = await stranger.client.playback.startPlayback({ id: kindFree.id, acceptsFulfillment: false })
  await tenant.within((db) =>
    db.$client.query('DELETE FROM entitlements WHERE customer_id = $1 AND member_id = $2', [tenant.id, stranger.id]),
  )
  await disableFreeProducts(tenant)

  const obtained = [zeroPrice.id, kindFree.id, file.id].sort()
  const library = await member.client.engagement.purchased({ page: 1, size: 24 })
  expect(library.items.map(({ id }) => id).sort()).toEqual(obtained)
  expect(library.total).toBe(3)
  for (const id of obtained) {
    expect((await member.client.catalog.product({ id, view: false })).viewer?.entitled).toBe(true)
    expect((await member.client.playback.startPlayback({ id })).manifestUrl).toMatch(/^\/m\//)
  }
  await member.client.catalog.confirmAttachment({ id: file.id, attachmentId })
  expect((await failureOf(stranger.client.playback.startPlayback({ id: kindFree.id }))).status).toBe(404)
  // A URL signed while the product was free is refused.
  expect((await media.get(strangerPlayback.manifestUrl, asMember(stranger.token))).status).toBe(403)
})

test('a free lesson and a preview of a paid product stay available with free products disabled', async () => {
  const tenant = await createTenant(api)
  const course = await tenant.createProduct({ kind: 'PAY', price: 5000 })
  const lesson = await addLesson(tenant, course.id, 1, true)
  await addLesson(tenant, course.id, 2, false)
  await tenant.within((db) => refreshProducts(db, tenant.id, [course.id]))
  const film = await createFilm(tenant)
  await disableFreeProducts(tenant)
  expect((await tenant.guest.playback.startPlayback({ id: course.id, lessonId: lesson.id })).lessonId).toBe(lesson.id)
  expect((await tenant.guest.playback.preview({ id: film.id, previewId: film.video.id })).manifestUrl).toContain('/p/')
})

test('a product of a plan stays listed without its zero-price option, and enabling lists free products again', async () => {
  const tenant = await createTenant(api)
  const byPlan = await createFilm(tenant, { access: 'PURCHASE_OR_PLAN', price: 0 })
  const free = await createFilm(tenant, { access: 'FREE', price: null })
  await disableFreeProducts(tenant)
  const { items } = await tenant.guest.catalog.search(everything)
  expect(items.map(({ id, price }) => [id, price])).toEqual([[byPlan.id, null]])
  await run(['settings', 'set', '-c', tenant.code, 'order.useFree', 'true'])
  expect((await tenant.guest.catalog.search(everything)).total).toBe(2)
  expect((await tenant.guest.playback.startPlayback({ id: free.id })).playId).toBeNull()
})
