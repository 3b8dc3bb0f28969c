import { expect, test } from 'vitest'
import { createPool, withTenant } from '#api/platform/db/client.ts'
import { readInOneRoundTrip, type Statement } from '#api/platform/db/shared-reads.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const { pool } = api.deps

const codes: Statement<{ code: string }> = {
  name: 'test-codes',
  text: 'SELECT code FROM products ORDER BY code',
  values: [],
}
const tenantNow: Statement<{ tenant: string; pid: number; at: string }> = {
  name: 'test-tenant',
  text: `SELECT current_setting('marquee.customer_id', true) AS tenant, pg_backend_pid() AS pid, $1::timestamptz AS at`,
  values: ['2026-11-22T05:00:00.000Z'],
}
const failing: Statement<{ none: number }> = { name: 'test-failing', text: 'SELECT 1 / $1::int AS none', values: ['0'] }

test('shared reads of a tenant return in order, with their types, and see that tenant alone', async () => {
  const [one, other] = [await createTenant(api), await createTenant(api)]
  const product = await one.createProduct()
  for (let time = 0; time < 3; time++) {
    const [products, [seen]] = await readInOneRoundTrip(pool, one.id, [codes, tenantNow])
    expect(products).toEqual([{ code: product.code }])
    expect(seen).toMatchObject({ tenant: one.id, pid: expect.any(Number), at: '2026-11-22T05:00:00.000Z' })
    expect(await readInOneRoundTrip(pool, other.id, [codes])).toEqual([[]])
  }
  const tenants = [one, other]
  const many = await Promise.all(
    Array.from({ length: 60 }, (_, at) => readInOneRoundTrip(pool, tenants[at % 2]!.id, [tenantNow, codes])),
  )
  many.forEach(([seen, products], at) => {
    expect(seen).toMatchObject([{ tenant: tenants[at % 2]!.id }])
    expect(products).toHaveLength(at % 2 ? 0 : 1)
  })
})

test('a shared read’s connection is released without its tenant, and cannot write', async () => {
  const tenant = await createTenant(api)
  await tenant.createProduct()
  const { connectionString } = pool.options
  const single = createPool(
    { connectionString: connectionString!, size: 1, isPooled: connectionString !== api.deps.jobsDatabaseUrl },
    () => undefined,
  )
  try {
    expect(await readInOneRoundTrip(single, tenant.id, [codes])).toHaveLength(1)
    expect((await single.query(codes.text)).rows).toEqual([])
    const writing = readInOneRoundTrip(single, tenant.id, [
      { name: 'test-writing', text: 'DELETE FROM products RETURNING code', values: [] },
    ])
    await expect(writing).rejects.toMatchObject({ code: '25006' })
    expect((await readInOneRoundTrip(single, tenant.id, [codes]))[0]).toHaveLength(1)
    // The next transaction of the same connection may write again.
    await withTenant(single, tenant.id, (db) => db.$client.query(`UPDATE products SET code = 'NEW'`))
    expect(await readInOneRoundTrip(single, tenant.id, [codes])).toEqual([[{ code: 'NEW' }]])
  } finally {
    await single.end()
  }
})

test('a failed statement or a broken connection fails its own reads alone', async () => {
  const tenant = await createTenant(api)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, at) =>
      readInOneRoundTrip(pool, tenant.id, at % 3 === 0 ? [tenantNow, failing, codes] : [tenantNow, codes]),
    ),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(
    outcomes.map((_, at) => (at % 3 === 0 ? 'rejected' : 'fulfilled')),
  )
  const ending = readInOneRoundTrip(pool, tenant.id, [
    { name: 'test-ending', text: 'SELECT pg_terminate_backend(pg_backend_pid())', values: [] },
    codes,
  ])
  // Either the statement's error or a failed write to the broken connection.
  await expect(ending).rejects.toThrow(/terminat|EPIPE|ECONNRESET/)
  expect(await readInOneRoundTrip(pool, tenant.id, [tenantNow])).toMatchObject([[{ tenant: tenant.id }]])
})
