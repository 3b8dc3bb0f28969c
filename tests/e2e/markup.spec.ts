import type { Page } from 'playwright/test'
import { callApi } from './requests'
import { expect, test } from './store'

/**
 * What the W3C checker calls errors and this store has had, each as a selector that must match
 * nothing in what the server sends.
 */
const faults = {
  'a search input that is a combobox': 'input[type=search][role=combobox]',
  'a combobox that does not say whether it is open': '[role=combobox]:not([aria-expanded])',
  'aria-expanded beside popovertarget': '[popovertarget][aria-expanded]',
  'a readonly checkbox or radio button': 'input:is([type=checkbox], [type=radio])[readonly]',
  'sizes without srcset': ':is(img, source)[sizes]:not([srcset])',
}

const pages = [
  '/',
  '/products',
  '/products?q=light',
  '/videos',
  '/products/slow-seasons',
  '/faq',
  '/login',
  '/join/input',
]

/** The faults in a document, which is parsed and not drawn. */
const faultsIn = (page: Page, html: string) =>
  page.evaluate(
    ([text, selectors]) => {
      const file = new DOMParser().parseFromString(text, 'text/html')
      const found = Object.entries(selectors).flatMap(([name, selector]) =>
        file.querySelector(selector) ? [name] : [],
      )
      for (const picture of file.querySelectorAll(':is(img, source)[sizes][srcset]'))
        for (const candidate of picture.getAttribute('srcset')!.split(/,\s+/))
          if (!/ \d+w$/.test(candidate)) found.push(`no width for ${candidate}`)
      return found
    },
    [html, faults] as const,
  )

test('the markup of each page passes the W3C checker', async ({ page, store }) => {
  const found: string[] = []
  for (const tenant of ['aurora', 'hangang']) {
    for (const path of tenant === 'aurora' ? pages : ['/', '/products']) {
      const { status, text } = await callApi(page, store.at(tenant), path)
      expect([path, status]).toEqual([path, 200])
      found.push(...(await faultsIn(page, text)).map((fault) => `${tenant}${path}: ${fault}`))
    }
  }
  expect(found).toEqual([])
})

/**
 * A picture from the server, not from the cache, where the original is stored for a minute until
 * its other sizes are made.
 */
const read = async (url: string) => {
  const blob = await (await fetch(url, { cache: 'reload' })).blob()
  const { width, height } = await createImageBitmap(blob)
  return { type: blob.type, width, height }
}

/** The contents of the meta elements of a page, by their names. */
const readMeta = async (path: string): Promise<Record<string, string[]>> => {
  const file = new DOMParser().parseFromString(await (await fetch(path)).text(), 'text/html')
  const contents: Record<string, string[]> = {}
  for (const meta of file.querySelectorAll<HTMLMetaElement>('meta[property], meta[name]')) {
    const name = meta.getAttribute('property') ?? meta.name
    contents[name] = [...(contents[name] ?? []), meta.content]
  }
  return contents
}

test.describe('pictures', () => {
  test('pages show stored pictures as AVIF in the width that fits', async ({ page, store }) => {
    await page.goto(store.at('aurora', '/products/slow-seasons'))
    const poster = page.getByRole('main').locator('picture').first()
    await expect
      .poll(() => poster.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    const shown = await poster.locator('img').evaluate((image: HTMLImageElement) => image.currentSrc)
    expect(shown).toMatch(/\/media\/variants\/.+\/(640|960|1280)\.avif/)
    await expect.poll(() => page.evaluate(read, shown), { timeout: 180_000 }).toMatchObject({ type: 'image/avif' })
  })

  test('every public page has a share image of 1200 × 630 as JPEG: products their own, others the store’s', async ({
    page,
    store,
  }) => {
    // Its pages are fetched and parsed, from a file of the store that costs nothing to show.
    await page.goto(store.at('aurora', '/favicon.svg'))
    const imageOf = new Map<string, string>()
    for (const path of ['/', '/products', '/products/slow-seasons', '/plans', '/notices', '/faq', '/pages/terms']) {
      const contents = await page.evaluate(readMeta, path)
      expect(contents, path).toMatchObject({
        'og:image': [expect.any(String)],
        'og:image:width': ['1200'],
        'og:image:height': ['630'],
        'og:image:type': ['image/jpeg'],
        'og:image:alt': [expect.stringMatching(/\w/)],
        'twitter:card': ['summary_large_image'],
        'twitter:image': contents['og:image'],
      })
      imageOf.set(path, contents['og:image']![0]!)
    }
    const ownImage = imageOf.get('/products/slow-seasons')!
    expect(ownImage).toContain('/slow-seasons')
    expect(new Set([...imageOf].filter(([path]) => !path.includes('slow')).map(([, url]) => url)).size).toBe(1)
    for (const url of new Set(imageOf.values())) {
      await expect
        .poll(() => page.evaluate(read, url), { message: url, timeout: 180_000 })
        .toEqual({ type: 'image/jpeg', width: 1200, height: 630 })
    }
  })
})
