import type { Page } from 'playwright/test'
import { cookieOf, footerLink, openModal, previewDetail, submitLogin } from './conformance-page'
import { callApi } from './requests'
import { expect, secondsPlayed, test } from './store'

test('§8 Missing customer code: error thrown', async ({ page, store, baseURL }) => {
  store.expected.push(/400/)
  // An address of no store, with the cookie of a store that does not exist.
  const url = `http://127.0.0.1:${new URL(baseURL!).port}`
  await page.context().addCookies([{ name: 'customerCode', value: 'no-such-store', url }])
  expect((await page.goto(`${url}/products`))?.status()).toBe(400)
  await expect(page.getByRole('main')).toContainText('The customer code is missing')
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(0)
})

const account = (page: Page) => page.getByRole('banner').locator('summary[aria-label="Your account"]')

test('§4 A token cookie triggers a user fetch; if it fails, approval is cancelled', async ({ page, baseURL }) => {
  await page.context().addCookies([{ name: 'token', value: 'names-nobody', url: baseURL! }])
  await page.goto('/faq')
  expect(await cookieOf(page, 'token')).toBeUndefined()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('§3 Result values: success, error', async ({ page, store }) => {
  const ended = await callApi(page, store.at('aurora'), '/api/cancel-approval')
  expect(JSON.parse(ended.text)).toMatchObject({ result: 'success' })
  const refused = await callApi(page, store.at('aurora'), '/api/approval', {})
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text)).toMatchObject({ result: 'error' })
})

test('§4 A login with a Bearer token result also registers approval with the app server', async ({ page, store }) => {
  const approved = page.waitForRequest('**/api/approval')
  await store.signInByForm()
  const request = await approved
  expect(request.postDataJSON()).toMatchObject({ tokenType: 'Bearer' })
  await test.step('§7 Same-origin call: POST /api/approval with the login data', async () => {
    expect(request.method()).toBe('POST')
    expect(Object.keys(request.postDataJSON()).sort()).toEqual(['expiresAt', 'token', 'tokenType'])
    expect((await request.response())?.status()).toBe(200)
  })
  expect(await cookieOf(page, 'token')).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  await test.step('§4 Logged in: a user record is loaded', async () => {
    await account(page).click()
    await expect(page.getByRole('banner').getByText('member@example.com')).toBeVisible()
  })
  await test.step('§7 Same-origin call: GET /api/cancel-approval', async () => {
    const cancelled = page.waitForRequest(/\/api\/cancel-approval/)
    await page.getByRole('link', { name: 'Sign out' }).click()
    expect((await cancelled).method()).toBe('GET')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
    expect(await cookieOf(page, 'token')).toBeUndefined()
  })
})

test('§4 A modal is cleared 1 second after closing: its stored errors are cleaned and its content reset', async ({
  page,
  store,
}) => {
  store.expected.push(/422/)
  const refusal = 'This address is not one we know.'
  const problem = {
    status: 422,
    code: 'VALIDATION_FAILED',
    message: '',
    requestId: '',
    errors: { email: [refusal] },
  }
  await page.goto('/login')
  const detail = await previewDetail(page)
  await page.getByLabel('Email', { exact: true }).fill('member@example.com')
  await page.getByLabel('Password', { exact: true }).fill('some password')
  await openModal(page, detail)
  await expect.poll(() => secondsPlayed(page.getByRole('dialog'))).toBeGreaterThan(0)
  // The form behind the modal is refused: the modal itself asks for nothing that could be.
  await page.route(/_serverFn/, (route) => route.fulfill({ status: 422, json: { result: { ok: false, problem } } }))
  await page.evaluate(() => document.querySelector<HTMLFormElement>('main form')?.requestSubmit())
  await expect(page.getByText(refusal)).toBeAttached()
  // Both are timed in the page, where no other work of this machine comes between.
  const cleared = await page.evaluate(
    (words) =>
      new Promise<number>((resolve) => {
        const closed = performance.now()
        window.dispatchEvent(new CustomEvent('modal:close', { detail: { name: 'videoPreview', visible: false } }))
        const timer = setInterval(() => {
          if (document.body.textContent?.includes(words)) return
          clearInterval(timer)
          resolve(performance.now() - closed)
        }, 20)
      }),
    refusal,
  )
  expect(cleared).toBeGreaterThan(950)
  expect(cleared).toBeLessThan(4000)
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('§8 Only fatal or unhandled errors trigger the global error screen', async ({ page, store }) => {
  store.expected.push(/401/, /404/)
  await page.goto('/login')
  await submitLogin(page, 'not the password')
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await test.step("§9 English label 'Enter a password'", async () => {
    await submitLogin(page, '')
    await expect(page.getByRole('main').getByText('Enter a password')).toBeVisible()
  })
  await page.goto('/products/no-such-product')
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(page.getByText('Something went wrong on our side.')).toHaveCount(0)
})

test.describe('a crawler', () => {
  test.use({ userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })

  test('§8 Errors seen by crawler-like browsers are logged and the error page is not rendered', async ({
    page,
    store,
  }) => {
    store.expected.push(/500/, /could not be shown/)
    await page.goto('/faq')
    await page.waitForLoadState('networkidle')
    await page.route(/_serverFn/, (route) => route.fulfill({ status: 500, json: { code: 'SERVER_ERROR' } }))
    const logged = page.waitForEvent('console', (message) => message.text().includes('A page could not be shown.'))
    await footerLink(page, 'Videos').click()
    await logged
    await expect(page.getByRole('link', { name: 'Go to home page' })).toHaveCount(0)
    await expect(page.getByText('Something went wrong on our side.')).toHaveCount(0)
  })
})

test('§8 Chunk-load errors trigger a full reload to the target path', async ({ page, store }) => {
  store.expected.push(/404|Failed to load|dynamically imported module/)
  await page.goto('/faq')
  await page.evaluate(() => {
    Object.assign(window, { thisVeryPage: true })
    const shown = () =>
      document.body.textContent?.includes('Something went wrong on our side') && sessionStorage.setItem('shown', '')
    new MutationObserver(shown).observe(document, { childList: true, subtree: true })
  })
  await page.route(/\/assets\/notice.*\.js/, (route) => route.fulfill({ status: 404, body: '' }), { times: 4 })
  // The new document is delayed, so that the old one stays visible.
  const logged = page.waitForEvent('console', (message) => /module|component/.test(message.text()))
  await page.route(/\/notices$/, async (route) => {
    await logged
    await route.continue()
  })
  const loaded = page.waitForEvent('load')
  await footerLink(page, 'Notices').click()
  await loaded
  await expect(page).toHaveURL(/\/notices$/)
  expect(await page.evaluate(() => 'thisVeryPage' in window)).toBe(false)
  expect(await page.evaluate(() => sessionStorage.getItem('shown'))).toBeNull()
})
