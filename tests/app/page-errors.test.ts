import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { categories } from '#api/modules/catalog/catalog.schema.ts'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { headers as headerNames } from '#contract/http.ts'
import { createPlan } from '#tests/support/plans.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { type Answer, openStoreServer } from '#tests/support/store-server.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
let server: Awaited<ReturnType<typeof openStoreServer>>
/** Calls of the API that fail, by their path. */
let failing: RegExp | undefined

let tenant: Tenant

beforeAll(async () => {
  tenant = await createTenant(api)
  server = await openStoreServer(api, `${tenant.code}.test`, {
    answer: ({ url }) => {
      if (failing?.test(url)) throw new Error('This part of the API is broken.')
    },
  })
}, 180_000)

const count = ({ body }: Answer, pattern: RegExp) => [...body.matchAll(pattern)].length

const headOf = (answer: Answer) => {
  const head = answer.body.slice(0, answer.body.indexOf('</head>'))
  return {
    status: answer.status,
    titles: [...head.matchAll(/<title[^>]*>([^<]*)/g)].map(([, title]) => title),
    robots: [...head.matchAll(/name="robots" content="([^"]*)"/g)].map(([, robots]) => robots),
    addresses: [...head.matchAll(/rel="(?:canonical|alternate)"|property="og:url"/g)].map(([tag]) => tag),
  }
}

describe('a missing page', () => {
  test.each([
    ['/nope', 'Page not found · Test store'],
    ['/ko/nope', '페이지를 찾을 수 없어요 · Test store'],
    ['/products/nope', 'Page not found · Test store'],
    ['/ko/products/nope', '페이지를 찾을 수 없어요 · Test store'],
    ['/products/nope/watch', 'Page not found · Test store'],
    ['/notices/nope', 'Page not found · Test store'],
    ['/pages/nope', 'Page not found · Test store'],
    ['/products/a/b', 'Page not found · Test store'],
    ['/products/%', 'Page not found · Test store'],
  ])('%s has its own title and no canonical address, and is not indexed', async (path, title) =>
    expect(headOf(await server.request(path))).toEqual({
      status: 404,
      titles: [title],
      robots: ['noindex,nofollow'],
      addresses: [],
    }),
  )
})

test('a page states its length, whoever it is for', async () => {
  const cookie = 'guest=of-the-test'
  for (const [path, headers] of [
    ['/', {}],
    ['/', { cookie }],
    ['/nope', { cookie }],
  ] as const) {
    const { body, headers: answered } = await server.request(path, { headers })
    expect(answered['content-length'], path).toBe(String(Buffer.byteLength(body)))
    const head = await server.request(path, { headers, method: 'HEAD' })
    expect(head.status, path).toBeLessThan(500)
    expect(head.body).toBe('')
  }
})

test.each([
  ['', 'No longer available · Test store'],
  ['/ko', '판매 종료 · Test store'],
])(
  'the page of a withdrawn product (%s) answers 410, has its own title and is not indexed',
  async (language, title) => {
    const { code } = await tenant.createProduct({
      saleTo: new Date(api.clock.now().getTime() - dayMilliseconds).toISOString(),
    })
    const { titles, ...head } = headOf(await server.request(`${language}/products/${code}`))
    expect(head).toEqual({ status: 410, robots: ['noindex,nofollow'], addresses: [] })
    expect(titles).toEqual([title])
  },
)

test('a page of a list beyond its last one is not indexed', async () => {
  await tenant.createProduct()
  const robots = async (path: string) => headOf(await server.request(path)).robots
  for (const path of ['/products', '/videos', '/notices']) {
    expect(await robots(path), path).toEqual(['index,follow'])
    expect(await robots(`${path}?page=999`), path).toEqual(['noindex,nofollow'])
  }
})

test('a former category path redirects to the current one', async () => {
  const films = await tenant.createCategory('Films', undefined, 'cinema')
  await api.owner
    .update(categories)
    .set({ formerPaths: ['films'] })
    .where(eq(categories.id, films.id))
  for (const list of ['/products', '/videos', '/ko/products']) {
    const { status, headers } = await server.request(`${list}?category=films&page=2`)
    expect({ status, location: headers.location }).toEqual({ status: 301, location: `${list}?category=cinema&page=2` })
  }
  expect((await server.request('/products?category=nothing')).status).toBe(200)
})

test('the sitemap names the plans on sale while the store has plans', async () => {
  const usePlans = (useSubscribe: boolean) =>
    api.owner
      .update(customers)
      .set({ settings: { ...tenant.settings, order: { ...tenant.settings.order, useSubscribe } } })
      .where(eq(customers.customerId, tenant.id))
  await usePlans(true)
  await createPlan(tenant)
  await tenant.createProduct({ access: 'PURCHASE_OR_PLAN' })
  const [plan] = (await tenant.guest.subscriptions.plans()).items
  const places = async () =>
    [...(await server.request('/sitemap.xml')).body.matchAll(/<loc>([^<]*)/g)].map(([, place]) => place)
  const paths = (found: (string | undefined)[]) => found.map((place) => new URL(place ?? '').pathname)
  expect(paths(await places())).toEqual(expect.arrayContaining(['/plans', `/plans/${plan?.code}/products`]))
  await usePlans(false)
  expect(paths(await places()).filter((path) => path.startsWith('/plans'))).toEqual([])
})

