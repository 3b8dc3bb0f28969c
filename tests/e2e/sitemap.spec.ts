import type { Page } from 'playwright/test'
import { callApi } from './requests'
import { expect, test } from './store'

/** What a sitemap lists. It is parsed in an empty page. */
const readSitemap = (page: Page, text: string) =>
  page.evaluate((xml) => {
    const file = new DOMParser().parseFromString(xml, 'application/xml')
    const texts = (name: string) => [...file.getElementsByTagName(name)].map(({ textContent }) => textContent ?? '')
    return {
      fault: file.querySelector('parsererror')?.textContent ?? null,
      places: texts('loc'),
      previews: texts('video:content_loc'),
      pictures: texts('video:thumbnail_loc'),
      languages: Object.fromEntries(
        Array.from(file.querySelectorAll('url'), (url) => [
          url.querySelector('loc')!.textContent!,
          Array.from(url.getElementsByTagName('xhtml:link'), (link) => link.getAttribute('hreflang')!).sort(),
        ]),
      ),
    }
  }, text)

test('every URL of the sitemap opens, and languages and videos are listed', async ({ page, store }) => {
  const aurora = store.at('aurora')
  const read = await readSitemap(page, (await callApi(page, aurora, '/sitemap.xml')).text)
  expect(read.fault).toBeNull()
  expect(read.places.length).toBeGreaterThan(20)
  expect(new Set(read.places).size).toBe(read.places.length)
  for (const path of ['/products/the-last-light', '/products', '/faq'])
    expect(read.places).toContain(store.at('aurora', path))
  expect(read.previews.length).toBeGreaterThan(5)
  const statuses: number[] = []
  for (const address of [
    read.places.at(-1)!,
    read.previews[0]!,
    read.pictures[0]!,
    '/sitemap.xml?part=7',
    '/sitemap.xml?part=x',
  ]) {
    const { origin, pathname, search } = new URL(address, aurora)
    expect(origin).toBe(new URL(aurora).origin)
    statuses.push((await callApi(page, aurora, pathname + search)).status)
  }
  expect(statuses).toEqual([200, 200, 200, 404, 404])
})

test('the sitemap and the pages list only languages that the content is translated into', async ({ page, store }) => {
  const aurora = store.at('aurora')
  const { languages } = await readSitemap(page, (await callApi(page, aurora, '/sitemap.xml')).text)
  const film = await page.evaluate(
    (html) => {
      const file = new DOMParser().parseFromString(html, 'text/html')
      const alternates = [...file.querySelectorAll('head link[rel=alternate][hreflang]')]
      return {
        languages: alternates.map((link) => link.getAttribute('hreflang')!).sort(),
        canonical: file.querySelector('link[rel=canonical]')!.getAttribute('href'),
      }
    },
    (await callApi(page, aurora, '/ko/products/the-last-light')).text,
  )
  // Aurora's films are in three languages, its pages in Arabic as well.
  expect(film.languages).toEqual(['en', 'ja', 'ko', 'x-default'])
  expect(languages[store.at('aurora', '/products/the-last-light')]).toEqual(film.languages)
  expect(languages[store.at('aurora', '/products')]).toEqual(['ar', 'en', 'ja', 'ko', 'x-default'])
  expect(film.canonical).toMatch(/\/ko\/products\/the-last-light$/)
})
