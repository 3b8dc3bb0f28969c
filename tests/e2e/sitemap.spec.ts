import { expect, test } from './store'

test('every URL of the sitemap opens, and languages and videos are listed', async ({ page, store }) => {
  store.expected.push(/status of 404/)
  await page.goto(store.at('aurora', '/'))
  const read = await page.evaluate(async () => {
    const response = await fetch('/sitemap.xml')
    const file = new DOMParser().parseFromString(await response.text(), 'application/xml')
    const texts = (name: string) => [...file.getElementsByTagName(name)].map(({ textContent }) => textContent ?? '')
    return {
      fault: file.querySelector('parsererror')?.textContent ?? null,
      places: texts('loc'),
      languages: [...file.querySelectorAll('url:first-of-type > link')].map((link) => link.getAttribute('hreflang')),
      previews: texts('video:content_loc'),
      pictures: texts('video:thumbnail_loc'),
    }
  })
  expect(read.fault).toBeNull()
  expect(read.places.length).toBeGreaterThan(20)
  expect(new Set(read.places).size).toBe(read.places.length)
  for (const path of ['/products/the-last-light', '/products', '/faq'])
    expect(read.places).toContain(store.at('aurora', path))
  expect(read.previews.length).toBeGreaterThan(5)
  const statuses = await page.evaluate(
    (addresses) => Promise.all(addresses.map(async (address) => (await fetch(address)).status)),
    [read.places.at(-1)!, read.previews[0]!, read.pictures[0]!, '/sitemap.xml?part=7', '/sitemap.xml?part=x'],
  )
  expect(statuses).toEqual([200, 200, 200, 404, 404])
})

test('the sitemap and the pages list only languages that the content is translated into', async ({ page, store }) => {
  const named = await page.goto(store.at('aurora', '/ko/products/the-last-light')).then(() =>
    page.evaluate(async () => {
      const text = await (await fetch('/sitemap.xml')).text()
      const file = new DOMParser().parseFromString(text, 'application/xml')
      const languagesOf = (path: string) => {
        const entry = [...file.querySelectorAll('url')].find((url) =>
          url.querySelector('loc')!.textContent!.endsWith(path),
        )
        return [...entry!.getElementsByTagName('xhtml:link')].map((link) => link.getAttribute('hreflang')!).sort()
      }
      const ofPage = [...document.querySelectorAll('head link[rel=alternate][hreflang]')]
      return {
        film: languagesOf('/products/the-last-light'),
        list: languagesOf('/products'),
        page: ofPage.map((link) => link.getAttribute('hreflang')!).sort(),
        canonical: document.querySelector<HTMLLinkElement>('link[rel=canonical]')!.href,
      }
    }),
  )
  // Aurora's films are in three languages, its pages in Arabic as well.
  expect(named.film).toEqual(['en', 'ja', 'ko', 'x-default'])
  expect(named.page).toEqual(named.film)
  expect(named.list).toEqual(['ar', 'en', 'ja', 'ko', 'x-default'])
  expect(named.canonical).toMatch(/\/ko\/products\/the-last-light$/)
})
