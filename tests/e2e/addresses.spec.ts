import type { Page } from 'playwright/test'
import { expect, test } from './store'

interface Answer {
  path: string
  status: number
  url: string
  canonical: string[]
  ogUrl: string | null
  alternates: Record<string, string>
  breadcrumbs: string[]
}

/** The canonical and alternate addresses in documents, as the server sends them. */
const readPages = (page: Page, paths: readonly string[]): Promise<Answer[]> =>
  page.evaluate(async (all) => {
    const answers: Answer[] = []
    for (const path of all) {
      const response = await fetch(path)
      // The policy of the page that reads them would complain of their styles.
      const text = (await response.text()).replaceAll(/<style[\s\S]*?<\/style>/g, '').replaceAll(/ style="[^"]*"/g, '')
      const file = new DOMParser().parseFromString(text, 'text/html')
      const links = (selector: string) => [...file.querySelectorAll<HTMLLinkElement>(selector)]
      const data = [...file.querySelectorAll('script[type="application/ld+json"]')].map(
        ({ textContent }) =>
          JSON.parse(textContent ?? 'null') as {
            '@graph'?: { '@type': string; itemListElement?: { item: string }[] }[]
          },
      )
      answers.push({
        path,
        status: response.status,
        url: response.url,
        canonical: links('link[rel=canonical]').map((link) => link.getAttribute('href') ?? ''),
        ogUrl: file.querySelector('meta[property="og:url"]')?.getAttribute('content') ?? null,
        alternates: Object.fromEntries(
          links('link[rel=alternate][hreflang]').map((link) => [link.hreflang, link.getAttribute('href') ?? '']),
        ),
        breadcrumbs: data.flatMap((entry) =>
          (entry['@graph'] ?? [])
            .filter((part) => part['@type'] === 'BreadcrumbList')
            .flatMap(({ itemListElement = [] }) => itemListElement.map(({ item }) => item)),
        ),
      })
    }
    return answers
  }, paths)

const film = '/products/the-last-light'
/** Every public route, and what canonical names for it. */
const pages: Record<string, string> = {
  '/': '/',
  '/faq': '/faq',
  '/faq?q=refund': '/faq',
  '/notices': '/notices',
  '/notices/': '/notices',
  '/pages/terms': '/pages/terms',
  '/plans': '/plans',
  '/plans?cycle=YEAR': '/plans',
  '/plans/plan-products': '/plans/plan-products',
  '/products': '/products',
  '/products?page=2': '/products?page=2',
  '/products?q=sea': '/products',
  '/products?sort=duration%2CASC&kind=VOD&page=1': '/products',
  '/products?category=films/landscape': '/products?category=films/landscape',
  '/products?category=films%2Flandscape&access=FREE': '/products?category=films/landscape',
  '/videos': '/videos',
  '/videos?category=films&tag=sea': '/videos?category=films',
  [film]: film,
  '/login': '/login',
  '/join/input': '/join/input',
  '/ko/products?category=films': '/ko/products?category=films',
  '/ko/notices': '/ko/notices',
  // The film is translated into Korean, and not into Arabic: its address there has no language.
  [`/ko${film}`]: `/ko${film}`,
  [`/ar${film}`]: film,
}

