import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { payments } from '#api/modules/billing/billing.schema.ts'
import { reconcile } from '#api/modules/billing/reconcile-payments.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import type { OrderCode } from '#contract/ids.ts'
import { beginToDeposit, createBankTenant } from '#tests/support/bank.ts'
import { beginToBuy } from '#tests/support/buying.ts'
import { cards } from '#tests/support/card-page.ts'
import { ctxOf, reconcileNow, withProvider } from '#tests/support/reconciling.ts'
import type { Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const minute = 60_000

const arrange = async () => {
  const tenant = await createBankTenant(api)
  return { tenant, product: await tenant.createProduct(), other: await tenant.createProduct() }
}

/** Copies a tenant's only order and its payment this many times. */
const copyOrder = (tenant: Tenant, times: number, payment: { provider: string }) =>
  tenant.within(async (db) => {
    await db.update(payments).set(payment).where(eq(payments.customerId, tenant.id))
    const columns = (table: string, ...own: string[]) =>
      db.$client
        .query<{ name: string }>(
          `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
          [table],
        )
        .then(({ rows }) =>
          rows
            .map(({ name }) => `"${name}"`)
            .filter((name) => !own.includes(name))
            .join(', '),
        )
    const ofOrder = await columns('orders', '"id"', '"code"')
    const ofPayment = await columns('payments', '"id"', '"order_id"', '"provider_ref"')
    const copies = Array.from({ length: times }, () => randomUUID())
    await db.$client.query(
      `INSERT INTO orders (id, code, ${ofOrder})
       SELECT copy.id, code || '-' || copy.n, ${ofOrder}
         FROM orders CROSS JOIN unnest($2::uuid[]) WITH ORDINALITY AS copy (id, n) WHERE customer_id = $1`,
      [tenant.id, copies],
    )
    await db.$client.query(
      `INSERT INTO payments (id, order_id, provider_ref, ${ofPayment})
       SELECT copy.id, copy.order_id, copy.order_id::text, ${ofPayment}
         FROM payments CROSS JOIN unnest($2::uuid[], $3::uuid[]) AS copy (id, order_id) WHERE customer_id = $1`,
      [tenant.id, copies.map(() => randomUUID()), copies],
    )
  })

const statusOf = async (tenant: Tenant, code: OrderCode) => {
  const [row] = await tenant.within((db) =>
    db
      .select()
      .from(orders)
      .where(and(eq(orders.customerId, tenant.id), eq(orders.code, code))),
  )
  return row?.status
}

test('payments of an unavailable provider do not delay other payments, however many and old they are', async () => {
  const { tenant, product, other } = await arrange()
  await beginToBuy(api, tenant, await tenant.createMember(), product)
  await copyOrder(tenant, 450, { provider: 'gone' })
  api.clock.advance(3 * 60 * minute)
  for (let pass = 0; pass < 3; pass++) await reconcileNow(api, tenant)

  const paid = await beginToBuy(api, tenant, await tenant.createMember(), other)
  const abandoned = await beginToBuy(api, tenant, await tenant.createMember(), other)
  await paid.page.pay(cards.timeout)
  api.clock.advance(61_000)
  await reconcileNow(api, tenant)
  expect(await statusOf(tenant, paid.order.code)).toBe('PAYMENT_COMPLETE')
  api.clock.advance(31 * minute)
  await reconcileNow(api, tenant)
  expect(await statusOf(tenant, abandoned.order.code)).toBe('PAYMENT_FAIL')
})

test('accounts are queried in turn, the longest waiting first and each once per round', async () => {
  const { tenant, product } = await arrange()
  const { paymentId } = await beginToDeposit(api, tenant, await tenant.createMember(), product)
  await copyOrder(tenant, 150, { provider: 'sandbox' })
  const ctx = await ctxOf(api, tenant)
  const queried: string[] = []
  const counting = withProvider(ctx, {
    query: (merchant, reference) => {
      queried.push(reference)
      return ctx.provider.query(merchant, reference)
    },
  })
  api.clock.advance(5 * minute)
  for (let pass = 0; pass < 2; pass++) await reconcile(counting)
  expect(queried).toHaveLength(151)
  expect(new Set(queried)).toContain(paymentId)
  expect(new Set(queried).size).toBe(151)
  // Unchanged accounts are queried less often the older they are.
  await reconcile(counting)
  expect(queried).toHaveLength(151)
  api.clock.advance(24 * 60 * minute)
  for (let pass = 0; pass < 2; pass++) await reconcile(counting)
  api.clock.advance(61 * minute)
  for (let pass = 0; pass < 2; pass++) await reconcile(counting)
  expect(queried).toHaveLength(3 * 151)
})
