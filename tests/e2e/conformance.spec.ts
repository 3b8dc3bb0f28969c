import type { Page } from 'playwright/test'
import { expect, secondsPlayed, test } from './store'

const openModal = (page: Page, detail: object) =>
  page.evaluate((given) => window.dispatchEvent(new CustomEvent('modal:open', { detail: given })), detail)
const closeModal = (page: Page, name: string) =>
  page.evaluate(
    (given) => window.dispatchEvent(new CustomEvent('modal:close', { detail: { name: given, visible: false } })),
    name,
  )

/** What the event carries that opens the preview of a film. */
const previewDetail = (page: Page) =>
  page.evaluate(async () => {
    const response = await fetch('/api/v1/customers/aurora/new-products/the-last-light')
    const { id, previewId, code, title } = await response.json()
    return { name: 'videoPreview', visible: true, data: { productId: id, previewId, code, title } }
  })

/** A cookie of the store the page stands in. */
const cookieOf = async (page: Page, name: string) =>
  (await page.context().cookies(page.url())).find((cookie) => cookie.name === name)

test('§1 Visitors (guests) browse categories', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Browse' }).click()
  await page.getByRole('navigation', { name: 'Categories' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/products\?category=/)
  await expect(page.getByRole('main').getByRole('article')).not.toHaveCount(0)
})

test('§1 The customer code is kept in a cookie (SameSite Lax, path /)', async ({ page, store }) => {
  for (const tenant of ['aurora', 'hangang']) {
    await page.goto(store.at(tenant))
    expect(await cookieOf(page, 'customerCode')).toMatchObject({ value: tenant, sameSite: 'Lax', path: '/' })
  }
})

/** An address of no store, with the cookie of a store that does not exist. */
const nowhere = async (page: Page, base: string) => {
  const { port } = new URL(base)
  const url = `http://127.0.0.1:${port}`
  await page.context().addCookies([{ name: 'customerCode', value: 'no-such-store', url }])
  return page.goto(`${url}/products`)
}

test('§1 A missing customer code is an error', async ({ page, store, baseURL }) => {
  store.expected.push(/400/)
  expect((await nowhere(page, baseURL!))?.status()).toBe(400)
})

test('§8 Missing customer code: error thrown', async ({ page, store, baseURL }) => {
  store.expected.push(/400/)
  await nowhere(page, baseURL!)
  await expect(page.getByRole('main')).toContainText('The customer code is missing')
  await expect(page.getByRole('main').getByRole('article')).toHaveCount(0)
})

test('§1 The locale cookie lives 365 days, path /, SameSite lax', async ({ page }) => {
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  await footerLink(page, '한국어').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  const cookie = await cookieOf(page, 'locale')
  expect(cookie).toMatchObject({ value: 'ko', path: '/', sameSite: 'Lax' })
  expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(365)
})

const footerLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name })

test('§2 A default layout and an error layout', async ({ page, store }) => {
  store.expected.push(/503/)
  await page.goto('/faq')
  await expect(page.getByRole('banner').getByRole('navigation').first()).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await page.goto(store.at('paused'))
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
})

test('§2 Navigation: user load when a token exists', async ({ page, baseURL }) => {
  const setsToken = async () => /(^|\n)token=/.test((await (await page.goto('/faq'))?.headerValue('set-cookie')) ?? '')
  // A guest's visit has nobody to load; a token that names nobody is found out by loading.
  expect(await setsToken()).toBe(false)
  await page.context().addCookies([{ name: 'token', value: 'names-nobody', url: baseURL! }])
  expect(await setsToken()).toBe(true)
})

