import { describe, expect, test } from 'vitest'
import { plainSettings } from '#tests/support/settings.ts'
import { alternatesOf, canonicalPath, languagesOf } from '~/platform/document/addresses'
import { robotsText } from '~/platform/document/crawler-files'

describe('canonical path', () => {
  test.each([
    [{ route: '/' }, '/'],
    [{ route: '/products/' }, '/products'],
    [{ route: '/products/', search: { page: 1 } }, '/products'],
    [{ route: '/products/', search: { page: 2, sort: 'duration,ASC', kind: ['VOD'] } }, '/products?page=2'],
    [{ route: '/videos', search: { category: 'films/sea', q: 'tide', page: 3 } }, '/videos?category=films/sea&page=3'],
    [
      { route: '/products/', search: { category: '강좌/국-찌개' } },
      '/products?category=%EA%B0%95%EC%A2%8C/%EA%B5%AD-%EC%B0%8C%EA%B0%9C',
    ],
    [{ route: '/products/', search: { category: '2026' } }, '/products?category=2026'],
    [{ route: '/products/$code', params: { code: 'a b/ü' }, search: { page: 2 } }, '/products/a%20b%2F%C3%BC'],
    [{ route: '/faq', search: { q: 'refund' } }, '/faq'],
    [{ route: '/plans/$id/products', params: { id: 'all' }, search: { page: 2 } }, '/plans/all/products?page=2'],
  ])('of %j is %s', (page, path) => expect(canonicalPath(page)).toBe(path))
})

describe('the languages of a page', () => {
  const settings = plainSettings()
  settings.base = { ...settings.base, locale: 'ko', locales: ['ko', 'en', 'ja'] }
  test('of interface texts are all languages of the store', () =>
    expect(languagesOf(settings, null)).toEqual(['ko', 'en', 'ja']))
  test('of content are the store’s own until it is translated', () => expect(languagesOf(settings, {})).toEqual(['ko']))
  test('of content are its translations that the store offers', () =>
    expect(languagesOf(settings, { translated: ['en', 'ar'] })).toEqual(['ko', 'en']))
  test('have no alternates if there is only one', () =>
    expect(alternatesOf('/faq', 'https://store.test', ['ko'])).toEqual([]))
  test('have one alternate each, and x-default without a language', () =>
    expect(alternatesOf('/', 'https://store.test', ['ko', 'en'])).toEqual([
      { hreflang: 'ko', href: 'https://store.test/ko' },
      { hreflang: 'en', href: 'https://store.test/en' },
      { hreflang: 'x-default', href: 'https://store.test/' },
    ]))
})

test("robots.txt names the sitemap at the store's public address", () => {
  const settings = plainSettings()
  settings.seo = { ...settings.seo, use: true, publicUrl: 'https://films.example.com' }
  expect(robotsText(settings, 'http://internal:3000')).toContain('Sitemap: https://films.example.com/sitemap.xml')
})