test('the home page of a store without free products shows paid products only', async () => {
  const settings = plainSettings()
  settings.order.useFree = false
  const store = await createTenant(api, { settings })
  const home = await openStoreServer(api, `${store.code}.test`)
  for (const [title, input] of [
    ['Paid lantern', { price: 900 }],
    ['Free lantern', { kind: 'FREE', access: 'MEMBER', price: null }],
    ['Open lantern', { access: 'FREE', price: null }],
    ['Zero lantern', { price: 0 }],
  ] as const)
    await store.createProduct({ title, ...input })
  const { status, body } = await home.request('/')
  expect(status).toBe(200)
  expect(body).toContain('Paid lantern')
  expect(body).not.toMatch(/(?:Free|Open|Zero) lantern/)
})

describe('the error screen', () => {
  test.each([
    ['/products/broken', /\/new-products\/broken/],
    ['/ko/products/broken', /\/new-products\/broken/],
    // Requests of every page, before it is rendered.
    ['/faq?broken', /\/site-settings|\/contract/],
  ])('is a complete page on %s, with its own title', async (path, broken) => {
    failing = broken
    const answer = await server.request(path)
    failing = undefined
    const { status, titles, robots, addresses } = headOf(answer)
    expect({ status, robots, addresses }).toEqual({ status: 500, robots: ['noindex,nofollow'], addresses: [] })
    expect(titles).toEqual([expect.stringMatching(/^(?:Error 500|오류 500|500 A server error)/)])
    expect(count(answer, /<main\b/g)).toBe(1)
    expect(count(answer, /<header\b/g)).toBeLessThanOrEqual(1)
    expect(count(answer, /<footer\b/g)).toBe(0)
    expect(count(answer, /Test store/g)).toBeLessThanOrEqual(8)
  })
})

describe('an unsupported method', () => {
  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('%s is refused with 405 on every page', async (method) => {
    for (const path of ['/', '/products/nope', '/mypages', '/ko/faq', '/nope', '/products/%']) {
      const { status, headers } = await server.request(path, { method })
      expect([path, status, headers.allow]).toEqual([
        path,
        path.endsWith('%') ? 404 : 405,
        path.endsWith('%') ? undefined : 'GET, HEAD',
      ])
    }
  })
  test('a form post to a page without a form is refused', async () => {
    for (const path of ['/', '/faq', '/products'])
      expect(
        (await server.request(path, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).status,
        path,
      ).toBe(405)
  })
})

describe('a server function call without a name', () => {
  test.each(['/_serverFn/', '/_serverFn//', '/_serverFn/?payload=1', '/%5FserverFn/'])(
    '%s is not found',
    async (path) => {
      const { status, headers, body } = await server.request(path)
      expect(status).toBe(404)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers[headerNames.requestId]).toMatch(/^[\w-]{8,}$/)
      expect(JSON.parse(body)).toMatchObject({ code: 'NOT_FOUND', requestId: headers[headerNames.requestId] })
    },
  )
  test('an API route refuses other methods with 405', async () =>
    expect((await server.request('/_serverFn/abc', { method: 'DELETE' })).status).toBe(405))
})

describe('a user agent named like a crawler', () => {
  const phone =
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36'
  test.each([
    ['is shown the error screen on a phone', phone, 1],
    [
      'is shown no error screen as a search engine',
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      0,
    ],
    ['is shown no error screen as a preview of links', 'facebookexternalhit/1.1', 0],
  ])('%s', async (_, agent, screens) => {
    failing = /\/new-products\/broken/
    const answer = await server.request('/products/broken', { headers: { 'user-agent': agent } })
    failing = undefined
    expect([answer.status, count(answer, /<main\b/g)]).toEqual([500, screens])
  })
})

test('a form post of another site is refused with a page, without a call of the API', async () => {
  failing = /./
  try {
    for (const path of ['/login', '/ko/login', '/join', '/carts', '/mypages/profile', '/no-such-page'])
      for (const origin of [undefined, 'https://evil.example']) {
        const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(origin && { origin }) }
        const answer = await server.request(path, { method: 'POST', headers })
        expect([path, answer.status, headOf(answer)]).toMatchObject([
          path,
          403,
          { titles: [expect.stringMatching(/^This form/)] },
        ])
        expect(answer.headers).toMatchObject({
          'content-type': expect.stringContaining('text/html'),
          'cache-control': 'no-store',
        })
        expect(headOf(answer).robots).toEqual(['noindex,nofollow'])
        const program = await server.request(path, {
          method: 'POST',
          headers: { ...headers, accept: 'application/json' },
        })
        expect([program.status, JSON.parse(program.body)]).toMatchObject([403, { code: 'FORBIDDEN' }])
      }
  } finally {
    failing = undefined
  }
})

test('a product whose sale has ended asks guests alone to sign in', async () => {
  const product = await tenant.createProduct({ status: 'ENDED' })
  const member = await tenant.createMember()
  const path = `/products/${product.code}`
  const asGuest = await server.request(path)
  expect([asGuest.status, asGuest.body.includes('sign in to find it under Purchases')]).toEqual([410, true])
  const { status, body } = await server.request(path, { headers: { cookie: `token=${member.token}` } })
  expect([status, body.includes('sign in to find it')]).toEqual([410, false])
  expect(body).toContain('you find it under Purchases')
})
