import { expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

test('A crowd larger than the pool that finds the product index unread is answered: each holds a connection, and none waits for another’s', async () => {
  const tenant = await createTenant(api)
  const { code } = await tenant.createProduct({ title: 'Lanterns over the harbour' })
  const crowd = Array.from({ length: 60 }, (_, at) =>
    tenant.guest.catalog.search({ q: 'lanterns', priceMin: 0, page: 1, size: 1 + at }),
  )
  const answers = await Promise.all(crowd)
  expect(new Set(answers.map(({ items }) => items.map((item) => item.code).join()))).toEqual(new Set([code]))
})
