import { expect, test } from 'vitest'
import { comparableText, findBlockedPhrase } from './moderation.ts'

test.for([
  ['scam', 'It is a SCAM!', 'scam'],
  ['scam', 'scams are not it', null],
  ['ass', 'a first class film', null],
  ['free  money', 'Free\n money, here', 'free  money'],
  ['free money', 'free, money', null],
  ['scam', 'ｓｃａｍ', 'scam'],
  ['scam', 's\u200bc\u00ada\u2060m', 'scam'],
  ['café', 'cafe\u0301', 'café'],
  ['cafe', 'café', null],
  ['바보', '이 바보가 만든 영화', '바보'],
  ['바보', '바\u200b보', '바보'],
  ['詐欺', 'これは詐欺です', '詐欺'],
  ['$$$', 'win $$$ now', '$$$'],
  ['a.b*', 'a.b* and more', 'a.b*'],
  ['a.b*', 'aXbb', null],
  ['😀', 'so good 😀', '😀'],
  ['a', 'aaaa a', 'a'],
  ['x', '', null],
] as const)('%j in %j', ([word, text, found]) => {
  expect(findBlockedPhrase([word], text)).toBe(found)
})

test('the first word of the list that is found is named', () => {
  expect(findBlockedPhrase(['no', 'scam', 'spam'], 'spam and scam')).toBe('scam')
  expect(findBlockedPhrase([], 'spam')).toBeNull()
})

test('a text without a visible character compares as empty', () => {
  expect(comparableText(' \u200b\u00ad ')).toBe('')
})
