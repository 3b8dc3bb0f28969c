import { expect, it } from 'vitest'
import { negotiateLanguage } from './accept-language.ts'

it.each([
  ['ko;q=0.2, en;q=0.9', 'en'],
  ['en;q=0, ja-JP', 'ja'],
  ['*, ko;q=0.5', 'ko'],
  ['KO-kr ; Q = 0.9 , ja;q=0.8', 'ko'],
  ['ko;q=9, ja;q=0.1', 'ja'],
  ['ja;q=0.8, ko;q=0.8', 'ja'],
  ['korean, kor, 한국어', 'ar'],
  [',;,;q=1', 'ar'],
  ['', 'ar'],
  [null, 'ar'],
] as const)('a language is chosen for Accept-Language %s as %s', (header, answer) =>
  expect(negotiateLanguage(header, ['en', 'ko', 'ja', 'ar'], 'ar')).toBe(answer),
)
