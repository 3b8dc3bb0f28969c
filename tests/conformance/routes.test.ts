import { beforeAll, expect, test } from 'vitest'
import { createFullTenant, type FullTenant } from '#tests/support/full-tenant.ts'
import { asMember } from '#tests/support/media.ts'
import { createPlan } from '#tests/support/plans.ts'
import { openStoreServer } from '#tests/support/store-server.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

type Server = Awaited<ReturnType<typeof openStoreServer>>

const api = createTestApi()
const openStore = ({ code }: { code: string }) => openStoreServer(api, `${code}.test`)

/** The store of most tests, which has plans, and one that has none. */
let store: FullTenant
let server: Server
let withoutPlans: Server
/** Members who own nothing and have no plan, and one who pays for a plan. */
let token: string
let tokenWithoutPlans: string
let subscriber: string

beforeAll(async () => {
  store = await createFullTenant(api, 'routes')
  // A plan without a product is not for sale.
  await store.createProduct({ access: 'PLAN' })
  // With a single plan, its own payment page replaces the choice.
  await createPlan(store)
  server = await openStore(store)
  token = (await store.createMember()).token
  subscriber = store.member.token
  const plain = await createTenant(api)
  withoutPlans = await openStore(plain)
  tokenWithoutPlans = (await plain.createMember()).token
}, 180_000)

/** Where a visitor who asks for a path lands, and with which status. */
const landing = async (path: string, as?: string, at = server) => {
  const answer = await at.visit(path, { headers: as ? asMember(as) : {} })
  const { pathname, searchParams } = new URL(answer.path, 'http://store.test')
  const head = answer.body.slice(0, answer.body.indexOf('</head>'))
  expect(head.match(/<title>/g), `titles of ${path}`).toHaveLength(1)
  return { status: answer.status, pathname, back: searchParams.get('redirect') }
}

const opens = (pathname: string) => ({ status: 200, pathname, back: null })

const isOpenToAll = async (path: string) => {
  expect(await landing(path)).toEqual(opens(path))
  expect(await landing(path, token)).toEqual(opens(path))
}

const requiresLogin = async (path: string) => {
  expect(await landing(path)).toEqual({ status: 200, pathname: '/login', back: path })
  expect(await landing(path, token)).toEqual(opens(path))
}

test('§2 / (home): all', () => isOpenToAll('/'))
test('§2 /faq: all', () => isOpenToAll('/faq'))
test('§2 /notices: all', () => isOpenToAll('/notices'))
test('§2 /notices/{id}: all', () => isOpenToAll(`/notices/${store.ids.notice}`))
test('§2 /pages/{type}: all', () => isOpenToAll(`/pages/${store.pageType}`))
test('§2 /videos: all', () => isOpenToAll('/videos'))
test('§2 /products: all', () => isOpenToAll('/products'))
test('§2 /products/{code}: all', () => isOpenToAll(`/products/${store.product.code}`))

test('§2 /login: guests only', async () => {
  expect(await landing('/login')).toEqual(opens('/login'))
  expect(await landing('/login', token)).toEqual(opens('/'))
})

/** A page of the join flow: a guest is redirected to the form, a member to the home page. */
const isJoinStep = async (path: string) => {
  expect(await landing(path)).toEqual(opens('/join/input'))
  expect(await landing(path, token)).toEqual(opens('/'))
}
test('§2 /join/input: guests only, with a join-flow check', () => isJoinStep('/join/input'))
test('§2 /join/verify: guests only, with a join-flow check', () => isJoinStep('/join/verify'))
test('§2 /join/completed: guests only, with a join-flow check', () => isJoinStep('/join/completed'))

test('§2 /mypages/profile: login (implied by area)', () => requiresLogin('/mypages/profile'))
test('§2 /carts: login required', () => requiresLogin('/carts'))
test('§2 /payments: login required', () => requiresLogin('/payments'))
test('§2 /payments/result: login required', () => requiresLogin('/payments/result'))
test('§2 /mypages: login', () => requiresLogin('/mypages'))
test('§2 /mypages/inquiries: login (implied by area)', () => requiresLogin('/mypages/inquiries'))
test('§2 /mypages/inquiries/{code}: login (implied)', async () => {
  const path = `/mypages/inquiries/${store.inquiryCode}`
  expect(await landing(path)).toEqual({ status: 200, pathname: '/login', back: path })
  expect(await landing(path, store.member.token)).toEqual(opens(path))
})
test('§2 /mypages/inquiries/input: login and global-type fetch', async () => {
  const path = '/mypages/inquiries/input'
  await requiresLogin(path)
  // The types are in the page as the server sends it, before any script requests them.
  const { body } = await server.visit(path, { headers: asMember(token) })
  for (const type of ['PRODUCT', 'ORDER', 'ACCOUNT', 'ETC']) expect(body).toContain(`<option value="${type}"`)
})
test('§2 /mypages/paid-products: login (implied)', () => requiresLogin('/mypages/paid-products'))
test('§2 /mypages/liked-products: login (implied)', () => requiresLogin('/mypages/liked-products'))
test('§2 /mypages/order-histories: login (implied)', () => requiresLogin('/mypages/order-histories'))
test('§2 /mypages/cards: login (implied by area)', () => requiresLogin('/mypages/cards'))
test('§2 /mypages/subscription/histories: login (implied)', () => requiresLogin('/mypages/subscription/histories'))

