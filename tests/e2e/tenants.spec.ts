import { callApi } from './requests'
import { expect, test } from './store'

test('a members-only store redirects guests to the login, and back to the requested page', async ({ page, store }) => {
  const salon = store.at('salon')
  expect((await callApi(page, salon, '/products')).headers.location).toMatch(/^\/login\?/)
  for (const open of ['/faq', '/notices', '/pages/terms', '/login'])
    expect((await callApi(page, salon, open)).status, open).toBe(200)
  await store.signInByForm('member@example.com', store.at('salon', '/products'))
  await expect(page).toHaveURL(/salon\.localhost.*\/products/)
})

test('a store that sells only plans shows no prices and no cart', async ({ page, store }) => {
  await page.goto(store.at('studio', '/products'))
  const tiles = page.getByRole('main').getByRole('article')
  await expect(tiles.first()).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(/[$₩€]\s?\d/)
  await tiles.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add to cart' })).toHaveCount(0)
})

for (const [tenant, path] of [
  ['paused', '/customer/site-disabled'],
  ['lapsed', '/customer/contract-expired'],
] as const) {
  test(`the store "${tenant}" answers every page with ${path} and status 503`, async ({ page, store }) => {
    store.expected.push(/503/)
    for (const requested of ['/products', '/login'])
      expect((await callApi(page, store.at(tenant), requested)).headers.location, requested).toBe(path)
    const response = await page.goto(store.at(tenant))
    expect(new URL(page.url()).pathname).toBe(path)
    expect(response?.status()).toBe(503)
    expect(response?.headers()['retry-after']).toBeTruthy()
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  })
}

test('two tenants never share a member', async ({ page, store }) => {
  await store.signIn('member@example.com', 'aurora')
  await page.goto(store.at('hangang', '/mypages'))
  await expect(page).toHaveURL(/hangang\.localhost.*\/login/)
})

test.describe('to a Korean browser', () => {
  test.use({ locale: 'ko-KR' })

  test('the Korean store shows Korean texts, prices in won and dates as year/month/day', async ({ page, store }) => {
    await page.goto(store.at('hangang', '/products'))
    await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
    await expect(page.getByRole('main')).toContainText(/[\d,]+원/)
    await store.navigate('/notices')
    await expect(page.getByRole('main')).toContainText(/\d{4}\/\d{2}\/\d{2}/)
  })
})
