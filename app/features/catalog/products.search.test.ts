import { expect, test } from 'vitest'
import { accessFilters, parseProductsSearch } from './products.search'

test.each([
  ['PLAN', ['PLAN']],
  [
    ['BUY', 'FREE'],
    ['FREE', 'BUY'],
  ],
  // Former addresses contained a product's access.
  ['MEMBER', ['FREE']],
  ['PURCHASE', ['BUY']],
  ['PURCHASE_OR_PLAN', ['BUY', 'PLAN']],
  [
    ['PLAN', 'PURCHASE_OR_PLAN'],
    ['BUY', 'PLAN'],
  ],
  ['NONSENSE', undefined],
  [[], undefined],
])('the address of the product list filters by access: %j', (given, expected) => {
  expect(parseProductsSearch({ access: given }).access).toEqual(expected)
})

test('the access filter finds a product that is sold and in a plan by both values', () => {
  expect(accessFilters.BUY).toContain('PURCHASE_OR_PLAN')
  expect(accessFilters.PLAN).toContain('PURCHASE_OR_PLAN')
})
