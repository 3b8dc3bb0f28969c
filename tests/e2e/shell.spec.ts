import type { Page } from 'playwright/test'
import { axeViolationsInBoth } from './axe'
import { openModal } from './conformance-page'
import { callApi } from './requests'
import { expect, test } from './store'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('an unknown URL answers 404 with an error page inside the store', async ({ page, store }) => {
  store.expected.push(/404/)
  const response = await page.goto('/no/such/page')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('main')).toContainText('Page not found: /no/such/page')
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await page.goto('/products/no-such-product')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('switching the language keeps the page and its filters, and sets the direction', async ({ page }) => {
  await page.goto('/products?sort=createdAt,ASC')
  await page.waitForLoadState('networkidle')
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: '한국어' })
    .or(page.getByRole('contentinfo').getByRole('button', { name: '한국어' }))
    .click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  expect(page.url()).toMatch(/sort/)
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'locale')
  expect(cookie).toMatchObject({ value: 'ko', path: '/', sameSite: 'Lax' })
  expect((cookie!.expires - Date.now() / 1000) / 86_400).toBeGreaterThan(360)
  await page.goto(page.url())
  await page.waitForLoadState('networkidle')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: 'العربية' })
    .or(page.getByRole('contentinfo').getByRole('button', { name: 'العربية' }))
    .click()
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
})

test('an unknown modal shows a toast at the top right, which closes after three seconds', async ({ page }) => {
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  const toast = page.getByText('modal component loading error')
  const root = page.locator('[data-scope=toast][data-part=root]').first()
  // The pointer holds it.
  await expect(async () => {
    await openModal(page, { name: 'nothingLikeIt', visible: true })
    await root.hover({ timeout: 2_000 })
  }).toPass()
  const box = await root.boundingBox()
  expect(Math.round(box!.width)).toBe(400)
  expect(box!.x + box!.width).toBeGreaterThan(1280 - 80)
  await page.mouse.move(10, 300)
  await expect(toast).toBeHidden({ timeout: 6_000 })
})

test('pages load no document while their build is the latest, and after a new build the next one does', async ({
  page,
}) => {
  const untilPolled = async () => {
    const requested = page.waitForResponse(/\/builds\/latest\.json/)
    await page.clock.runFor(65_000)
    await (await requested).finished()
    // The page has read that answer once it has this one.
    await page.evaluate(async () => (await fetch('/favicon.svg')).text())
  }
  await page.clock.install()
  await page.goto('/')
  await untilPolled()
  await page.evaluate(() => document.body.setAttribute('data-same-document', ''))
  await page.getByRole('link', { name: 'Videos' }).first().click()
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Videos' })).toBeVisible()
  await expect(page.locator('body')).toHaveAttribute('data-same-document')

  await page.route(/\/builds\/latest\.json/, (route) => route.fulfill({ json: { id: 'a-newer-build' } }))
  await untilPolled()
  const loaded = page.waitForEvent('load')
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
  await loaded
  await expect(page).toHaveURL(/\/faq/)
})

test('a missing build manifest is tolerated', async ({ page, store }) => {
  store.expected.push(/404/)
  await page.route(/\/builds\/latest\.json/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.clock.install()
  await page.goto('/')
  const requested = page.waitForResponse(/\/builds\/latest\.json/)
  await page.clock.runFor(125_000)
  await requested
  await page.getByRole('link', { name: 'Videos' }).first().click()
  await expect(page).toHaveURL(/\/videos/)
})

test('a server error shows its status, message, request id and a link to the home page', async ({ page, store }) => {
  store.expected.push(/500/, /ERR_FAILED/, /could not be shown/)
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  await test.step('the screen replaces the page, with its own title', () => seeErrorScreen(page))
  await test.step('a page whose data cannot be reached says so, and can be tried again', () => tryAgain(page))
  await failWith500(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Notices' }).click()
  await expect(page).toHaveTitle(/^Error 500 · /)
  await page.unroute(/_serverFn/)
  await page.getByRole('link', { name: 'Go to home page' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'New arrivals' })).toBeVisible()
})

const failWith500 = (page: Page) =>
  page.route(/_serverFn/, (route) => route.fulfill({ status: 500, json: { code: 'SERVER_ERROR' } }))

async function seeErrorScreen(page: Page) {
  const title = await page.title()
  await failWith500(page)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Videos' }).click()
  await expect(page.getByRole('main').getByText('500', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to home page' })).toBeVisible()
  await expect(page).toHaveTitle(/^Error 500 · /)
  await expect(page.locator('title')).toHaveCount(1)
  await expect(page.getByRole('main')).toHaveCount(1)
  await expect(page.getByRole('banner')).toHaveCount(1)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])
  await page.unroute(/_serverFn/)
  await page.goBack()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(page).toHaveTitle(title)
}

async function tryAgain(page: Page) {
  await page.route(/_serverFn/, (route) => route.abort())
  await page.getByRole('contentinfo').getByRole('link', { name: 'Videos' }).click()
  await expect(page.getByRole('main')).toContainText('We can’t reach the store. Check your connection and try again.')
  await expect(page).toHaveTitle(/^Error 503 · /)
  await page.unroute(/_serverFn/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveTitle(/^Videos · /)
}

test('every document has a strict Content-Security-Policy', async ({ page, store }) => {
  for (const path of ['/', '/products', '/login']) {
    const { status, headers } = await callApi(page, store.at('aurora'), path)
    expect(status, path).toBe(200)
    const policy = String(headers['content-security-policy'])
    const scripts = /script-src ([^;]+)/.exec(policy)?.[1] ?? ''
    expect(scripts, path).toMatch(/'(?:nonce|sha256)-/)
    expect(scripts, path).not.toContain('unsafe-inline')
    expect(policy, path).toMatch(/object-src 'none'/)
    expect(policy, path).toMatch(/frame-ancestors 'none'/)
  }
})

test('a wrong password shows an error in the form, and the email stays', async ({ page, store }) => {
  store.expected.push(/401/)
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill('member@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  // A toast shows the same text while it is open.
  await expect(page.getByRole('main').getByText('Incorrect email or password.')).toBeVisible()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('member@example.com')
})

test('a menu opened while the next page loads stays open', async ({ page, store }) => {
  await store.signIn()
  await page.goto('/')
  const arrived = Promise.withResolvers<void>()
  await page.route(/_serverFn/, async (route) => {
    await arrived.promise
    await route.continue()
  })
  const requested = page.waitForRequest(/_serverFn/)
  await page.getByRole('banner').getByRole('link', { name: 'Plans', exact: true }).click()
  await requested
  const menu = page.getByRole('banner').getByText('member@example.com')
  await page.getByRole('banner').locator('summary[aria-label="Your account"]').click()
  await expect(menu).toBeVisible()
  arrived.resolve()
  await expect(page).toHaveURL(/\/plans$/)
  await expect(page).toHaveTitle(/Plans/)
  await expect(menu).toBeVisible()
})
