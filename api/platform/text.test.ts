import { expect, test } from 'vitest'
import { didYouMean, editDistance, nearestWord, withoutTexts } from './text.ts'

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

test('texts are erased from a value in any case, with Korean particles, and not from longer words', () => {
  const value = { q: 'Mina@Example.com', list: ['jamina@example.com', '박민아는 (+82) 10', 1, null], rows: 2 }
  expect(withoutTexts(value, ['mina@example.com', '박민아', '(+82) 10'])).toEqual({
    q: '…',
    list: ['jamina@example.com', '…는 …', 1, null],
    rows: 2,
  })
})
