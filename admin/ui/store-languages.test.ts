import { expect, test } from 'vitest'
import { offeredTexts } from './store-languages.ts'

test('texts of a language that the store no longer has are not sent', () => {
  const texts = { en: { name: 'Map' }, ko: { name: '지도' }, ja: { name: '地図' } }
  expect(offeredTexts(texts, { locale: 'en', locales: ['en', 'ko', 'ar'] })).toEqual({ ko: { name: '지도' } })
})
