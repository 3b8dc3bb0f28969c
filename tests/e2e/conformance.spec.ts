import type { Page } from 'playwright/test'
import { closeModal, cookieOf, footerLink, openModal, previewDetail } from './conformance-page'
import { callApi } from './requests'
import { expect, test } from './store'

test('§1 Visitors (guests) browse categories', async ({ page }) => {
  await page.goto('/')
  const menu = page.getByRole('navigation', { name: 'Categories' })
  await page.getByRole('button', { name: 'Browse' }).click()
  await menu.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/products\?category=/)
  await expect(page.getByRole('main').getByRole('article')).not.toHaveCount(0)
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
  await test.step('§2 Navigation: close the category menu', async () => {
    await expect(menu).toBeHidden()
    await page.getByRole('button', { name: 'Browse' }).click()
    await expect(menu).toBeVisible()
    await page.evaluate(() => document.querySelector<HTMLAnchorElement>('footer a[href="/faq"]')?.click())
    await expect(page).toHaveURL(/\/faq$/)
    await expect(menu).toBeHidden()
  })
})

test('§1 The customer code is kept in a cookie (SameSite Lax, path /)', async ({ page, store }) => {
  for (const tenant of ['aurora', 'hangang']) {
    const { cookies } = await callApi(page, store.at(tenant), '/')
    const [cookie = ''] = cookies.filter((one) => one.startsWith('customerCode='))
    const [value, ...attributes] = cookie.split(/; ?/)
    expect(value).toBe(`customerCode=${tenant}`)
    expect(attributes.map((attribute) => attribute.toLowerCase())).toEqual(
      expect.arrayContaining(['samesite=lax', 'path=/']),
    )
  }
})

test('§2 A default layout and an error layout', async ({ page, store }) => {
  store.expected.push(/503/)
  await page.goto('/faq')
  await expect(page.getByRole('banner').getByRole('navigation').first()).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await test.step('§2 App shell: page outlet', () => followsIntoOutlet(page))
  await test.step("§9 English label 'No results found'", () => findsNothing(page))
  await test.step('§1 The locale cookie lives 365 days, path /, SameSite lax', () => storesLocale(page))
  await page.goto(store.at('paused'))
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
})

async function followsIntoOutlet(page: Page) {
  const shell = page.getByRole('contentinfo')
  await shell.evaluate((element) => element.setAttribute('data-kept', ''))
  await footerLink(page, 'Notices').click()
  await expect(page).toHaveURL(/\/notices$/)
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Notices' })).toBeVisible()
  await expect(shell).toHaveAttribute('data-kept')
}

async function findsNothing(page: Page) {
  const field = page.getByRole('combobox', { name: 'Search the store' })
  const nothing = page.getByText('No results found').first()
  await field.click()
  await field.pressSequentially('zzzzqqqq')
  await expect(nothing).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(nothing).toBeHidden()
}

async function storesLocale(page: Page) {
  await page.waitForLoadState('networkidle')
  await footerLink(page, '한국어').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  const cookie = await cookieOf(page, 'locale')
  expect(cookie).toMatchObject({ value: 'ko', path: '/', sameSite: 'Lax' })
  expect(Math.round((cookie!.expires - Date.now() / 1000) / 86_400)).toBe(365)
}

test('§2 Navigation: user load when a token exists', async ({ page, store }) => {
  const setsToken = async () =>
    (await callApi(page, store.at('aurora'), '/faq')).cookies.some((cookie) => cookie.startsWith('token='))
  // A guest has no user to load; an invalid token is detected when the user is loaded.
  expect(await setsToken()).toBe(false)
  await page.context().addCookies([{ name: 'token', value: 'names-nobody', url: store.at('aurora') }])
  expect(await setsToken()).toBe(true)
})

test('§2 App shell: a modal container opens a named modal on a global event and closes it on a close event', async ({
  page,
}) => {
  await page.goto('/faq')
  const dialog = page.getByRole('dialog')
  await test.step('§3 Modal event detail: name, visible, data', async () => {
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
    await expect(page.getByRole('dialog', { name: 'The Last Light' })).toBeVisible()
    await expect(dialog.getByRole('region', { name: /The Last Light/ })).toBeVisible()
  })
  await test.step('§9 Layering: modal 1100, overlay 1000', async () => {
    await expect(page.locator('[data-scope=dialog][data-part=positioner]')).toHaveCSS('z-index', '1100')
    await expect(page.locator('[data-scope=dialog][data-part=backdrop]')).toHaveCSS('z-index', '1000')
  })
  const button = dialog.getByRole('button', { name: /^(Mute|Unmute)$/ })
  await button.focus()
  const tooltip = button.locator('span[aria-hidden]').last()
  await test.step('§9 Layering: tooltip 1100', () => expect(tooltip).toHaveCSS('z-index', '1100'))
  await test.step('§9 Tooltip max width 12.5rem, fade-in 250 ms', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await expect(tooltip).toHaveCSS('max-width', '200px')
    await expect(tooltip).toHaveCSS('transition-property', 'opacity')
    await expect(tooltip).toHaveCSS('transition-duration', '0.25s')
    await page.emulateMedia({ reducedMotion: 'reduce' })
  })
  await closeModal(page, 'videoPreview')
  await expect(dialog).toHaveCount(0)
})

test('§2 Modal width 440px', async ({ page, store }) => {
  await store.signIn('second@example.com')
  await page.goto('/products/the-last-light')
  await page.getByRole('button', { name: 'Comment options' }).first().click()
  await page.getByRole('menuitem', { name: /Report|Delete/ }).click()
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await expect.poll(async () => Math.round((await dialog.boundingBox())?.width ?? 0)).toBe(440)
})

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

/** What a page, as the server sends it, tells robots. */
const robotsOf = async (page: Page, store: string, path: string) => {
  const { text } = await callApi(page, store, path)
  return page.evaluate(
    (html) =>
      Array.from(
        new DOMParser().parseFromString(html, 'text/html').querySelectorAll<HTMLMetaElement>('meta[name=robots]'),
        ({ content }) => content,
      ),
    text,
  )
}

test('§2 Robots meta is index,follow when SEO is enabled', async ({ page, store }) => {
  expect(await robotsOf(page, store.at('aurora'), '/')).toEqual(['index,follow'])
})

test('§2 Robots meta is noindex,nofollow otherwise', async ({ page, store }) => {
  expect(await robotsOf(page, store.at('salon'), '/faq')).toEqual(['noindex,nofollow'])
})
