import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { refreshProducts } from '#api/modules/catalog/product-index.queries.ts'
import { dayMilliseconds as day } from '#api/platform/clock.ts'
import type { Order } from '#contract/orders.ts'
import { beginToDeposit, createBankTenant, myAccount } from '#tests/support/bank.ts'
import { buy, keyed, terms } from '#tests/support/buying.ts'
import { folderOf, quickCommandOf } from '#tests/support/command.ts'
import { addAttachment, addLesson, createFilm } from '#tests/support/media.ts'
import { deliverDue } from '#tests/support/reconciling.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
const everything = { sort: 'sort,DESC', page: 1, size: 100 } as const

const removeVideo = (tenant: Tenant, product: TestProduct) =>
  tenant.within(async (db) => {
    await db.update(products).set({ videoId: null }).where(eq(products.id, product.id))
    await refreshProducts(db, tenant.id, [product.id])
  })

const requestRefund = (
  tenant: Tenant,
  member: TestMember,
  order: Order,
  more: { refundAccount?: typeof myAccount } = {},
) => keyed(api, tenant, member).billing.requestCancel({ code: order.code, reason: 'There is nothing in it', ...more })

test('an import that puts an empty product on sale reports it, and the product is not sold', async () => {
  const tenant = await createTenant(api)
  const folder = await folderOf({
    'products.csv': 'code,title,kind,status\nF100,Empty film,VOD,ON_SALE\nF200,Draft film,VOD,DRAFT\n',
    'options.csv': 'product,name,type,price\nF100,For ever,OWN,9.00\n',
  })
  for (const more of [['--dry-run'], []]) {
    const { code, out } = await run(['catalog', 'import', folder, '-c', tenant.code, ...more])
    expect(code).toBe(0)
    expect(out).toContain('One product has nothing to watch or download yet: F100.')
  }
  const shown = await tenant.guest.catalog.product({ id: 'F100', view: false })
  expect(shown).toMatchObject({ ready: false, options: [], price: null })
  expect((await tenant.guest.catalog.search(everything)).total).toBe(0)
})

test('a product is listed and sold once it has a stream, a lesson with a stream, or a file', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [film, course, file] = [
    await createFilm(tenant),
    await tenant.createProduct({ file: false }),
    await tenant.createProduct({ file: false }),
  ]
  const line = (product: TestProduct) => ({ productId: product.id, optionId: product.optionId! })
  const { catalog } = tenant.guest
  const listed = async () => (await catalog.search(everything)).items.map(({ id }) => id).sort()
  expect(await listed()).toEqual([film.id])
  expect((await catalog.sitemap({ page: 1 })).items.map(({ code }) => code)).toEqual([film.code])
  for (const empty of [course, file]) {
    expect(await catalog.product({ id: empty.id, view: false })).toMatchObject({
      ready: false,
      options: [],
      price: null,
    })
    expect((await catalog.productOptions({ id: empty.id })).items).toEqual([])
    expect((await failureOf(member.client.orders.addToCart(line(empty)))).code).toBe('NOT_READY')
    const order = keyed(api, tenant, member).orders.placeOrder({ buyNow: line(empty), ...terms(tenant) })
    expect((await failureOf(order)).code).toBe('NOT_READY')
  }
  await addLesson(tenant, course.id, 1, false)
  await addAttachment(tenant, file.id, 'notes.pdf', 'attachments/notes.pdf')
  expect(await listed()).toEqual([course.id, file.id, film.id].sort())
  await member.client.orders.addToCart(line(course))
  await member.client.orders.addToCart(line(file))
  expect((await member.client.orders.cart()).items.map(({ blocked }) => blocked)).toEqual([null, null])
})

test('removing a product’s video makes it unsellable at once, in cart, order and payment', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { price: 2900 })
  const line = { productId: film.id, optionId: film.optionId! }
  await member.client.orders.addToCart(line)
  const draft = await keyed(api, tenant, member).orders.placeOrder({ buyNow: line, ...terms(tenant) })
  expect((await tenant.guest.catalog.search(everything)).total).toBe(1)

  await removeVideo(tenant, film)
  expect(await member.client.orders.cart()).toMatchObject({ items: [{ blocked: 'NOT_READY' }], total: { amount: 0 } })
  expect((await failureOf(keyed(api, tenant, member).orders.placeOrder(terms(tenant)))).status).toBe(422)
  const pay = { code: draft.code, method: 'CARD', returnUrl: '/payments/result' } as const
  expect((await failureOf(keyed(api, tenant, member).billing.startPayment(pay))).code).toBe('NOT_READY')
  expect((await tenant.guest.catalog.search(everything)).total).toBe(0)
  expect((await tenant.guest.catalog.product({ id: film.id, view: false })).ready).toBe(false)
})

test('an order of a product without content is refunded at once, also after the refund period', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [film, whole] = [await createFilm(tenant, { price: 2900 }), await createFilm(tenant, { price: 1900 })]
  const [order, playableOrder] = [await buy(api, tenant, member, film), await buy(api, tenant, member, whole)]
  await removeVideo(tenant, film)
  api.clock.advance(8 * day)
  const seen = await member.client.orders.order({ code: order.code })
  expect(seen.items[0]?.product.ready).toBe(false)
  expect(seen.cancel).toMatchObject({
    action: 'REFUND',
    why: null,
    automatic: true,
    until: null,
    amount: { amount: 2900 },
  })
  expect(
    (await member.client.engagement.purchased({ page: 1, size: 24 })).items.find(({ id }) => id === film.id)?.ready,
  ).toBe(false)
  expect(await requestRefund(tenant, member, order)).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refund: { outcome: 'REFUNDED', amount: { amount: 2900 } },
  })
  // The refund terms apply to a playable product.
  expect(await failureOf(requestRefund(tenant, member, playableOrder))).toMatchObject({ code: 'CANCEL_NOT_POSSIBLE' })
})

test('an order paid by bank for a product without content is refunded without a decision', async () => {
  const tenant = await createBankTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant, { price: 2900 })
  const { order, bank } = await beginToDeposit(api, tenant, member, film)
  await bank.deposit(2900)
  await deliverDue(api, tenant)
  await removeVideo(tenant, film)
  const seen = await member.client.orders.order({ code: order.code })
  expect(seen.cancel).toMatchObject({ action: 'REFUND', automatic: true, needsAccount: true })
  expect(await requestRefund(tenant, member, order, { refundAccount: myAccount })).toMatchObject({
    status: 'CANCEL_COMPLETE',
    refundedAmount: { amount: 2900 },
  })
})
