import type { Page } from 'playwright/test'
import { closeModal, cookieOf, footerLink, openModal, previewDetail, submitLogin } from './conformance-page'
import { expect, test } from './store'

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

test('§1 The locale cookie lives 365 days, path /, SameSite lax', async ({ page }) => {
  await page.goto('/faq')
  await page.waitForLoadState('networkidle')
  await footerLink(page, '한국어').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  const cookie = await cookieOf(page, 'locale')
  expect(cookie).toMatchObject({ value: 'ko', path: '/', sameSite: 'Lax' })
  expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(365)
})

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
  // A guest has no user to load; an invalid token is detected when the user is loaded.
  expect(await setsToken()).toBe(false)
  await page.context().addCookies([{ name: 'token', value: 'names-nobody', url: baseURL! }])
  expect(await setsToken()).toBe(true)
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
  await expect(page.getByRole('dialog', { name: 'The Last Light' })).toBeVisible()
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
  await page.getByRole('button', { name: 'Comment options' }).first().click()
  await page.getByRole('menuitem', { name: /Report|Delete/ }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect.poll(async () => Math.round((await dialog.boundingBox())?.width ?? 0)).toBe(440)
})

const robots = (page: Page) => page.locator('meta[name=robots]')

test('§2 The favicon and page title come from the base settings', async ({ page, store }) => {
  for (const tenant of ['aurora', 'hangang'] as const) {
    // In the store's own language: the settings' texts may be translated into others.
    const inOwnLanguage = (path: string) => store.at(tenant, `/${{ aurora: 'en', hangang: 'ko' }[tenant]}${path}`)
    await page.goto(inOwnLanguage(''))
    const { base, seo } = await page.evaluate(
      async (code) => (await fetch(`/api/v1/customers/${code}/site-settings`)).json(),
      tenant,
    )
    await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', base.faviconPublicUrl)
    // The demo's stores have both: only the home page takes the title for search engines.
    expect(seo.title).not.toBe(base.name)
    await expect(page).toHaveTitle(seo.title)
    for (const path of ['/products', '/faq', '/login', '/notices']) {
      await store.navigate(new URL(inOwnLanguage(path)).pathname)
      await expect(page).toHaveTitle(new RegExp(`^.+ · ${base.name}$`))
    }
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
  const button = page.getByRole('dialog').getByRole('button', { name: /^(Mute|Unmute)$/ })
  await button.focus()
  return button.locator('span[aria-hidden]').last()
}

test('§9 Layering: tooltip 1100', async ({ page }) => {
  await expect(await tooltip(page)).toHaveCSS('z-index', '1100')
})

test('§9 Tooltip max width 12.5rem, fade-in 250 ms', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const shown = await tooltip(page)
  await expect(shown).toHaveCSS('max-width', '200px')
  await expect(shown).toHaveCSS('transition-property', 'opacity')
  await expect(shown).toHaveCSS('transition-duration', '0.25s')
})
