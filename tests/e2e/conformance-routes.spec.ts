import type { Page } from 'playwright/test'
import { expect, test } from './store'

/** Where a browser that asks for a path lands, and with which status. */
const landing = (page: Page, path: string) =>
  page.evaluate(async (asked) => {
    const response = await fetch(asked, { headers: { accept: 'text/html' } })
    const { pathname, searchParams } = new URL(response.url)
    return { status: response.status, pathname, back: searchParams.get('redirect') }
  }, path)

/** A page of the store to ask from: the plainest there is. */
const enter = (page: Page) => page.goto('/login')

/** Signs in as the login form does: at the API, then at the app server. */
const signIn = (page: Page) =>
  page.evaluate(async () => {
    const post = (path: string, body: object) =>
      fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const credentials = { email: 'member@example.com', password: 'marquee-demo' }
    const login = await post('/api/v1/customers/aurora/login', credentials)
    const approval = await post('/api/approval', await login.json())
    if (!approval.ok) throw new Error(`The approval answered ${approval.status}`)
  })

const isOpenToAll = async (page: Page, path: string) => {
  await enter(page)
  expect(await landing(page, path)).toEqual({ status: 200, pathname: path, back: null })
}

const asksForLogin = async (page: Page, path: string) => {
  await enter(page)
  expect(await landing(page, path)).toEqual({ status: 200, pathname: '/login', back: path })
  await signIn(page)
  expect(await landing(page, path)).toEqual({ status: 200, pathname: path, back: null })
}

test('§2 / (home): all', async ({ page }) => isOpenToAll(page, '/'))
test('§2 /faq: all', async ({ page }) => isOpenToAll(page, '/faq'))
test('§2 /notices: all', async ({ page }) => isOpenToAll(page, '/notices'))
test('§2 /pages/{type}: all', async ({ page }) => isOpenToAll(page, '/pages/terms'))
test('§2 /videos: all', async ({ page }) => isOpenToAll(page, '/videos'))
test('§2 /products: all', async ({ page }) => isOpenToAll(page, '/products'))
test('§2 /products/{code}: all', async ({ page }) => isOpenToAll(page, '/products/the-last-light'))

test('§2 /notices/{id}: all', async ({ page }) => {
  await enter(page)
  const path = await page.evaluate(async () => {
    const list = await fetch('/api/v1/customers/aurora/notices')
    return `/notices/${(await list.json()).items[0].id}`
  })
  expect(await landing(page, path)).toEqual({ status: 200, pathname: path, back: null })
})

test('§2 /login: guests only', async ({ page }) => {
  await enter(page)
  expect(await landing(page, '/login')).toMatchObject({ status: 200, pathname: '/login' })
  await signIn(page)
  expect(await landing(page, '/login')).toMatchObject({ status: 200, pathname: '/' })
})

test('§2 /carts: login required', async ({ page }) => asksForLogin(page, '/carts'))
test('§2 /payments: login required', async ({ page }) => asksForLogin(page, '/payments'))
test('§2 /payments/result: login required', async ({ page }) => asksForLogin(page, '/payments/result'))
test('§2 /mypages: login', async ({ page }) => asksForLogin(page, '/mypages'))
test('§2 /mypages/paid-products: login (implied)', async ({ page }) => asksForLogin(page, '/mypages/paid-products'))
test('§2 /mypages/liked-products: login (implied)', async ({ page }) => asksForLogin(page, '/mypages/liked-products'))
test('§2 /mypages/order-histories: login (implied)', async ({ page }) => asksForLogin(page, '/mypages/order-histories'))

/** The error layout: a page alone below the store's name, without the way around the store. */
const standsAlone = async (page: Page, address: string) => {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toHaveCount(0)
}

test('§2 /customer/site-disabled: error layout', async ({ page, store }) => {
  store.expected.push(/503/)
  await standsAlone(page, store.at('paused', '/customer/site-disabled'))
})

test('§2 /customer/contract-expired: error layout', async ({ page, store }) => {
  store.expected.push(/503/)
  await standsAlone(page, store.at('lapsed', '/customer/contract-expired'))
})

test('§6 Guest: the login page only', async ({ page }) => {
  // For guests only: a member is led to where the login would have led.
  await enter(page)
  await signIn(page)
  expect(await landing(page, '/login?redirect=/mypages')).toMatchObject({ pathname: '/mypages' })
  expect(await landing(page, '/login?redirect=//elsewhere.example')).toMatchObject({ pathname: '/' })
})

test('§6 Member: login-required pages', async ({ page }) => {
  await page.goto('/mypages/paid-products')
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await signIn(page)
  await page.goto('/mypages/paid-products')
  await expect(page).toHaveURL(/\/mypages\/paid-products$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})
