import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { productOptions } from '#api/modules/catalog/catalog.schema.ts'
import { entitlements } from '#api/modules/entitlements/entitlements.schema.ts'
import { contract } from '#contract/procedures/contract.ts'
import { beginToBuy, buy, keyed, terms } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

test('an order stores the server’s price, and paying it grants the entitlement, empties the cart and writes the timeline', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 2400 })
  await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })

  const draft = await keyed(api, tenant, member).orders.placeOrder(terms(tenant))
  expect(draft).toMatchObject({ status: null, total: { amount: 2400, currency: 'USD' } })
  expect(draft.code).toMatch(/^\d{8}-[0-9A-HJKMNP-TV-Z]{6}$/)
  expect((await member.client.orders.cart()).items).toHaveLength(1)

  const { paymentId, page } = await beginToBuy(api, tenant, member, product)
  const answer = await page.pay(cards.success)
  expect(answer.status).toBe(303)
  const returnUrl = new URL(answer.headers.get('location')!, api.origin)
  expect(returnUrl.pathname).toBe('/payments/result')
  expect(returnUrl.searchParams.get('payment')).toBe(paymentId)

  const { order } = await member.client.billing.confirmPayment({ id: paymentId })
  expect(order).toMatchObject({ status: 'PAYMENT_COMPLETE', payment: { status: 'PAID', card: { lastFour: '4242' } } })
  expect(order.timeline.map((event) => event.type)).toEqual(['PLACED', 'PAYMENT_STARTED', 'PAID'])
  expect(order.refundableUntil).not.toBeNull()
  expect((await member.client.orders.cart()).items).toEqual([])
  expect((await member.client.catalog.product({ id: product.id })).viewer).toMatchObject({
    entitled: true,
    source: 'OWN',
  })
  const listed = await member.client.orders.orders({})
  expect(listed.items.map((item) => item.code)).toEqual([order.code])
})

test('tampered price, currency, option, product and lines are refused', async () => {
  const tenant = await createTenant(api)
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const [product, second] = [await tenant.createProduct({ price: 2400 }), await tenant.createProduct()]
  const buyNow = { productId: product.id, optionId: product.optionId! }
  const place = (input: object) =>
    failureOf(keyed(api, tenant, member).orders.placeOrder({ ...terms(tenant), ...input }))

  expect(await place({ buyNow, expectedTotal: { amount: 1, currency: 'USD' } })).toMatchObject({
    code: 'PRICE_CHANGED',
  })
  expect(await place({ buyNow, expectedTotal: { amount: 2400, currency: 'KRW' } })).toMatchObject({
    code: 'PRICE_CHANGED',
  })
  expect(await place({ buyNow: { ...buyNow, optionId: second.optionId } })).toMatchObject({ status: 422 })
  expect(await place({ buyNow, refundPolicyVersion: 'of my own' })).toMatchObject({ status: 422 })
  expect(await place({})).toMatchObject({ status: 422 })

  const cart = await other.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  expect(await place({ cartItemIds: [cart.items[0]!.id] })).toMatchObject({ status: 404 })

  const sent = await api.fetch(
    new Request(`${api.origin}/api/v1/customers/${tenant.code}/orders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${member.token}`, 'content-type': 'application/json', 'idempotency-key': 'x1' },
      body: JSON.stringify({
        ...terms(tenant),
        buyNow: { ...buyNow, price: { amount: 1, currency: 'USD' }, quantity: 0 },
      }),
    }),
  )
  expect(((await sent.json()) as { total: { amount: number } }).total.amount).toBe(2400)
})

test('an order is refused when the price has changed since it was shown', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 1000 })
  const cart = await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  await tenant.within((db) =>
    db.update(productOptions).set({ priceAmount: 1100 }).where(eq(productOptions.productId, product.id)),
  )
  const refused = await failureOf(
    keyed(api, tenant, member).orders.placeOrder({ ...terms(tenant), expectedTotal: cart.total }),
  )
  expect(refused).toMatchObject({ status: 409, code: 'PRICE_CHANGED' })
})

test('an owned product cannot be ordered or paid for again', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const first = await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  await buy(api, tenant, member, product)
  expect((await failureOf(buy(api, tenant, member, product))).code).toBe('ALREADY_OWNED')
  const late = await failureOf(
    keyed(api, tenant, member).billing.startPayment({
      code: first.code,
      method: 'CARD',
      returnUrl: '/payments/result',
    }),
  )
  expect(late.code).toBe('ALREADY_OWNED')
})

