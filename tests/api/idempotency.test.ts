import { expect, test } from 'vitest'
import { idempotencyKeys } from '#api/platform/idempotency.schema.ts'
import { keyed, terms } from '#tests/support/buying.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

test('a write whose process died is given up after a minute, and can be done again under its key', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const client = keyed(api, tenant, member, 'died')
  const input = { buyNow: { productId: product.id, optionId: product.optionId! }, ...terms(tenant) }
  await client.commerce.placeOrder(input)
  // As if the process had died before it could keep its answer.
  await tenant.within((db) => db.update(idempotencyKeys).set({ status: null, answer: null }))
  expect(await failureOf(client.commerce.placeOrder(input))).toMatchObject({
    status: 409,
    code: 'IDEMPOTENCY_IN_FLIGHT',
  })
  api.clock.advance(61_000)
  const order = await client.commerce.placeOrder(input)
  expect((await client.commerce.placeOrder(input)).code).toBe(order.code)
})

test('a write that failed gives its key back', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const client = keyed(api, tenant, member, 'again')
  const empty = terms(tenant)
  expect((await failureOf(client.commerce.placeOrder(empty))).status).toBe(422)
  await member.client.commerce.addToCart({ productId: product.id, optionId: product.optionId! })
  expect((await client.commerce.placeOrder(empty)).items).toHaveLength(1)
})
