import { request as ask, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { resolveStore } from '#api/modules/tenancy/stores.ts'
import type { LoadGauge } from '#server/admission.ts'
import { createAdmission } from '#server/admission.ts'
import { createRequestHandler } from '#server/handle-request.ts'
import { listen } from '#server/listen.ts'
import type { Storefront } from '#server/storefront.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { eventually } from '../support/eventually.ts'

const api = createTestApi()
const gauge = { delay: 0, waiting: 0 }
const load: LoadGauge = { eventLoopDelay: () => gauge.delay, waitingForDatabase: () => gauge.waiting }

/** Pages that are rendered when the test allows it; `begun` counts those started. */
const releases: (() => void)[] = []
const drawn: string[] = []
/** The storefront's own cache. */
const documents: object[] = []
const storefront: Storefront = {
  files: async () => false,
  routeOf: () => undefined,
  logTo: () => {},
  sharedDocumentKey: ({ url }, header) => (header('cookie') ? undefined : url),
  fetch: async (request, { context }) => {
    const { pathname, host } = new URL(request.url)
    drawn.push(pathname)
    if (pathname === '/kept' || pathname === '/expired') {
      const store = await resolveStore(api.deps, code, host)
      const body = new TextEncoder().encode('kept')
      const document = { body, encoded: new Map(), expiresAt: Date.now() + (pathname === '/kept' ? 30_000 : -1) }
      documents.push(document)
      const version = store?.customer.version ?? 0
      context.onSharedDocument(document, { customerCode: code, version, host, hostCustomerCode: null })
      return new Response('kept')
    }
    if (request.method === 'POST') await request.text()
    await new Promise<void>((resolve) => releases.push(resolve))
    return new Response('drawn')
  },
  [Symbol.asyncDispose]: async () => {},
}

/** Two slots, and a queue of one. */
const admission = createAdmission(load, { concurrency: 2, queue: 1, wait: 20_000, delay: 200 })
const serve = async () => {
  const handler = createRequestHandler({
    deps: api.deps,
    api,
    admission,
    media: async () => false,
    storefront,
  })
  return listen(handler, { host: '127.0.0.1', port: 0 })
}
let server: Awaited<ReturnType<typeof serve>>
let code: string

beforeAll(async () => {
  code = (await createTenant(api)).code
  server = await serve()
})
afterAll(() => server[Symbol.asyncDispose]())
afterEach(async () => {
  Object.assign(gauge, { delay: 0, waiting: 0 })
  release()
})

const release = () => {
  for (const draw of releases.splice(0)) draw()
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: string
}

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = ask({ host: '127.0.0.1', port: server.port, path, method, agent: false, headers })
  sent.once('error', reject).once('response', async (response) => {
    let body = ''
    for await (const part of response.setEncoding('utf8')) body += part
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
  })
  promise.catch(() => undefined)
  return { sent, answer: promise }
}
const page = (path: string, headers: Record<string, string> = {}) => {
  const { sent, answer } = send(path, { accept: 'text/html', ...headers })
  sent.end()
  return { answer, leave: () => sent.destroy() }
}

/** Starts two requests and queues a third. */
const fill = async () => {
  const first = [page('/a'), page('/b')]
  await eventually(() => expect(releases).toHaveLength(2))
  const queued = page('/c')
  await eventually(() => expect(admission.isFull()).toBe(true))
  return { answers: [...first, queued].map(({ answer }) => answer), queued }
}

