import type { Route } from 'playwright/test'
import { callApi } from './requests'
import { expect, secondsPlayed, test } from './store'

test('each section of the home page links to its products', async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Aurora/)
  await expect(page.locator('title')).toHaveCount(1)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  for (const section of ['New arrivals', 'Most played', 'Films'])
    await expect(page.getByRole('heading', { name: section })).toBeVisible()
  await page.getByRole('link', { name: 'The Last Light', exact: true }).first().click()
  await expect(page).toHaveURL(/\/products\/the-last-light$/)
  await expect(page.getByRole('heading', { level: 1, name: 'The Last Light' })).toBeVisible()
})

test('filters of a list are in its URL, and Back restores the list', async ({ page }) => {
  await page.goto('/products')
  await page.getByRole('checkbox', { name: /^Free/ }).check()
  await expect(page).toHaveURL(/access/)
  const narrowed = page.url()
  const titles = page.getByRole('main').getByRole('article')
  await expect(titles).toHaveCount(12)

  await page.goto(narrowed)
  await expect(titles).toHaveCount(12)
  await page.getByRole('main').getByRole('article').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/products\/[a-z]/)
  await page.goBack()
  await expect(page).toHaveURL(narrowed)
  await expect(titles).toHaveCount(12)
})

test('each page of a list has a URL, and invalid parameters are ignored', async ({ page }) => {
  await page.goto('/products?page=2')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
  await page.goto('/products?page=banana&sort=sideways&kind=nothing')
  await expect(page.getByRole('main').getByRole('article')).not.toHaveCount(0)
})

test('a page that the browser never finds idle is hydrated as a whole', async ({ page }) => {
  await page.addInitScript(() => {
    window.requestIdleCallback = (run, { timeout } = {}) =>
      timeout === undefined ? 0 : window.setTimeout(() => run({ didTimeout: true, timeRemaining: () => 0 }), timeout)
  })
  await page.goto('/products')
  await expect(page.getByRole('main').getByRole('article').first()).toBeVisible()
})

test('a search in any encoding is hydrated without rendering again', async ({ page }) => {
  for (const search of ['sort=createdAt,ASC', 'sort=createdAt%2CASC', 'tag=award&q=', 'kind=VOD&kind=PAY']) {
    await page.goto(`/products?${search}`)
    await expect(page.getByRole('main').getByRole('article').first(), search).toBeVisible()
  }
})

test('a Korean search finds parts of words, initial consonants and a mistyped letter', async ({ page, store }) => {
  for (const typed of ['드로잉', '로잉', 'ㄷㄹㅇ', '드르잉']) {
    const { text } = await callApi(page, store.at('hangang'), `/ko/products?q=${encodeURIComponent(typed)}`)
    const results = await page.evaluate(
      (html) =>
        Array.from(
          new DOMParser().parseFromString(html, 'text/html').querySelectorAll('main article'),
          ({ textContent }) => textContent,
        ),
      text,
    )
    expect(results, typed).toContainEqual(expect.stringContaining('드로잉'))
  }
})

test('results appear while typing and can be walked by keyboard', async ({ page }) => {
  await page.goto('/')
  const field = page.getByRole('combobox', { name: 'Search the store' })
  await field.click()
  await field.pressSequentially('satur')
  await expect(page.getByRole('option').first()).toContainText('Eleven Years to Saturn')
  await field.press('ArrowDown')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/products\/eleven-years-to-saturn/)
})

test('the active result stays active when results of the next letter arrive', async ({ page }) => {
  await page.goto('/')
  const field = page.getByRole('combobox', { name: 'Search the store' })
  await field.click()
  await field.pressSequentially('a')
  const notes = page.getByRole('option', { name: /Notes from the Animation Desk/ })
  await expect(notes).toBeVisible()

  const secondRequest = Promise.withResolvers<Route>()
  await page.route(/_serverFn/, secondRequest.resolve, { times: 1 })
  await field.pressSequentially('n')
  const heldRequest = await secondRequest.promise
  await field.press('ArrowDown')
  await field.press('ArrowDown')
  await expect(notes).toHaveAttribute('aria-selected', 'true')
  await heldRequest.continue()
  await expect(page.getByRole('option', { name: /And So On/ })).toBeVisible()
  await expect(notes).toHaveAttribute('aria-selected', 'true')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/products\/notes-from-the-animation-desk/)
})

test('a search without results suggests a next step', async ({ page }) => {
  await page.goto('/products?q=zzzzqqqq')
  await expect(page.getByRole('main')).toContainText(/No|Nothing/)
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible()
})

test('anyone may watch the preview, in a modal of 720 px', async ({ page }) => {
  await page.goto('/products/the-last-light')
  await page
    .getByRole('button', { name: /Preview/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect.poll(async () => Math.round((await dialog.boundingBox())?.width ?? 0)).toBe(720)
  await expect.poll(() => secondsPlayed(dialog)).toBeGreaterThan(0.5)
})

test('notices, FAQ and text pages are readable', async ({ page }) => {
  await page.goto('/notices')
  await page.getByRole('main').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/notices\/[0-9a-f-]{36}/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/faq')
  await expect(page.locator('details').first()).toBeVisible()
  await page.locator('details summary').first().click()
  await expect(page.locator('details[open]').first()).toBeVisible()
  for (const type of ['terms', 'privacy', 'refund', 'about']) {
    await page.goto(`/pages/${type}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
})