test('a canonical address answers 200 and names its own page, on every route, and in its languages alone', async ({
  page,
  store,
}) => {
  const at = (path: string) => store.at('aurora', path)
  await page.goto(at('/favicon.svg'))
  const first = await readPages(page, Object.keys(pages))
  expect(first.map(({ path, status, canonical, ogUrl }) => [path, status, canonical, ogUrl])).toEqual(
    Object.entries(pages).map(([path, canonical]) => [path, 200, [at(canonical)], at(canonical)]),
  )
  const canonical = [...new Set(first.flatMap((one) => one.canonical))]
  const alternates = [...new Set(first.flatMap((one) => Object.values(one.alternates)))]
  const again = await readPages(page, [...new Set([...canonical, ...alternates])])
  for (const { path, status, url, canonical: own } of again) {
    expect([path, status, url]).toEqual([path, 200, path])
    expect(own).toEqual([path])
  }
  // What is named as another language names the first page back.
  const bySelf = new Map(again.map((one) => [one.path, one]))
  for (const {
    canonical: [own = ''],
    alternates: named,
  } of first)
    for (const address of Object.values(named))
      expect(Object.values(bySelf.get(address)?.alternates ?? {})).toContain(own)

  // Only pages that exist in other languages name them.
  const languagesOf = (path: string) => Object.keys(first.find((one) => one.path === path)!.alternates).sort()
  expect(languagesOf('/products')).toEqual(['ar', 'en', 'ja', 'ko', 'x-default'])
  expect(languagesOf(film)).toEqual(['en', 'ja', 'ko', 'x-default'])
  expect(languagesOf('/faq')).toEqual([])
})

test('breadcrumbs, links and the sitemap name a category by its slugs, and its id leads there for good', async ({
  page,
  store,
  request,
}) => {
  const at = (path: string) => store.at('aurora', path)
  await page.goto(at(film))
  const [{ breadcrumbs }] = (await readPages(page, [film])) as [Answer]
  expect(breadcrumbs.length).toBeGreaterThan(1)
  const crumbs = breadcrumbs.slice(0, -1)
  for (const crumb of crumbs) expect(crumb).toMatch(/\/products\?category=films(?:\/[a-z-]+)*$/)
  const named = await page
    .locator('a[href*="category="]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((href) => !/\/products\?category=[a-z0-9-]+(?:\/[a-z0-9-]+)*$/.test(href))).toEqual([])

  const sitemap = await page.evaluate(async () =>
    [
      ...new DOMParser()
        .parseFromString(await (await fetch('/sitemap.xml')).text(), 'application/xml')
        .getElementsByTagName('loc'),
    ].map(({ textContent }) => textContent ?? ''),
  )
  for (const crumb of crumbs) expect(sitemap).toContain(crumb)
  expect(sitemap.filter((address) => address.includes('category=')).length).toBeGreaterThan(20)
  for (const { path, status, canonical } of await readPages(page, sitemap))
    expect([path, status, canonical]).toEqual([path, 200, [path]])

  const { id, path } = await page.evaluate(async () => {
    const answer = (await (await fetch('/api/v1/customers/aurora/categories')).json()) as { data?: unknown }
    const { items } = (answer.data ?? answer) as { items: { id: string; path: string }[] }
    return items.find((category) => category.path === 'films/landscape')!
  })
  // Node does not resolve names below localhost; the bare name is the same store's.
  const bare = `http://localhost:${new URL(at('/')).port}`
  for (const list of ['products', 'videos']) {
    const moved = await request.get(`${bare}/${list}?category=${id}&sort=duration%2CASC`, { maxRedirects: 0 })
    expect(moved.status()).toBe(301)
    expect(moved.headers().location).toContain(`/${list}?`)
    expect(new URLSearchParams(moved.headers().location!.split('?')[1]).get('category')).toBe(path)
  }
  const product = await page.evaluate(async () => {
    const answer = (await (await fetch('/api/v1/customers/aurora/new-products/the-last-light')).json()) as {
      data?: unknown
    }
    return ((answer.data ?? answer) as { id: string }).id
  })
  const moved = await request.get(`${bare}/products/${product}`, { maxRedirects: 0 })
  expect([moved.status(), moved.headers().location]).toEqual([301, film])

  await page.goto(at(`/products?category=${id}`))
  await expect(page).toHaveURL(at('/products?category=films/landscape'))
  await page.locator('label', { hasText: 'Mountains & Ridges' }).click()
  await expect(page).toHaveURL(at('/products?category=films/landscape/mountains'))
})
