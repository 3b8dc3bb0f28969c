import { eq, isNotNull } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { productOptions, products } from '#api/modules/catalog/catalog.schema.ts'
import { cartItems, carts } from '#api/modules/storefront/carts.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CartItemId } from '#contract/ids.ts'
import type { Cart } from '#contract/orders.ts'
import { buy } from '#tests/support/buying.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, password, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

/** Creates a guest with a cart, and a client that sends the token of the first response. */
const newGuest = async (tenant: Tenant, product: { id: string; optionId: string | null }) => {
  let guestToken: string | undefined
  const first = api.client(tenant.code, {
    onAnswer: (response) => {
      guestToken = response.headers.get('x-guest-token') ?? undefined
    },
  })
  const cart = await first.orders.addToCart({ productId: product.id, optionId: product.optionId! } as never)
  return { cart, guestToken: guestToken!, client: api.client(tenant.code, { guestToken }) }
}

test('a guest gets a token with the first write, which identifies the cart', async () => {
  const tenant = await createTenant(api)
  const product = await tenant.createProduct({ price: 1500 })
  const empty = await tenant.guest.orders.cart()
  expect(empty).toMatchObject({ version: 0, items: [] })

  const guest = await newGuest(tenant, product)
  expect(guest.guestToken).toBeTruthy()
  const again = await guest.client.orders.cart()
  expect(again.items.map((item) => item.product.id)).toEqual([product.id])
  expect(again.total).toEqual({ amount: 1500, currency: 'USD' })
  expect((await tenant.guest.orders.cart()).items).toEqual([])
})

test('a forged guest token, or one of another tenant, opens no cart', async () => {
  const tenant = await createTenant(api)
  const other = await createTenant(api)
  const product = await tenant.createProduct()
  const { guestToken } = await newGuest(tenant, product)
  const forged = `${guestToken.slice(0, -3)}AAA`
  expect((await api.client(tenant.code, { guestToken: forged }).orders.cart()).items).toEqual([])
  expect((await api.client(other.code, { guestToken }).orders.cart()).items).toEqual([])
})

test('adding a line that is in the cart changes nothing', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createMember()
  const product = await tenant.createProduct({ price: 1500 })
  const line = { productId: product.id, optionId: product.optionId! }
  const once = await client.orders.addToCart(line)
  const twice = await client.orders.addToCart(line)
  expect(twice.version).toBe(once.version)
  expect(twice.items).toHaveLength(1)
})

test('signing in fills the member’s cart from the guest’s to at most a hundred lines', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const mine = await tenant.createProduct()
  await member.client.orders.addToCart({ productId: mine.id, optionId: mine.optionId! })
  const first = await tenant.createProduct()
  const guest = await newGuest(tenant, first)
  const more = await tenant.createProducts(Array.from({ length: 99 }, () => ({})))
  await tenant.within(async (db) => {
    const [cart] = await db.select().from(carts).where(isNotNull(carts.guestId))
    await db.insert(cartItems).values(
      more.map((product) => ({
        customerId: tenant.id,
        id: newId<CartItemId>(),
        cartId: cart!.id,
        productId: product.id,
        optionId: product.optionId!,
        priceAmount: 1200,
        currency: 'USD',
      })),
    )
  })
  await guest.client.identity.login({ email: member.email, password })
  const { items } = await member.client.orders.cart()
  expect(items).toHaveLength(100)
  expect(items.map((item) => item.product.id)).toEqual(expect.arrayContaining([mine.id, first.id]))
})

test('a write on an older version of the cart is refused with 409 and the current cart', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createMember()
  const [one, two] = [await tenant.createProduct(), await tenant.createProduct()]
  const before = await client.orders.addToCart({ productId: one.id, optionId: one.optionId! })
  await client.orders.addToCart({ productId: two.id, optionId: two.optionId! })
  const stale = await failureOf(client.orders.removeCartItem({ id: before.items[0]!.id, version: before.version }))
  expect(stale).toMatchObject({ status: 409, code: 'CART_CHANGED' })
  expect((stale.problem.data as Cart).items).toHaveLength(2)
})