test('§4 A token cookie triggers a user fetch; if it fails, approval is cancelled', async ({ page, baseURL }) => {
  await page.context().addCookies([{ name: 'token', value: 'names-nobody', url: baseURL! }])
  await page.goto('/faq')
  expect(await cookieOf(page, 'token')).toBeUndefined()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('§2 Navigation: close the category menu', async ({ page }) => {
  await page.goto('/')
  const menu = page.getByRole('navigation', { name: 'Categories' })
  await page.getByRole('button', { name: 'Browse' }).click()
  await expect(menu).toBeVisible()
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('footer a[href="/faq"]')?.click())
  await expect(page).toHaveURL(/\/faq$/)
  await expect(menu).toBeHidden()
})

test('§2 App shell: page outlet', async ({ page }) => {
  await page.goto('/faq')
  const shell = page.getByRole('contentinfo')
  await shell.evaluate((element) => element.setAttribute('data-kept', ''))
  await footerLink(page, 'Notices').click()
  await expect(page).toHaveURL(/\/notices$/)
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Notices' })).toBeVisible()
  await expect(shell).toHaveAttribute('data-kept')
})

test('§2 App shell: a modal container opens a named modal on a global event and closes it on a close event', async ({
  page,
}) => {
  await page.goto('/faq')
  await openModal(page, await previewDetail(page))
  await expect(page.getByRole('dialog', { name: 'Preview' })).toBeVisible()
  await closeModal(page, 'videoPreview')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('§3 Modal event detail: name, visible, data', async ({ page }) => {
  await page.goto('/faq')
  const opened = page.evaluate(
    () =>
      new Promise<unknown>((resolve) =>
        window.addEventListener('modal:open', ({ detail }: CustomEvent) => resolve(detail), { once: true }),
      ),
  )
  const detail = await previewDetail(page)
  await openModal(page, detail)
  expect(await opened).toEqual(detail)
  // `name` chose the modal, `data` is the film that it shows.
  await expect(page.getByRole('dialog').getByRole('region', { name: /The Last Light/ })).toBeVisible()
})

test('§2 Modal width 440px', async ({ page, store }) => {
  await store.signIn('second@example.com')
  await page.goto('/products/the-last-light')
  await page.getByRole('button', { name: 'What to do with this comment' }).first().click()
  await page.getByRole('menuitem', { name: /Report|Delete/ }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect.poll(async () => Math.round((await dialog.boundingBox())?.width ?? 0)).toBe(440)
})

const account = (page: Page) => page.getByRole('banner').locator('summary[aria-label="Your account"]')
const robots = (page: Page) => page.locator('meta[name=robots]')

test('§2 The favicon and page title come from the base settings', async ({ page, store }) => {
  for (const tenant of ['aurora', 'hangang']) {
    await page.goto(store.at(tenant))
    const { base, seo } = await page.evaluate(
      async (code) => (await fetch(`/api/v1/customers/${code}/site-settings`)).json(),
      tenant,
    )
    await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', base.faviconPublicUrl)
    await expect(page).toHaveTitle(seo.title ?? base.name)
  }
})

test('§2 Robots meta is index,follow when SEO is enabled', async ({ page }) => {
  await page.goto('/')
  await expect(robots(page)).toHaveAttribute('content', 'index,follow')
})

test('§2 Robots meta is noindex,nofollow otherwise', async ({ page, store }) => {
  await page.goto(store.at('salon', '/faq'))
  await expect(robots(page)).toHaveAttribute('content', 'noindex,nofollow')
})

test('§3 Result values: success, error', async ({ page, store }) => {
  store.expected.push(/400/)
  await page.goto('/faq')
  const results = await page.evaluate(async () => {
    const ended = await fetch('/api/cancel-approval')
    const refused = await fetch('/api/approval', { method: 'POST', body: '{}' })
    return [(await ended.json()).result, (await refused.json()).result]
  })
  expect(results).toEqual(['success', 'error'])
})

test('§4 Logged in: a user record is loaded', async ({ page, store }) => {
  await store.signIn()
  await account(page).click()
  await expect(page.getByRole('banner').getByText('member@example.com')).toBeVisible()
})

test('§4 A login with a Bearer token result also registers approval with the app server', async ({ page, store }) => {
  const approved = page.waitForRequest('**/api/approval')
  await store.signIn()
  expect((await approved).postDataJSON()).toMatchObject({ tokenType: 'Bearer' })
  expect(await cookieOf(page, 'token')).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
})

test('§7 Same-origin call: POST /api/approval with the login data', async ({ page, store }) => {
  const approved = page.waitForRequest('**/api/approval')
  await store.signIn()
  const request = await approved
  expect(request.method()).toBe('POST')
  expect(Object.keys(request.postDataJSON()).sort()).toEqual(['expiresAt', 'token', 'tokenType'])
  expect((await request.response())?.status()).toBe(200)
})

test('§7 Same-origin call: GET /api/cancel-approval', async ({ page, store }) => {
  await store.signIn()
  const cancelled = page.waitForRequest(/\/api\/cancel-approval/)
  await account(page).click()
  await page.getByRole('link', { name: 'Sign out' }).click()
  expect((await cancelled).method()).toBe('GET')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible()
  expect(await cookieOf(page, 'token')).toBeUndefined()
})

const submitLogin = async (page: Page, password: string) => {
  await page.getByLabel('E-mail').fill('member@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('§4 A modal is cleared 1 second after closing: its stored errors are cleaned and its content reset', async ({
  page,
  store,
}) => {
  store.expected.push(/422/)
  const refusal = 'This address is not one we know.'
  const problem = {
    ...{ status: 422, code: 'VALIDATION_FAILED', message: '', requestId: '' },
    errors: { email: [refusal] },
  }
  await page.goto('/login')
  const detail = await previewDetail(page)
  await page.getByLabel('E-mail').fill('member@example.com')
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
  await page.goto('/products/no-such-product')
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(page.getByText('This is our fault, not yours.')).toHaveCount(0)
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
    await expect(page.getByRole('link', { name: 'Go home' })).toHaveCount(0)
    await expect(page.getByText('This is our fault, not yours.')).toHaveCount(0)
  })
})

test('§8 Chunk-load errors trigger a full reload to the target path', async ({ page, store }) => {
  store.expected.push(/404|Failed to load|dynamically imported module/)
  await page.goto('/faq')
  await page.evaluate(() => Object.assign(window, { thisVeryPage: true }))
  await page.route(/\/assets\/notice.*\.js/, (route) => route.fulfill({ status: 404, body: '' }), { times: 4 })
  const loaded = page.waitForEvent('load')
  await footerLink(page, 'Notices').click()
  await loaded
  await expect(page).toHaveURL(/\/notices$/)
  expect(await page.evaluate(() => 'thisVeryPage' in window)).toBe(false)
})

test("§9 English label 'Enter a password'", async ({ page }) => {
  await page.goto('/login')
  await submitLogin(page, '')
  await expect(page.getByRole('main').getByText('Enter a password')).toBeVisible()
})

test("§9 English label 'No results found'", async ({ page }) => {
  await page.goto('/faq')
  const field = page.getByRole('combobox', { name: 'Search the store' })
  await field.click()
  await field.pressSequentially('zzzzqqqq')
  await expect(page.getByText('No results found').first()).toBeVisible()
})

test('§9 Layering: modal 1100, overlay 1000', async ({ page }) => {
  await page.goto('/faq')
  await openModal(page, await previewDetail(page))
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.locator('[data-scope=dialog][data-part=positioner]')).toHaveCSS('z-index', '1100')
  await expect(page.locator('[data-scope=dialog][data-part=backdrop]')).toHaveCSS('z-index', '1000')
})

/** A tooltip of the player's bar. */
const tooltip = async (page: Page) => {
  await page.goto('/faq')
  await openModal(page, await previewDetail(page))
  const button = page.getByRole('dialog').getByRole('button', { name: /^Turn the sound/ })
  await button.focus()
  return button.locator('span[aria-hidden]').last()
}

test('§9 Layering: tooltip 1100', async ({ page }) => {
  await expect(await tooltip(page)).toHaveCSS('z-index', '1100')
})

test('§9 Tooltip max width 12.5rem, fade-in 250 ms', async ({ page }) => {
  const shown = await tooltip(page)
  await expect(shown).toHaveCSS('max-width', '200px')
  await expect(shown).toHaveCSS('transition-property', 'opacity')
  await expect(shown).toHaveCSS('transition-duration', '0.25s')
})
