import { expect, test } from 'vitest'
import { priceStep } from '~/features/catalog/ui/filters'

test.each([
  ['won', { min: 3_300, max: 99_000 }, 1, 5_000],
  ['dollars', { min: 129, max: 1_999 }, 100, 1],
  ['cents', { min: 99, max: 399 }, 100, 0.2],
  ['a single price', { min: 1_200, max: 1_200 }, 100, 0.01],
])('the arrows of a price field move by a round amount: %s', (_name, range, unit, step) => {
  expect(priceStep(range, unit)).toBe(step)
})
