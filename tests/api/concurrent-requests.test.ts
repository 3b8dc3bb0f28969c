import { expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

test('more concurrent searches than database connections are answered while the product index is loaded', async () => {
  const tenant = await createTenant(api)
  const { code } = await tenant.createProduct({ title: 'Lanterns over the harbour' })
  const searches = Array.from({ length: 60 }, (_, at) =>
    tenant.guest.catalog.search({ q: 'lanterns', priceMin: 0, page: 1, size: 1 + at }),
  )
  const answers = await Promise.all(searches)
  expect(new Set(answers.map(({ items }) => items.map((item) => item.code).join()))).toEqual(new Set([code]))
})
