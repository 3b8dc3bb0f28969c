import type { Page } from 'playwright/test'
import { expect, test } from './store'

test.use({ serviceWorkers: 'allow' })

/** Opens a page, and waits until its worker answers for it. */
async function openWithWorker(page: Page, address: string) {
  await page.goto(address)
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

const offlineTexts = [
  ['en', 'You’re offline', 'Try again', 'ltr'],
  ['ko', '오프라인 상태예요', '다시 시도', 'ltr'],
  ['ja', 'オフラインです', '再試行', 'ltr'],
  ['ar', 'أنت غير متصل بالإنترنت', 'إعادة المحاولة', 'rtl'],
] as const

test('a page that fails offline shows the offline page in the visitor’s language, and loads when online', async ({
  page,
  context,
  store,
}) => {
  store.expected.push(/ERR_INTERNET_DISCONNECTED|Failed to load resource|503/)
  await openWithWorker(page, store.at('aurora', '/faq'))
  await context.setOffline(true)
  for (const [language, title, again, direction] of offlineTexts) {
    await page.evaluate((path) => window.location.assign(path), `/${language}/notices`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(page.locator('html')).toHaveAttribute('dir', direction)
    await expect(page).toHaveTitle(`${title} · Aurora`)
    await expect(page.getByRole('button', { name: again })).toBeVisible()
  }
  await page.evaluate(() => window.location.assign('/notices'))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('status')).toHaveText('Still offline. We’ll keep trying.')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Notices')
  expect(new URL(page.url()).pathname).toBe('/notices')
})

test('a link that fails offline shows the offline page, and its page loads when online', async ({
  page,
  context,
  store,
}) => {
  store.expected.push(/ERR_INTERNET_DISCONNECTED|Failed to (?:load|fetch)|503|dynamically imported|could not be/)
  await openWithWorker(page, store.at('aurora', '/faq'))
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Videos' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline')
  expect(new URL(page.url()).pathname).toBe('/videos')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Videos')
})

test('the service worker stores nothing, answers pages only, and can be removed', async ({ page, store }) => {
  await openWithWorker(page, store.at('hangang', '/products'))
  const read = () =>
    page.evaluate(async () => ({
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      answered: performance
        .getEntriesByType('resource')
        .filter((entry) => !/^(?:network|)$/.test(entry.toJSON().workerFinalSourceType)).length,
    }))
  await page.goto(page.url())
  expect(await read()).toEqual({ caches: [], workers: 1, answered: 0 })
  store.expected.push(/favicon\.ico/)
  // A file of the store registers nothing.
  const file = store.at('hangang', '/robots.txt')
  await page.goto(file)
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister())
  await page.goto(file)
  expect(await read()).toEqual({ caches: [], workers: 0, answered: 0 })
})

test('an action without network keeps the page, says so, and is done when the network returns', async ({
  page,
  context,
  store,
}) => {
  store.expected.push(/ERR_INTERNET_DISCONNECTED|Failed to (?:load|fetch)|dynamically imported/)
  await store.signIn()
  await page.goto(store.at('aurora', '/products/herbarium'))
  const likeButton = page.getByRole('button', { name: /^Wish list/ })
  await expect(likeButton).toHaveAttribute('aria-pressed', 'false')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  const toast = page.getByText('This will be sent when you’re back online. Keep this page open.')
  const saved = page.waitForResponse((response) => /\bliked\b/.test(response.request().postData() ?? ''))
  // It shows for three seconds: at once, or when its part of the page can be loaded.
  await Promise.all([
    expect(toast).toBeVisible(),
    (async () => {
      await likeButton.press('Enter')
      await expect(likeButton).toHaveAttribute('aria-pressed', 'true')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Herbarium')
      await context.setOffline(false)
    })(),
  ])
  await saved
  await page.reload()
  await expect(likeButton).toHaveAttribute('aria-pressed', 'true')
})