test('an order of free products is complete without a provider', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ price: 0 })
  const order = await keyed(api, tenant, member).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  const started = await keyed(api, tenant, member).billing.startPayment({
    code: order.code,
    method: 'CARD',
    returnUrl: '/payments/result?step=3',
  })
  expect(started.payment).toMatchObject({ status: 'PAID', amount: { amount: 0 } })
  expect(started.redirectUrl).toBe(`/payments/result?step=3&order=${order.code}&payment=${started.payment.id}`)
  expect(await member.client.orders.order({ code: order.code })).toMatchObject({ status: 'PAYMENT_COMPLETE' })
})

test('a store that sells only plans accepts no orders', async () => {
  const settings = plainSettings()
  settings.order = { ...settings.order, useFree: false, usePayment: false, useSubscribe: true }
  const tenant = await createTenant(api, { settings })
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const refused = await failureOf(beginToBuy(api, tenant, member, product))
  expect(refused).toMatchObject({ status: 403, code: 'PAYMENT_DISABLED' })
})

test('a payment method that the store does not offer is refused', async () => {
  const tenant = await createTenant(api)
  expect((await tenant.guest.tenancy.siteSettings()).order.methods).toEqual(['CARD'])
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const { order } = await beginToBuy(api, tenant, member, product)
  const refused = await failureOf(
    keyed(api, tenant, member).billing.startPayment({
      code: order.code,
      method: 'BANK',
      returnUrl: '/payments/result',
    }),
  )
  expect(refused.status).toBe(422)
})

test('every procedure that moves money requires an Idempotency-Key', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const calls = (['orders', 'billing'] as const).flatMap((group) =>
    Object.entries(contract[group]).flatMap(([name, call]) => (call['~orpc'].meta.idempotent ? [{ group, name }] : [])),
  )
  expect(calls.map(({ name }) => name)).toEqual([
    'placeOrder',
    'requestCancel',
    'setRefundAccount',
    'startPayment',
    'registerCard',
  ])
  const product = await tenant.createProduct()
  const { order } = await beginToBuy(api, tenant, member, product)
  const inputs: Record<string, object> = {
    placeOrder: terms(tenant),
    startPayment: { code: order.code, method: 'CARD', returnUrl: '/payments/result' },
    requestCancel: { code: order.code, reason: 'Bought by mistake' },
    setRefundAccount: {
      code: order.code,
      refundAccount: { bank: 'Bank', number: '123-456-7890', holder: 'Mina Park' },
    },
    registerCard: { returnUrl: '/mypages/cards' },
  }
  for (const { group, name } of calls) {
    const call = member.client[group][name as never] as (input: unknown) => Promise<unknown>
    expect(await failureOf(call(inputs[name]))).toMatchObject({ status: 400, code: 'IDEMPOTENCY_KEY_MISSING' })
  }
})

test('a repeated idempotency key replays the answer for the same body and is refused for another', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const [one, two] = [await tenant.createProduct(), await tenant.createProduct()]
  const client = keyed(api, tenant, member, 'the-same-key')
  const input = { buyNow: { productId: one.id, optionId: one.optionId! }, ...terms(tenant) }
  const first = await client.orders.placeOrder(input)
  const again = await client.orders.placeOrder(input)
  expect(again).toEqual(first)
  const other = await failureOf(
    client.orders.placeOrder({ ...input, buyNow: { productId: two.id, optionId: two.optionId! } }),
  )
  expect(other).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' })
  const elsewhere = await tenant.createMember()
  expect((await keyed(api, tenant, elsewhere, 'the-same-key').orders.placeOrder(input)).code).not.toBe(first.code)
})

test('concurrent writes with one idempotency key are executed once, and the others are refused', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const client = keyed(api, tenant, member, 'at-once')
  const input = { buyNow: { productId: product.id, optionId: product.optionId! }, ...terms(tenant) }
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => client.orders.placeOrder(input)))
  const codes = new Set(outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value.code] : [])))
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.problem.code] : []))
  expect(codes.size).toBe(1)
  expect(refused.every((code) => code === 'IDEMPOTENCY_IN_FLIGHT')).toBe(true)
})

test('a refund ends access at once', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  await buy(api, tenant, member, product)
  await tenant.within((db) =>
    db.update(entitlements).set({ revokedAt: new Date().toISOString() }).where(eq(entitlements.memberId, member.id)),
  )
  expect((await member.client.catalog.product({ id: product.id })).viewer).toMatchObject({ entitled: false })
})

test('an order of another member is not found', async () => {
  const tenant = await createTenant(api)
  const [member, other] = [await tenant.createMember(), await tenant.createMember()]
  const product = await tenant.createProduct()
  const { order, paymentId } = await beginToBuy(api, tenant, member, product)
  expect((await failureOf(other.client.orders.order({ code: order.code }))).status).toBe(404)
  expect((await failureOf(other.client.billing.confirmPayment({ id: paymentId }))).status).toBe(404)
})
