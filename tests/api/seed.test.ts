import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { scriptOf } from '#tests/support/command.ts'
import { tenantOf } from '#tests/support/tenant.ts'
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

test('seeding adds members, their orders and comments, which the console lists', async () => {
  const code = `seed-${randomUUID().slice(0, 8)}`
  const counts = ['--products', '20', '--members', '40', '--orders', '120', '--comments', '200']
  expect(await seed([...counts, '--tenant', code])).toMatchObject({ code: 0, err: '' })
  const customer = await resolveCustomer(api.deps, code)
  const { admin } = (await tenantOf(api, customer!).createOperator()).client
  const orders = await admin.orders.list({ size: 200 })
  expect(orders.items).toHaveLength(120)
  expect(new Set(orders.items.map(({ status }) => status)).size).toBe(3)
  expect(orders.items.every(({ member, titles, total }) => member && titles[0] && total.amount > 0)).toBe(true)
  expect((await admin.members.list({ size: 200 })).items).toHaveLength(40)
  const { total, payments } = await admin.orders.get({ code: orders.items[0]!.code })
  expect(payments).toMatchObject([{ amount: total }])
  const { items: held } = await admin.comments.queue()
  expect(held.map(({ state, author }) => [state, author !== ''])).toEqual(Array(2).fill(['HELD', true]))
}, 120_000)

test('seeding refuses a number of products that is none', async () => {
  const { code, err } = await seed(['--products', 'many'])
  expect([code, err]).toEqual([2, '--products must be a whole number from 1, for example --products 100000.\n'])
})