test('twenty concurrent adds of a product create one line', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createMember()
  const product = await tenant.createProduct()
  const line = { productId: product.id, optionId: product.optionId! }
  await Promise.all(Array.from({ length: 20 }, () => client.orders.addToCart(line)))
  expect((await client.orders.cart()).items).toHaveLength(1)
})

test('a changed price is shown with the old one, and an ended product is blocked and not in the total', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createMember()
  const [dearer, ended] = [await tenant.createProduct({ price: 1000 }), await tenant.createProduct({ price: 500 })]
  for (const { id, optionId } of [dearer, ended]) {
    await client.orders.addToCart({ productId: id, optionId: optionId! })
  }
  await tenant.within(async (db) => {
    await db.update(productOptions).set({ priceAmount: 1300 }).where(eq(productOptions.productId, dearer.id))
    await db.update(products).set({ status: 'ENDED' }).where(eq(products.id, ended.id))
  })
  const cart = await client.orders.cart()
  expect(cart.items[0]).toMatchObject({ price: { amount: 1300 }, priceBefore: { amount: 1000 }, blocked: null })
  expect(cart.items[1]).toMatchObject({ blocked: 'ENDED' })
  expect(cart.total.amount).toBe(1300)
})

test('adding another product’s option, an ended product or an owned product is refused', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [one, two] = [await tenant.createProduct(), await tenant.createProduct()]
  const ended = await tenant.createProduct({ status: 'ENDED' })
  const { orders } = member.client
  const mixed = await failureOf(orders.addToCart({ productId: one.id, optionId: two.optionId! }))
  expect(mixed).toMatchObject({ status: 422, code: 'VALIDATION_FAILED' })
  expect(Object.keys(mixed.problem.errors)).toEqual(['optionId'])
  expect((await failureOf(orders.addToCart({ productId: ended.id, optionId: ended.optionId! }))).status).toBe(410)
  await buy(api, tenant, member, one)
  const owned = await failureOf(orders.addToCart({ productId: one.id, optionId: one.optionId! }))
  expect(owned).toMatchObject({ status: 409, code: 'ALREADY_OWNED' })
})

test('a cart line of another member is not found', async () => {
  const tenant = await createTenant(api)
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const product = await tenant.createProduct()
  const cart = await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  const id = cart.items[0]!.id
  expect((await failureOf(other.client.orders.removeCartItem({ id }))).status).toBe(404)
})

test('adding to the cart is refused in a store that sells only plans', async () => {
  const settings = plainSettings()
  settings.order = { ...settings.order, useFree: false, usePayment: false, useSubscribe: true }
  const tenant = await createTenant(api, { settings })
  const { client } = await tenant.createMember()
  const product = await tenant.createProduct()
  const refused = await failureOf(client.orders.addToCart({ productId: product.id, optionId: product.optionId! }))
  expect(refused).toMatchObject({ status: 403, code: 'PAYMENT_DISABLED' })
})

test('signing in merges the guest’s cart and viewed products into the member’s', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [memberCart, both, theirs] = [
    await tenant.createProduct(),
    await tenant.createProduct(),
    await tenant.createProduct(),
  ]
  for (const { id, optionId } of [memberCart, both]) {
    await member.client.orders.addToCart({ productId: id, optionId: optionId! })
  }
  const guest = await newGuest(tenant, both)
  await guest.client.orders.addToCart({ productId: theirs.id, optionId: theirs.optionId! })
  await guest.client.catalog.product({ id: theirs.id })

  await guest.client.identity.login({ email: member.email, password })
  const cart = await member.client.orders.cart()
  expect(cart.items.map((item) => item.product.id)).toEqual([memberCart.id, both.id, theirs.id])
  const viewed = await member.client.catalog.viewed({ exposureLimit: 24 })
  expect(viewed.items.map((item) => item.id)).toContain(theirs.id)
  expect((await guest.client.orders.cart()).items).toEqual([])
})
