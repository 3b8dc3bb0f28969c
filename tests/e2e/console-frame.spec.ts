import { axeViolationsInBoth } from './axe'
import { createStaff, enterConsole, fillSignIn, signedOut } from './console'
import { expect, test } from './store'

const failure = { code: 'INTERNAL', message: 'It failed.', errors: {}, requestId: 'test' }

test('the frame is shown while the API is slow, and its menu chooses the page that opens', async ({ page }) => {
  await enterConsole(page, '/orders')
  const main = page.getByRole('main')
  const menu = page.getByRole('navigation', { name: 'Console' })
  await expect(main.getByRole('table', { name: 'Orders' })).toBeVisible()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    await released
    await route.continue().catch(() => {})
  })
  await page.reload()
  await expect(menu.getByRole('link', { name: 'Orders' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('banner')).toContainText('Aurora')
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await expect(main.getByText('Loading…')).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await menu.getByRole('link', { name: 'Products' }).click()
  await expect(page).toHaveURL(/\/admin\/products$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Products' })).toBeVisible()
  await expect(main.getByText('The store answers slowly.')).toBeVisible()
  release()
  await expect(main.getByRole('table', { name: 'Products' })).toBeVisible()
  await page.goBack()
  await expect(main.getByRole('table', { name: 'Orders' })).toBeVisible()

  // Without anybody who was here before, the frame tells nothing of the menu.
  await page.unrouteAll({ behavior: 'wait' })
  await page.evaluate(() => localStorage.removeItem('console-frame'))
  const { promise: later, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/staff/me', async (route) => {
    await later
    await route.continue().catch(() => {})
  })
  await page.reload()
  await expect(main.getByText('Loading…')).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Aurora')
  await expect(menu).toHaveCount(0)
  go()
  await expect(menu).toBeVisible()
})

test('a failing session call says why inside the frame, and is tried again by itself and by hand', async ({
  page,
  store,
  context,
}) => {
  store.expected.push(/500|ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await enterConsole(page, '/orders')
  const main = page.getByRole('main')
  const menu = page.getByRole('navigation', { name: 'Console' })
  let calls = 0
  await page.route('**/staff/me', (route) => {
    calls++
    return route.fulfill({ status: 500, json: failure })
  })
  await page.reload()
  await expect(main.getByRole('heading', { name: 'The console could not be opened' })).toBeVisible()
  await expect(main).toContainText('It failed.')
  await expect(menu.getByRole('link', { name: 'Orders' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  const before = calls
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => calls).toBeGreaterThan(before)
  await expect(main.getByRole('heading', { name: 'The console could not be opened' })).toBeVisible()
  await page.unroute('**/staff/me')
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(main.getByRole('table', { name: 'Orders' })).toBeVisible()

  // The connection is lost and comes back: nobody has to press anything.
  await page.route('**/api/**', (route) => route.abort())
  await page.reload()
  await expect(main.getByRole('heading', { name: 'The store cannot be reached' })).toBeVisible()
  await expect(main).toContainText('Check your connection and try again.')
  await context.setOffline(true)
  await expect(main.getByText('You are offline.')).toBeVisible()
  await page.unroute('**/api/**')
  await context.setOffline(false)
  await expect(main.getByRole('table', { name: 'Orders' })).toBeVisible()
})

test('data of a page that fail stay inside the frame, and other pages open from the menu', async ({ page, store }) => {
  store.expected.push(/500/)
  await enterConsole(page)
  const main = page.getByRole('main')
  const menu = page.getByRole('navigation', { name: 'Console' })
  await page.route(/\/api\/.*\/admin\/orders/, (route) => route.fulfill({ status: 500, json: failure }))
  await page.goto('/admin/orders')
  await expect(main.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await menu.getByRole('link', { name: 'Products' }).click()
  await expect(main.getByRole('table', { name: 'Products' })).toBeVisible()
  await menu.getByRole('link', { name: 'Orders' }).click()
  await page.unroute(/\/api\/.*\/admin\/orders/)
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect(main.getByRole('table', { name: 'Orders' })).toBeVisible()
})

test('an address that is opened after the session has ended says so, and one that was left does not', async ({
  page,
  store,
  context,
}) => {
  store.expected.push(signedOut)
  await enterConsole(page, '/orders')
  await context.clearCookies()
  const heading = page.getByRole('heading', { level: 1, name: /^Sign in to / })
  for (const path of ['/admin/orders', '/admin/products']) {
    await page.goto(path)
    await expect(heading).toBeVisible()
    await expect(page.getByText('Your session has ended.')).toBeVisible()
  }
  await fillSignIn(page)
  await expect(page.getByRole('main').getByRole('table', { name: 'Products' })).toBeVisible()
  await page.getByRole('button', { name: /Sam Rivera/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(heading).toBeVisible()
  await page.reload()
  await expect(heading).toBeVisible()
  await expect(page.getByText('Your session has ended.')).toHaveCount(0)
})

test('a person of several stores switches between their consoles, and signs in where there is no session', async ({
  page,
  store,
}) => {
  store.expected.push(signedOut)
  await enterConsole(page)
  await page.getByRole('button', { name: /Sam Rivera/ }).click()
  const other = page.getByRole('menuitem', { name: /^Switch to / }).first()
  await expect(other).toBeVisible()
  const name = (await other.innerText()).replace('Switch to ', '')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Find anything' })
  await palette.getByRole('combobox').fill(name)
  await expect(palette.getByRole('option', { name: `Switch to ${name}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /Sam Rivera/ }).click()
  await other.click()
  await expect(page.getByRole('heading', { level: 1, name: `Sign in to ${name}` })).toBeVisible()
  expect(new URL(page.url()).host).not.toBe(new URL(store.at('aurora')).host)
  await fillSignIn(page)
  await expect(page.getByRole('banner')).toContainText(name)
  await page.getByRole('button', { name: /Sam Rivera/ }).click()
  await page.getByRole('menuitem', { name: /^Switch to Aurora/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  expect(new URL(page.url()).host).toBe(new URL(store.at('aurora')).host)
})

test('the first screen shows each role what it may read', async ({ page, baseURL }) => {
  const [email, password] = [`catalog-${Date.now()}@example.com`, 'a long password']
  await createStaff(page, baseURL!, email, password, 'CATALOG')
  await enterConsole(page, '', { email, password })
  const path = '/api/v1/customers/aurora/admin/home'
  const home = await page.evaluate(async (path) => (await fetch(path, { headers: { 'x-console': '1' } })).json(), path)
  expect(home).toMatchObject({ today: null, waiting: { deposits: null, inquiries: null } })
  await page.route(`**${path}`, (route) =>
    route.fulfill({ json: { ...home, waiting: { ...home.waiting, failedVideos: 3 } } }),
  )
  await page.reload()
  const main = page.getByRole('main')
  const waiting = main.getByRole('listitem')
  await expect(waiting).toHaveText([/Videos that could not be encoded\s*3/])
  await expect(main.getByText('Revenue today')).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Home' })).toBeVisible()
  expect(await axeViolationsInBoth(page)).toEqual([])
  await waiting.getByRole('link').click()
  await expect(page).toHaveURL(/\/admin\/videos\?status=FAILED$/)
})
