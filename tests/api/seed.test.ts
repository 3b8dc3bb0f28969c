import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { scriptOf } from '#tests/support/command.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const seed = scriptOf(api, ['scripts/seed-bulk.ts'])

test('seeding creates a store whose products are listed and found', async () => {
  const code = `seed-${randomUUID().slice(0, 8)}`
  expect(await seed(['--products', '30', '--hours', '2', '--tenant', code])).toMatchObject({ code: 0, err: '' })
  const { catalog } = api.client(code)
  const { total, items } = await catalog.search({})
  expect(total).toBe(30)
  const [product] = items
  expect((await catalog.search({ q: product!.title })).items.map(({ id }) => id)).toContain(product!.id)
}, 120_000)

test('seeding refuses a number of products that is none', async () => {
  const { code, err } = await seed(['--products', 'many'])
  expect([code, err]).toEqual([2, '--products must be a whole number from 1, for example --products 100000.\n'])
})
