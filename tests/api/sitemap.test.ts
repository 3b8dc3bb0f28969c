import { expect, test } from 'vitest'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

test('a sitemap lists the products on sale, the oldest first, and nothing else', async () => {
  const tenant = await createTenant(api)
  const day = dayMilliseconds
  const at = (days: number) => new Date(api.clock.now().getTime() + days * day).toISOString()
  const first = await tenant.createProduct({ title: 'Shown' })
  await tenant.createProduct({ title: 'Hidden', status: 'HIDDEN' })
  await tenant.createProduct({ title: 'Later', saleFrom: at(1) })
  await tenant.createProduct({ title: 'Over', saleTo: at(-1) })
  const second = await tenant.createProduct({ title: 'Shown too' })
  const { pages, items } = await tenant.guest.catalog.sitemap({})
  expect(pages).toBe(1)
  expect(items.map(({ code }) => code)).toEqual([first.code, second.code])
})

test('a sitemap of more than a thousand products has pages that list each product once', async () => {
  const tenant = await createTenant(api)
  await tenant.createProducts(Array.from({ length: 2001 }, () => ({})))
  const codes = new Set<string>()
  for (const page of [1, 2, 3]) {
    const sitemapPage = await tenant.guest.catalog.sitemap({ page })
    expect(sitemapPage.pages).toBe(3)
    for (const { code } of sitemapPage.items) codes.add(code)
  }
  expect(codes.size).toBe(2001)
  expect((await tenant.guest.catalog.sitemap({ page: 4 })).items).toEqual([])
})
