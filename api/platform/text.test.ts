import { expect, test } from 'vitest'
import { didYouMean, editDistance, nearestWord } from './text.ts'

test.each([
  ['films', 'films', 0],
  ['flims', 'films', 1],
  ['film', 'films', 1],
  ['films', 'film', 1],
  ['fulms', 'films', 1],
  ['ca', 'abc', 3],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('the edit distance from %s to %s is %d', (from, to, changes) => {
  expect(editDistance(from, to, 10)).toBe(changes)
})

test('a suggested word is near to the typed one, in any case of its letters', () => {
  expect(nearestWord('Flims', ['plans', 'films'])).toBe('films')
  expect(nearestWord('zebra', ['plans', 'films'])).toBeUndefined()
  expect(didYouMean('flims', ['films'])).toBe(' Did you mean films?')
  expect(didYouMean('zebra', ['films'])).toBe('')
})
