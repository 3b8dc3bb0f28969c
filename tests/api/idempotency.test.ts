import { expect, test } from 'vitest'
import { idempotencyKeys } from '#api/platform/db/platform.schema.ts'
import { keyed, terms } from '#tests/support/buying.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

test('a write whose process died can be repeated with its idempotency key after a minute', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const client = keyed(api, tenant, member, 'died')
  const input = { buyNow: { productId: product.id, optionId: product.optionId! }, ...terms(tenant) }
  await client.orders.placeOrder(input)
  // As if the process had died before it stored the response.
  await tenant.within((db) => db.update(idempotencyKeys).set({ status: null, answer: null }))
  expect(await failureOf(client.orders.placeOrder(input))).toMatchObject({
    status: 409,
    code: 'IDEMPOTENCY_IN_FLIGHT',
  })
  api.clock.advance(61_000)
  const order = await client.orders.placeOrder(input)
  expect((await client.orders.placeOrder(input)).code).toBe(order.code)
})

test('a failed write releases its idempotency key', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const client = keyed(api, tenant, member, 'again')
  const empty = terms(tenant)
  expect((await failureOf(client.orders.placeOrder(empty))).status).toBe(422)
  await member.client.orders.addToCart({ productId: product.id, optionId: product.optionId! })
  expect((await client.orders.placeOrder(empty)).items).toHaveLength(1)
})
