import { expect, test } from './store'

/** What the W3C checker calls errors and this store has had, each as a selector that must match nothing in what the server sends. */
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

test.describe('what the server sends', () => {
  test.use({ javaScriptEnabled: false })

  test('is free of what the W3C checker refuses', async ({ page, store }) => {
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