/** A store without plans redirects its pages about plans to the home page. */
const needsStoreWithPlans = async (path: string) =>
  expect(await landing(path, tokenWithoutPlans, withoutPlans)).toMatchObject({ status: 200, pathname: '/' })

const planPath = (rest: string) => `/plans/routes-plan/${rest}`

test('§2 /plans: plan check', async () => {
  await isOpenToAll('/plans')
  await needsStoreWithPlans('/plans')
})

test('§2 /plans/plan-products: not shown beyond the route', async () => {
  await isOpenToAll('/plans/plan-products')
  await needsStoreWithPlans('/plans/plan-products')
})

test('§2 /plans/{id}/products: not shown beyond the route', async () => {
  await isOpenToAll(planPath('products'))
  await needsStoreWithPlans(planPath('products'))
})

const isForNewSubscribers = async (path: string) => {
  await requiresLogin(path)
  await needsStoreWithPlans(path)
  expect(await landing(path, subscriber)).toMatchObject({ pathname: '/mypages/subscription' })
}
test('§2 /plans/payment: login and plan check', () => isForNewSubscribers('/plans/payment'))
test('§2 /plans/{id}/payment: login and plan check', () => isForNewSubscribers(planPath('payment')))

test('§2 /plans/payment-result: login and plan check', async () => {
  await requiresLogin('/plans/payment-result')
  await needsStoreWithPlans('/plans/payment-result')
})

test('§2 /plans/{id}/payment-result: login and plan check', async () => {
  await requiresLogin(planPath('payment-result'))
  await needsStoreWithPlans(planPath('payment-result'))
})

/** Redirects a guest to the login and a member to the plans, and opens for a subscriber. */
const requiresSubscription = async (path: string) => {
  expect(await landing(path)).toEqual({ status: 200, pathname: '/login', back: path })
  expect(await landing(path, token)).toMatchObject({ status: 200, pathname: '/plans' })
  await needsStoreWithPlans(path)
  expect(await landing(path, subscriber)).toEqual(opens(path))
}
test('§2 /plans/subscription-products: login, plan check and subscribe check', () =>
  requiresSubscription('/plans/subscription-products'))
test('§2 /subscription-products: login, plan check and subscribe check', () =>
  requiresSubscription('/subscription-products'))

test('§2 /mypages/subscription: login and plan check', async () => {
  await requiresLogin('/mypages/subscription')
  await needsStoreWithPlans('/mypages/subscription')
})

/** The error layout: a page with the store's name and without its navigation and footer. */
const hasErrorLayout = async (closed: { useCustomer?: boolean; useSite?: boolean }, path: string) => {
  const { status, body } = await (await openStore(await createTenant(api, closed))).visit(path)
  expect(status).toBe(503)
  expect(body).toMatch(/<h1\b/)
  expect(body).toMatch(/<header\b/)
  expect(body).not.toMatch(/<(nav|footer)\b|role="(navigation|contentinfo)"/)
}

test('§2 /customer/site-disabled: error layout', () => hasErrorLayout({ useSite: false }, '/customer/site-disabled'))

test('§2 /customer/contract-expired: error layout', () =>
  hasErrorLayout({ useCustomer: false }, '/customer/contract-expired'))

test('§6 Guest: the login page only', async () => {
  // For guests only: a member is led to where the login would have led.
  expect(await landing('/login?redirect=/mypages', token)).toEqual(opens('/mypages'))
  expect(await landing('/login?redirect=//elsewhere.example', token)).toEqual(opens('/'))
})

test('§6 Member: login-required pages', async () => {
  expect(await landing('/mypages/paid-products?page=2')).toMatchObject({
    pathname: '/login',
    back: '/mypages/paid-products?page=2',
  })
  expect(await landing('/mypages/paid-products', token)).toEqual(opens('/mypages/paid-products'))
})
