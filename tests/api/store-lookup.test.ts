import { sql } from 'drizzle-orm'
import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { resolveStore } from '#api/modules/tenancy/stores.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

test('concurrent lookups of a store share one read, and never use one that began before a change', async () => {
  const { code, id } = await createTenant(api)
  const { pool } = api.deps
  const lookUp = async () => (await resolveStore(api.deps, code, null))?.customer.version
  const before = await lookUp()
  const underWay = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const originalQuery = pool.query.bind(pool)
  const slowly = async (statement: pg.QueryConfig) => {
    const answer = await originalQuery(statement)
    underWay.resolve()
    await gate.promise
    return answer
  }
  // The type declares only the form with a callback.
  const query = vi.spyOn(pool, 'query').mockImplementationOnce(slowly as never)
  const early = lookUp()
  await underWay.promise
  await api.owner.execute(sql`UPDATE customers SET version = version + 1 WHERE customer_id = ${id}`)
  const late = Array.from({ length: 50 }, lookUp)
  gate.resolve()
  expect(await early).toBe(before)
  expect(new Set(await Promise.all(late))).toEqual(new Set([(before ?? 0) + 1]))
  const heads = query.mock.calls.filter(([statement]) => JSON.stringify(statement).includes('customer-head'))
  expect(heads.length).toBe(2)
  query.mockRestore()
})

test('a failed lookup of a store fails for its own callers alone', async () => {
  const { code } = await createTenant(api)
  const query = vi.spyOn(api.deps.pool, 'query').mockImplementationOnce(() => {
    throw new Error('away')
  })
  await expect(resolveStore(api.deps, code, null)).rejects.toThrow('away')
  query.mockRestore()
  expect((await resolveStore(api.deps, code, null))?.customer.code).toBe(code)
})
