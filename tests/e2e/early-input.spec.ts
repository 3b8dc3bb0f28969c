import type { Page } from 'playwright/test'
import { expect, test } from './store'

/** Opens a page without its scripts, lets `fill` use it, and then lets the scripts run. */
async function fillBeforeScripts(page: Page, path: string, fill: () => Promise<void>) {
  const { promise: filled, resolve: letScriptsRun } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await filled
    await route.continue().catch(() => {})
  })
  const opened = page.goto(path)
  await fill()
  letScriptsRun()
  await opened
  await page.unrouteAll({ behavior: 'wait' })
}

test('a comment typed before the scripts have loaded can be posted', async ({ page, store }) => {
  await store.signIn()
  const text = page.getByRole('main').locator('form textarea').first()
  await fillBeforeScripts(page, '/products/night-shift', () => text.fill('Typed early'))
  await expect(text).toHaveValue('Typed early')
  await expect(page.getByRole('button', { name: 'Post comment' })).toBeEnabled()
})

test('a button pressed before the scripts have loaded acts once, when they are there', async ({ page }) => {
  const replies = page.getByRole('region', { name: 'Comments' }).getByRole('button', { name: '1 reply' }).first()
  await fillBeforeScripts(page, '/products/blue-hour', () => replies.click())
  await expect(replies).toHaveAttribute('aria-expanded', 'true')
})

test('a filter chosen before the scripts have loaded applies', async ({ page }) => {
  const choice = page.getByRole('complementary', { name: 'Filters' }).getByRole('checkbox').first()
  await fillBeforeScripts(page, '/products', () => choice.check())
  await expect(page).toHaveURL(/[?&]access=/)
  await expect(choice).toBeChecked()
})

test('a question typed before the scripts have loaded filters the FAQ', async ({ page }) => {
  const field = page.getByLabel('Search FAQ')
  await fillBeforeScripts(page, '/faq', () => field.fill('refund'))
  await expect(page).toHaveURL(/\?q=refund$/)
  await expect(field).toHaveValue('refund')
})

test('an option chosen before the scripts have loaded is the one that is bought', async ({ page }) => {
  const options = page.getByRole('main').locator('form[action="/carts"]').first().getByRole('radio')
  const film = '/products/the-last-light'
  await fillBeforeScripts(page, film, () => options.last().check())
  const id = await options.last().getAttribute('value')
  await expect(options.last()).toBeChecked()
  await expect(page.locator(`main a[href*="option=${id}"]`).first()).toBeVisible()
})

test('a choice made before the scripts of the profile have loaded can be saved', async ({ page, store }) => {
  await store.signIn('second@example.com')
  const choice = page.getByRole('checkbox', { name: 'Email me about new titles and offers.' })
  let chosen = false
  await fillBeforeScripts(page, '/mypages/profile', async () => {
    await choice.click()
    chosen = await choice.isChecked()
  })
  const saved = page.waitForResponse((answer) => answer.request().method() === 'POST')
  await page.locator('#preferences').getByRole('button', { name: 'Save' }).click()
  expect((await saved).status()).toBe(200)
  await page.reload()
  expect(await choice.isChecked()).toBe(chosen)
})

/** Holds the script of a product's parts until the returned function is called. */
async function holdProductParts(page: Page) {
  const { promise: wanted, resolve } = Promise.withResolvers<void>()
  const held: string[] = []
  await page.route(/\/assets\/.*\.js/, async (route) => {
    const isHeld = /\/product-parts-[^/]*\.js$/.test(route.request().url())
    if (isHeld) held.push(route.request().url())
    if (isHeld) await wanted
    await route.continue().catch(() => {})
  })
  return { held, release: resolve }
}

test('a button pressed before its part has loaded acts once, when it is there', async ({ page }) => {
  const { held, release } = await holdProductParts(page)
  const opened = page.goto('/products/blue-hour')
  const comments = page.getByRole('region', { name: 'Comments' })
  const replies = comments.getByRole('button', { name: '1 reply' }).first()
  // The other parts are there: the page answers a press.
  const picture = page.getByRole('main').locator('li > button[aria-label]').last()
  await expect(async () => {
    await picture.click()
    await expect(picture).toHaveAttribute('aria-current', 'true', { timeout: 100 })
  }).toPass()
  await replies.click()
  await expect(replies).toHaveAttribute('aria-expanded', 'false')
  expect(held).not.toEqual([])
  release()
  await expect(replies).toHaveAttribute('aria-expanded', 'true')
  await opened
  await page.unrouteAll({ behavior: 'wait' })
  await expect(replies).toHaveAttribute('aria-expanded', 'true')
})

test('an option chosen before the panel has loaded is the one that is bought', async ({ page }) => {
  const { held, release } = await holdProductParts(page)
  const opened = page.goto('/products/blue-hour')
  const option = page.getByRole('main').getByRole('radio').last()
  await option.check()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const id = (await option.getAttribute('value')) ?? ''
  const buy = page.locator('#buy').getByRole('link', { name: /^Buy/ })
  expect(await buy.getAttribute('href')).not.toContain(id)
  await buy.click()
  release()
  await page.waitForURL((url) => decodeURIComponent(url.href).includes(`option=${id}`))
  await opened
  await page.unrouteAll({ behavior: 'wait' })
})

test('an icon that is shown before the header has loaded gets its shape with the header', async ({ page }) => {
  const { promise: wanted, resolve: loadHeader } = Promise.withResolvers<void>()
  await page.route(/\/assets\/later-.*\.js/, async (route) => {
    await wanted
    await route.continue().catch(() => {})
  })
  const opened = page.goto('/login')
  const hide = page.getByRole('button', { name: 'Hide password' })
  await expect(async () => {
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(hide).toBeVisible({ timeout: 100 })
  }).toPass()
  loadHeader()
  await opened
  await page.unrouteAll({ behavior: 'wait' })
  await expect(hide.locator('path')).toHaveAttribute('d', /16 16$/)
})
