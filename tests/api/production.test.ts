import { tmpdir } from 'node:os'
import { afterAll, expect, inject, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'
import { keyed, terms } from '#tests/support/buying.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const demo = createTestApi()
/** The same database, served in production. */
const deps = createDeps({
  databaseUrl: inject('database').url,
  jobsDatabaseUrl: inject('database').jobsUrl,
  secret: demo.deps.secret,
  config: {
    production: true,
    demo: false,
    dataFolder: tmpdir(),
    logLevel: 'silent',
    databasePoolSize: 4,
    publicUrl: null,
    trustedProxies: [],
  },
  clock: demo.clock,
})
afterAll(() => deps[Symbol.asyncDispose]())
const production = createApi(deps)

test('a store in production takes no payments by the sandbox until an operator chooses it', async () => {
  const tenant = await createTenant(demo)
  const [member, product] = [await tenant.createMember(), await tenant.createProduct({ price: 900 })]
  const path = (rest: string) => `${demo.origin}/api/v1/customers/${tenant.code}${rest}`
  const pay = async (code: string) =>
    production.fetch(
      new Request(path(`/orders/${code}/payments`), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${member.token}`,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        body: JSON.stringify({ method: 'CARD', returnUrl: '/payments/result' }),
      }),
    )
  const order = await keyed(demo, tenant, member).orders.placeOrder({
    buyNow: { productId: product.id, optionId: product.optionId! },
    ...terms(tenant),
  })
  const refused = await pay(order.code)
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: { method: [expect.any(String)] } }])

  await payAt(demo, tenant, 'sandbox')
  expect((await pay(order.code)).status).toBe(201)
})