test('requests beyond the queue are refused without being started, the others are answered', async () => {
  const { answers } = await fill()
  drawn.length = 0
  const refused = await page('/ko/products', { 'accept-language': 'en' }).answer
  expect(refused.status).toBe(503)
  expect(refused.headers).toMatchObject({
    'retry-after': expect.stringMatching(/^[1-9]\d*$/),
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'x-robots-tag': 'noindex',
  })
  expect(refused.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/)
  expect(refused.body).toContain('<html lang="ko" dir="ltr">')
  for (const path of ['/_serverFn/a-function', `/api/v1/customers/${code}/products`, '/api/approval']) {
    const { status, headers, body } = await page(path).answer
    expect([path, status, headers['x-tss-raw']]).toEqual([path, 503, 'thrown'])
    expect(JSON.parse(body)).toMatchObject({ code: 'OVERLOADED', errors: {}, requestId: expect.any(String) })
  }
  expect(drawn).toEqual([])
  release()
  await eventually(() => expect(releases).toHaveLength(1))
  release()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('health checks and cached pages are answered while all slots are used', async () => {
  expect((await page('/kept').answer).body).toBe('kept')
  const { answers } = await fill()
  expect((await page('/healthz').answer).status).toBe(200)
  expect((await page('/readyz').answer).status).toBe(200)
  expect((await page('/kept').answer).body).toBe('kept')
  expect((await page('/kept', { cookie: 'token=of-a-member' }).answer).status).toBe(503)
  release()
  await eventually(() => expect(releases).toHaveLength(1))
  release()
  await Promise.all(answers)
})

test('an expired page is rendered again, and sent as it is where there is no place for that', async () => {
  for (const time of [1, 2]) {
    expect((await page('/expired').answer).body).toBe('kept')
    expect(drawn.filter((path) => path === '/expired')).toHaveLength(time)
  }
  const { answers } = await fill()
  const busy = await page('/expired').answer
  expect([busy.status, busy.body, busy.headers['x-cache']]).toEqual([200, 'kept', 'hit'])
  release()
  await eventually(() => expect(releases).toHaveLength(1))
  release()
  await Promise.all(answers)
})

test.each([{ delay: 1_000 }, { waiting: 1_000 }])('no request waits in the queue with a load of %o', async (busy) => {
  Object.assign(gauge, busy)
  // A delay of the event loop alone refuses no request.
  const first = [page('/a'), page('/b')]
  await eventually(() => expect(releases).toHaveLength(2))
  expect((await page('/c').answer).status).toBe(503)
  Object.assign(gauge, { delay: 0, waiting: 0 })
  release()
  for (const { answer } of first) expect((await answer).status).toBe(200)
  const next = page('/b')
  await eventually(() => expect(releases).toHaveLength(1))
  release()
  expect((await next.answer).status).toBe(200)
})

test('a client that disconnects frees its place in the queue', async () => {
  const { answers, queued } = await fill()
  drawn.length = 0
  queued.leave()
  await eventually(() => expect(admission.isFull()).toBe(false))
  const next = page('/d').answer
  await eventually(() => expect(admission.isFull()).toBe(true))
  release()
  await eventually(() => expect(releases).toHaveLength(1))
  release()
  expect((await next).status).toBe(200)
  expect(drawn).toEqual(['/d'])
  await Promise.all(answers.slice(0, 2))
})

test('requests whose body does not arrive use no slot', async () => {
  const slow = Array.from({ length: 8 }, () => send('/form', { 'content-length': '5' }, 'POST'))
  for (const { sent } of slow) sent.write('a')
  await eventually(() => expect(drawn.filter((path) => path === '/form')).toHaveLength(8))
  const honest = page('/a')
  await eventually(() => expect(releases).toHaveLength(1))
  release()
  expect((await honest.answer).status).toBe(200)
  for (const { sent } of slow) sent.destroy()
})

test('a wait for a database connection ends in 503 and not in 500', async () => {
  const { pool } = api.deps
  const { connectionTimeoutMillis } = pool.options
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  pool.options.connectionTimeoutMillis = 50
  try {
    for (const [method, path] of [
      ['GET', `/api/v1/customers/${code}/categories`],
      ['POST', `/api/v1/customers/${code}/uploads`],
      ['GET', `/api/v1/tenants/resolve?host=store.example.com`],
      ['GET', '/readyz'],
    ] as const) {
      const { sent, answer } = send(path, { authorization: 'Bearer a-token', 'content-length': '0' }, method)
      sent.end()
      const { status, headers, body } = await answer
      expect([path, status, JSON.parse(body).code]).toEqual([path, 503, 'UNAVAILABLE'])
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
  } finally {
    pool.options.connectionTimeoutMillis = connectionTimeoutMillis
    for (const client of taken) client.release()
  }
  expect((await page(`/api/v1/customers/${code}/categories`).answer).status).toBe(200)
})
