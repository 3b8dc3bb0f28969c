import { expect, test } from 'vitest'
import { type Facts, InvalidCell, yesNo } from './column-codecs.ts'

const facts: Facts = {
  currency: 'USD',
  timeZone: 'UTC',
  categoryPaths: new Map(),
  media: (reference) => reference,
  reference: (key) => key,
}
const read = (text: string) => yesNo('featured', false).read(text, facts)

test('a column of yes or no reads the words of the four languages', () => {
  for (const word of ['yes', 'Y', 'TRUE', '1', '예', 'はい', 'نعم']) expect(read(word)).toBe(true)
  for (const word of ['no', 'N', 'False', '0', '아니요', '아니오', 'いいえ', 'لا']) expect(read(word)).toBe(false)
})

test('a column of yes or no refuses x and o, which mean opposites from country to country', () => {
  for (const word of ['x', 'X', 'o', 'O', 'maybe']) expect(read(word)).toBeInstanceOf(InvalidCell)
})
