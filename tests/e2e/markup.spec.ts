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

test.describe('HTML from the server', () => {
  test.use({ javaScriptEnabled: false })

  test('the markup of each page passes the W3C checker', async ({ page, store }) => {
    const found: string[] = []
    for (const tenant of ['aurora', 'hangang']) {
      for (const path of tenant === 'aurora' ? pages : ['/', '/products']) {
        await page.goto(store.at(tenant, path))
        for (const [name, selector] of Object.entries(faults))
          if ((await page.locator(selector).count()) > 0) found.push(`${tenant}${path}: ${name}`)
        const candidates = await page
          .locator(':is(img, source)[sizes][srcset]')
          .evaluateAll((pictures) => pictures.flatMap((picture) => picture.getAttribute('srcset')!.split(/,\s+/)))
        for (const candidate of candidates)
          if (!/ \d+w$/.test(candidate)) found.push(`${tenant}${path}: no width for ${candidate}`)
      }
    }
    expect(found).toEqual([])
  })
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
    const imageOf = new Map<string, string>()
    for (const path of ['/', '/products', '/products/slow-seasons', '/plans', '/notices', '/faq', '/pages/terms']) {
      await page.goto(store.at('aurora', path))
      const content = (name: string) =>
        page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content')
      expect(await content('og:image:width'), path).toBe('1200')
      expect(await content('og:image:height'), path).toBe('630')
      expect(await content('og:image:type'), path).toBe('image/jpeg')
      expect(await content('og:image:alt'), path).toMatch(/\w/)
      expect(await content('twitter:card'), path).toBe('summary_large_image')
      imageOf.set(path, (await content('og:image')) ?? '')
      expect(await content('twitter:image'), path).toBe(imageOf.get(path))
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
