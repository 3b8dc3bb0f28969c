import { pino } from 'pino'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { logSafety } from '#api/platform/log/log.ts'
import { customerBase } from '#contract/http.ts'
import { openStoreServer } from '#tests/support/store-server.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { eventually } from '../support/eventually.ts'

const lines: string[] = []
const log = pino({ level: 'trace', ...logSafety }, { write: (line: string) => void lines.push(line) })
const api = createTestApi({ log })
let tenant: Tenant
let server: Awaited<ReturnType<typeof openStoreServer>>
/** Calls of the API that fail, by their path. */
let failing: RegExp | undefined

beforeAll(async () => {
  tenant = await createTenant(api)
  server = await openStoreServer(api, `${tenant.code}.test`, {
    answer: ({ url }) => {
      if (failing?.test(url)) throw new Error('This part of the API is broken.')
    },
  })
}, 180_000)
beforeEach(() => {
  lines.length = 0
})

const parsedLines = () => lines.map((line): Record<string, unknown> => JSON.parse(line))
/** The line is written when the response has left, which may be after its arrival. */
const requestLine = (id: unknown) =>
  eventually(() => {
    const line = parsedLines().find(({ msg, requestId }) => msg === 'Request' && requestId === id)
    if (!line) throw new Error(`No line of request ${id}`)
    return line
  })

test.each([
  ['/', '/', 200],
  ['/ko/products?page=2', '/products', 200],
  ['/products/a-product-that-is-not-there', '/products/{code}', 404],
  ['/mypages/cards', '/mypages/cards', 307],
  ['/robots.txt', '/robots.txt', 200],
  ['/not-a-page/at/all', 'unknown', 404],
])('the line of the page %s has the route %s', async (path, route, status) => {
  const { headers } = await server.request(path)
  expect(await requestLine(headers['x-request-id'])).toMatchObject({
    level: 30,
    method: 'GET',
    route,
    customer: tenant.code,
    status,
    ms: expect.any(Number),
  })
})

test.each([
  ['/new-products/no-such-code', '/new-products/{id}', 404],
  ['/tenants/nothing', 'unknown', 404],
  ['/categories', '/categories', 200],
])('the line of the API request %s has the pattern of its procedure', async (path, route, status) => {
  const { headers } = await server.request(customerBase(tenant.code) + path)
  expect(await requestLine(headers['x-request-id'])).toMatchObject({
    level: 30,
    route: route === 'unknown' ? route : `/api/v1/customers/{code}${route}`,
    status,
  })
})

test('the line of the API request for the store of a host has its path', async () => {
  const { headers } = await server.request('/api/v1/tenants/resolve?host=a.test')
  expect(await requestLine(headers['x-request-id'])).toMatchObject({ route: '/api/v1/tenants/resolve', status: 200 })
})

test('a request has the id that its proxy gave it, and one of its own where that is not valid', async () => {
  const identified = await server.request('/', { headers: { 'x-request-id': 'proxy.id-0001' } })
  expect(identified.headers['x-request-id']).toBe('proxy.id-0001')
  await requestLine('proxy.id-0001')
  for (const path of ['/', `${customerBase(tenant.code)}/categories`]) {
    const invalid = await server.request(path, { headers: { 'x-request-id': 'not an id "' } })
    expect(invalid.headers['x-request-id']).toMatch(/^[\w-]{36}$/)
    await requestLine(invalid.headers['x-request-id'])
  }
})

test('stored files and health checks are logged at debug, and refusals of files at info', async () => {
  for (const [path, route, level] of [
    ['/healthz', '/healthz', 20],
    ['/readyz', '/readyz', 20],
    ['/favicon.svg', '/favicon.svg', 20],
  ] as const) {
    await server.request(path)
    await eventually(() =>
      expect(parsedLines()).toContainEqual(expect.objectContaining({ msg: 'Request', route, level })),
    )
  }
})

test('the log explains the id of an error that the visitor sees', async () => {
  for (const [path, broken] of [
    ['/products/broken', /\/new-products\/broken/],
    ['/faq?broken', /\/site-settings|\/contract/],
  ] as const) {
    failing = broken
    const { headers, body, status } = await server.request(path)
    failing = undefined
    const id = headers['x-request-id']
    expect(status).toBe(500)
    expect(body).toContain(id)
    expect(await requestLine(id)).toMatchObject({ status: 500 })
    const cause = parsedLines().find(({ level, requestId }) => level === 50 && requestId === id)
    expect(cause).toMatchObject({ err: { message: 'This part of the API is broken.' } })
  }
})

test('a body that is too large gets an id that the log has', async () => {
  const { headers, body, status } = await server.request('/', {
    method: 'POST',
    headers: { 'content-length': '900000000', connection: 'close' },
  })
  expect(status).toBe(413)
  expect(JSON.parse(body).requestId).toBe(headers['x-request-id'])
  expect(await requestLine(headers['x-request-id'])).toMatchObject({ status: 413 })
})

const secret = 'hunter2-do-not-tell'
/** The request id is excluded: the sender chooses it, and it is logged on purpose. */
const secretHeaders = {
  cookie: ['token', 'guest', 'device', 'preview', 'join', 'customerCode', 'locale', 'theme', 'password']
    .map((name) => `${name}=${secret}`)
    .join('; '),
  authorization: `Bearer ${secret}`,
  'user-agent': secret,
  referer: `http://store.test/?key=${secret}`,
  'accept-language': secret,
  'x-forwarded-for': secret,
  'x-forwarded-host': secret,
  'x-guest-token': secret,
  'idempotency-key': secret,
  'x-secret': secret,
}

test('a secret in every header, path and parameter of pages and files appears in no log line', async () => {
  const base = customerBase(tenant.code)
  const paths = [
    ...['/', '/products', `/products/${secret}`, `/${secret}`, `/${secret}/${secret}`, `/ko/${secret}`, '/login'],
    ...[
      `/mypages/${secret}`,
      `/_serverFn/${secret}`,
      `/api/${secret}`,
      `${base}/${secret}`,
      `${base}/products/${secret}`,
    ],
    ...[`/api/v1/customers/${secret}/products`, `/api/v1/${secret}`, `/sandbox/${secret}`, `/pay/portone/${secret}`],
    ...[
      `/media/${secret}`,
      `/m/${secret}/${secret}`,
      `/p/${secret}`,
      `/media-right/m/${secret}/x`,
      `/assets/${secret}`,
    ],
    ...[`/api/approval/${secret}`, `/readyz/${secret}`, '/search'],
  ]
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      await server.request(
        `${path}?token=${secret}&password=${secret}&q=${secret}&payload=${secret}&preview=${secret}`,
        {
          method,
          headers: { ...secretHeaders, 'content-length': '0' },
        },
      )
  expect(lines.length).toBeGreaterThanOrEqual(paths.length * 4)
  expect(lines.filter((line) => line.includes('hunter2'))).toEqual([])
})
