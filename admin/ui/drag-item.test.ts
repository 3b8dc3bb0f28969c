import { expect, test } from 'vitest'
import { moved } from './drag-item'

test.for([
  [0, 2, 'AFTER', 'bca'],
  [0, 2, 'BEFORE', 'bac'],
  [2, 0, 'BEFORE', 'cab'],
  [2, 0, 'AFTER', 'acb'],
  [1, 0, 'AFTER', 'abc'],
  [1, 2, 'BEFORE', 'abc'],
] as const)('item %s that is dropped at %s %s makes %s', ([from, to, place, order]) => {
  expect(moved(['a', 'b', 'c'], from, to, place).join('')).toBe(order)
})
