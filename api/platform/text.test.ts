import { expect, test } from 'vitest'
import { editDistance, meant, nearest } from './text.ts'

test.each([
  ['films', 'films', 0],
  ['flims', 'films', 1],
  ['film', 'films', 1],
  ['films', 'film', 1],
  ['fulms', 'films', 1],
  ['ca', 'abc', 3],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %s to %s it takes %d changes', (from, to, changes) => {
  expect(editDistance(from, to, 10)).toBe(changes)
})

test('a word is meant where it is near, in any case of its letters', () => {
  expect(nearest('Flims', ['plans', 'films'])).toBe('films')
  expect(nearest('zebra', ['plans', 'films'])).toBeUndefined()
  expect(meant('flims', ['films'])).toBe(' Did you mean films?')
  expect(meant('zebra', ['films'])).toBe('')
})
