import { axeViolationsInBoth } from './axe'
import { createStaff, enterConsole } from './console'
import { expect, test } from './store'

test('an analyst sees products without changing them, and what the other pages need, without a request', async ({
  page,
  baseURL,
}) => {
  const [email, password] = [`analyst-${Date.now()}@example.com`, 'a long password']
  await createStaff(page, baseURL!, email, password, 'ANALYST')
  await enterConsole(page, '/products', { email, password })
  const main = page.getByRole('main')
  await main.getByRole('table', { name: 'Products' }).getByRole('link', { name: 'North Train' }).first().click()
  await expect(main.getByRole('status').filter({ hasText: 'You can view this page' })).toContainText(
    'Ask an owner for the permission “Edit products”.',
  )
  await expect(main.getByLabel('Title').first()).toBeDisabled()
  await expect(main.getByLabel('Price', { exact: true }).first()).toBeDisabled()
  await expect(main.getByRole('button', { name: /^Save/ })).toHaveCount(0)
  expect(await axeViolationsInBoth(page)).toEqual([])

  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  for (const [path, label] of [
    ['/admin/members', 'See members'],
    ['/admin/staff', 'See staff'],
    ['/admin/products/new', 'Edit products'],
  ] as const) {
    await page.goto(path)
    await expect(main.getByText('You don’t have access to this page')).toHaveCount(1)
    await expect(main.getByText(`Your role lacks the permission “${label}”`)).toBeVisible()
    await expect(main.getByRole('textbox')).toHaveCount(0)
  }
  expect(
    requested.filter(
      (url) =>
        /\/admin\/(members|staff)|\/staff\/(people|roles|tokens)/.test(new URL(url).pathname) && url.includes('/api/'),
    ),
  ).toEqual([])
  expect(await axeViolationsInBoth(page)).toEqual([])
  await main.getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()

  // Whoever may change settings alone arranges the menu and the home page, without the products.
  await enterConsole(page)
  const me = await page.evaluate(async (path) => (await fetch(path)).json(), '/api/v1/customers/aurora/staff/me')
  await page.route('**/staff/me', (route) =>
    route.fulfill({ json: { ...me, permissions: ['settings:read', 'settings:write'] } }),
  )
  await page.goto('/admin/content/home')
  requested.length = 0
  await page.reload()
  await expect(main.getByRole('button', { name: 'Move down: New arrivals' })).toBeVisible()
  await expect(main.getByRole('button', { name: 'Add chosen products' })).toHaveCount(0)
  await page.goto('/admin/content/menu')
  await expect(main.getByRole('button', { name: 'Add a link' })).toBeVisible()
  expect(requested.filter((url) => /\/admin\/(categories|products)/.test(url))).toEqual([])
})
