import type { Page } from 'playwright/test'
import { newMember } from './new-member'
import { storedTestCards, subscribe } from './plan-pages'
import { expect, test } from './store'

/** Where a browser that asks for a path lands, and with which status. */
const landing = (page: Page, path: string) =>
  page.evaluate(async (url) => {
    const response = await fetch(url, { headers: { accept: 'text/html' } })
    const { pathname, searchParams } = new URL(response.url)
    return { status: response.status, pathname, back: searchParams.get('redirect') }
  }, path)

/** A page of the store to ask from: the plainest there is. */
const enter = (page: Page) => page.goto('/robots.txt')

/**
 * Signs in one who owns nothing and has no plan, as the login form does: at the API, then at the
 * app server.
 */
const signIn = (page: Page, tenant = 'aurora') =>
  page.evaluate(async (code) => {
    const post = (path: string, body: object) =>
      fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const credentials = { email: 'second@example.com', password: 'marquee-demo' }
    const login = await post(`/api/v1/customers/${code}/login`, credentials)
    const approval = await post('/api/approval', await login.json())
    if (!approval.ok) throw new Error(`The approval answered ${approval.status}`)
  }, tenant)

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

/** A page of the join flow: a guest is redirected to the form, a member home. */
const isAStepOfJoining = async (page: Page, path: string) => {
  await enter(page)
  expect(await landing(page, path)).toEqual({ status: 200, pathname: '/join/input', back: null })
  await signIn(page)
  expect(await landing(page, path)).toEqual({ status: 200, pathname: '/', back: null })
}
test('§2 /join/input: guests only, with a join-flow check', async ({ page }) => isAStepOfJoining(page, '/join/input'))
test('§2 /join/verify: guests only, with a join-flow check', async ({ page }) => isAStepOfJoining(page, '/join/verify'))
test('§2 /join/completed: guests only, with a join-flow check', async ({ page }) =>
  isAStepOfJoining(page, '/join/completed'))

test('§2 /mypages/profile: login (implied by area)', async ({ page }) => asksForLogin(page, '/mypages/profile'))
test('§2 /carts: login required', async ({ page }) => asksForLogin(page, '/carts'))
test('§2 /payments: login required', async ({ page }) => asksForLogin(page, '/payments'))
test('§2 /payments/result: login required', async ({ page }) => asksForLogin(page, '/payments/result'))
test('§2 /mypages: login', async ({ page }) => asksForLogin(page, '/mypages'))
test('§2 /mypages/inquiries: login (implied by area)', async ({ page }) => asksForLogin(page, '/mypages/inquiries'))
test('§2 /mypages/inquiries/{code}: login (implied)', async ({ page }) => {
  await enter(page)
  const path = '/mypages/inquiries/Q-000000'
  expect(await landing(page, path)).toEqual({ status: 200, pathname: '/login', back: path })
})
test('§2 /mypages/inquiries/input: login and global-type fetch', async ({ page }) => {
  await asksForLogin(page, '/mypages/inquiries/input')
  // The types are in the page as the server sends it, before any script requests them.
  const sent = await page.evaluate(async () => (await fetch('/mypages/inquiries/input')).text())
  for (const type of ['PRODUCT', 'ORDER', 'ACCOUNT', 'ETC']) expect(sent).toContain(`<option value="${type}"`)
})
test('§2 /mypages/paid-products: login (implied)', async ({ page }) => asksForLogin(page, '/mypages/paid-products'))
test('§2 /mypages/liked-products: login (implied)', async ({ page }) => asksForLogin(page, '/mypages/liked-products'))
test('§2 /mypages/order-histories: login (implied)', async ({ page }) => asksForLogin(page, '/mypages/order-histories'))

interface Addresses {
  at: (tenant: string, path?: string) => string
}

/** A store without plans redirects its plan pages home, with the reason. */
const isClosedWithoutPlans = async (page: Page, store: Addresses, path: string) => {
  await page.goto(store.at('salon', '/robots.txt'))
  await signIn(page, 'salon')
  expect(await landing(page, path)).toMatchObject({ status: 200, pathname: '/' })
}

/** One who pays for a plan, on a page of the store. */
const subscriber = async (page: Page, store: Addresses) => {
  await newMember(page, store.at('aurora', ''))
  await subscribe(page, store.at('aurora', ''), 'Ambient', storedTestCards.good)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re subscribed. Enjoy!')
}

const opens = async (page: Page, path: string) =>
  expect(await landing(page, path)).toMatchObject({ status: 200, pathname: path })

test('§2 /plans: plan check', async ({ page, store }) => {
  await isOpenToAll(page, '/plans')
  await isClosedWithoutPlans(page, store, '/plans')
})

test('§2 /plans/plan-products: not shown beyond the route', async ({ page, store }) => {
  await isOpenToAll(page, '/plans/plan-products')
  await isClosedWithoutPlans(page, store, '/plans/plan-products')
})

test('§2 /plans/{id}/products: not shown beyond the route', async ({ page, store }) => {
  await isOpenToAll(page, '/plans/aurora-pass/products')
  await isClosedWithoutPlans(page, store, '/plans/aurora-pass/products')
})

test('§2 /plans/payment: login and plan check', async ({ page, store }) => {
  await asksForLogin(page, '/plans/payment')
  await isClosedWithoutPlans(page, store, '/plans/payment')
  await subscriber(page, store)
  expect(await landing(page, '/plans/payment')).toMatchObject({ pathname: '/mypages/subscription' })
})

test('§2 /plans/{id}/payment: login and plan check', async ({ page, store }) => {
  await asksForLogin(page, '/plans/aurora-pass/payment')
  await isClosedWithoutPlans(page, store, '/plans/aurora-pass/payment')
  await subscriber(page, store)
  expect(await landing(page, '/plans/aurora-pass/payment')).toMatchObject({ pathname: '/mypages/subscription' })
})

test('§2 /plans/payment-result: login and plan check', async ({ page, store }) => {
  await asksForLogin(page, '/plans/payment-result')
  await isClosedWithoutPlans(page, store, '/plans/payment-result')
})

test('§2 /plans/{id}/payment-result: login and plan check', async ({ page, store }) => {
  await asksForLogin(page, '/plans/aurora-pass/payment-result')
  await isClosedWithoutPlans(page, store, '/plans/aurora-pass/payment-result')
})

/** Asks a guest to sign in, shows a member the plans, and opens for a subscriber. */
const needsPlan = async (page: Page, store: Addresses, path: string) => {
  await enter(page)
  expect(await landing(page, path)).toEqual({ status: 200, pathname: '/login', back: path })
  await signIn(page)
  expect(await landing(page, path)).toMatchObject({ status: 200, pathname: '/plans' })
  await isClosedWithoutPlans(page, store, path)
  await subscriber(page, store)
  await opens(page, path)
}

test('§2 /plans/subscription-products: login, plan check and subscribe check', async ({ page, store }) =>
  needsPlan(page, store, '/plans/subscription-products'))
test('§2 /subscription-products: login, plan check and subscribe check', async ({ page, store }) =>
  needsPlan(page, store, '/subscription-products'))

test('§2 /mypages/cards: login (implied by area)', async ({ page }) => asksForLogin(page, '/mypages/cards'))
test('§2 /mypages/subscription: login and plan check', async ({ page, store }) => {
  await asksForLogin(page, '/mypages/subscription')
  await isClosedWithoutPlans(page, store, '/mypages/subscription')
})
test('§2 /mypages/subscription/histories: login (implied)', async ({ page }) =>
  asksForLogin(page, '/mypages/subscription/histories'))

/** The error layout: a page with the store's name and without its navigation. */
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
