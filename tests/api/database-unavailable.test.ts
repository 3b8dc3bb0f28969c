import { expect, test } from 'vitest'
import { withTenant } from '#api/platform/db/client.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

test('a connection that the database ends during a transaction fails only that transaction', async () => {
  const tenant = await createTenant(api)
  const ended = withTenant(api.deps.pool, tenant.id, async (db) => {
    await db.$client.query('SELECT pg_terminate_backend(pg_backend_pid())')
  })
  await expect(ended).rejects.toThrow()
  const result = await withTenant(api.deps.pool, tenant.id, (db) => db.$client.query('SELECT 1 AS one'))
  expect(result.rows).toEqual([{ one: 1 }])
})
