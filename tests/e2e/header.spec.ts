import type { Page } from 'playwright/test'
import { expect, test } from './store'

const stores = ['aurora', 'hangang', 'salon', 'studio', 'paused', 'lapsed']
const locales = ['en', 'ko', 'ja', 'ar']
const desktop = [1024, 1280, 1366, 1440, 1536, 1920]
const usableSearch = 220

/**
 * How much of the store's name is shown, and how wide the search field is: 0 where it is an icon.
 */
const measure = (page: Page) =>
  page.evaluate(() => {
    const name = document.querySelector('a[aria-label] > span:not([aria-hidden])')
    const field = document.querySelector<HTMLElement>('header form')
    if (!name) return undefined
    const lines = Math.round(name.clientHeight / Number.parseFloat(getComputedStyle(name).lineHeight))
    return {
      cut: name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight + 6,
      lines,
      search: field?.offsetWidth ?? 0,
      sideways: document.documentElement.scrollWidth > innerWidth,
    }
  })

/** Follows the footer's link to a language, where a store is shown that offers it. */
async function chooseLanguage(page: Page, locale: string): Promise<boolean> {
  const link = page.getByRole('contentinfo').locator(`a[hreflang=${locale}]`)
  if ((await link.count()) === 0) return false
  await link.click()
  await expect(page.locator('html')).toHaveAttribute('lang', locale)
  // The store's own texts are read again in this language.
  await page.waitForFunction(() => window.__TSR_ROUTER__?.options.context.queryClient.isFetching() === 0)
  return true
}

for (const tenant of stores)
  test(`the header of ${tenant} shows the whole name of the store at every width and in every language`, async ({
    page,
    store,
  }) => {
    store.expected.push(/503/)
    for (const locale of locales) {
      // The header is the same on every page; this one is laid out quickly.
      if (!(await chooseLanguage(page, locale))) await page.goto(store.at(tenant, `/${locale}/faq`))
      for (const width of [360, 375, ...desktop]) {
        await page.setViewportSize({ width, height: 800 })
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        const shown = await measure(page)
        const where = `${locale} at ${width}`
        expect(shown, where).toMatchObject({ cut: false, sideways: false })
        if (width < 1000) continue
        expect(shown!.lines, where).toBe(1)
        if (shown!.search > 0) expect(shown!.search, where).toBeGreaterThanOrEqual(usableSearch)
      }
    }
  })

test('a link that does not fit in the header is shown when the keyboard reaches it', async ({ page, store }) => {
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.goto(store.at('hangang', '/en'))
  const links = page.getByRole('banner').getByRole('navigation', { name: 'Main' }).locator('> div > a')
  const last = links.last()
  await expect(last).not.toBeInViewport()
  await links.first().focus()
  for (let left = await links.count(); left > 1; left--) await page.keyboard.press('Tab')
  await expect(last).toBeFocused()
  await expect(last).toBeInViewport()
})
