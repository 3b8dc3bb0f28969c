import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createApi } from '#api/app.ts'
import { createDeps } from '#api/deps.ts'
import { documentation } from '#api/http/openapi.ts'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CommentId } from '#contract/ids.ts'
import type { Problem } from '#contract/problem.ts'
import { keyed, terms } from '#tests/support/buying.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const tenant = await createTenant(api)
const member = await tenant.createMember()
const product = await tenant.createProduct()

interface Sent {
  method?: string
  body?: string
  headers?: Record<string, string>
}

const send = async (path: string, { method = 'GET', body, headers = {} }: Sent = {}) => {
  const response = await api.fetch(
    new Request(`${api.origin}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
  )
  return { response, problem: (await response.json().catch(() => null)) as Problem }
}
const inTenant = (path: string) => `/api/v1/customers/${tenant.code}${path}`
const json = { 'content-type': 'application/json' }
const bearer = { authorization: `Bearer ${member.token}` }

describe('The error payload', () => {
  test('the error payload names each invalid field with 422', async () => {
    const { response, problem } = await send(inTenant('/login'), {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: 'not an address', password: '' }),
    })
    expect(response.status).toBe(422)
    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', requestId: response.headers.get('x-request-id') })
    expect(Object.keys(problem.errors).sort()).toEqual(['email', 'password'])
    for (const sentences of Object.values(problem.errors)) expect(sentences[0]).not.toBe('Invalid input')
  })

  test('error messages are in the language of the request', async () => {
    const wrong = { method: 'POST', body: JSON.stringify({ email: 'x', password: 'x' }) }
    const english = await send(inTenant('/login'), { ...wrong, headers: json })
    const korean = await send(inTenant('/login'), {
      ...wrong,
      headers: { ...json, 'accept-language': 'ko-KR,ko;q=0.9' },
    })
    expect(korean.problem.errors.email?.[0]).toMatch(/[가-힣]/)
    expect(english.problem.errors.email?.[0]).not.toMatch(/[가-힣]/)
  })

  test.each([
    [
      'a body that is not JSON',
      400,
      'BAD_REQUEST',
      inTenant('/login'),
      { method: 'POST', headers: json, body: '{"email":' },
    ],
    [
      'a body of another content type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      inTenant('/login'),
      { method: 'POST', body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    // Over HTTP such a body is a stream without bytes rather than a missing body.
    [
      'a guest’s empty body without a content type',
      401,
      'UNAUTHORIZED',
      inTenant('/products/0198c0de-0000-7000-8000-000000000000/like'),
      { method: 'POST', body: '', headers: { 'content-length': '0' } },
    ],
    ['an unknown path', 404, 'NOT_FOUND', inTenant('/nothing/here'), {}],
    ['a host with an invalid character', 422, 'VALIDATION_FAILED', '/api/v1/tenants/resolve?host=a%00b', {}],
    ['a path outside of every tenant', 404, 'NOT_FOUND', '/api/v1/nothing', {}],
    ['a path outside of the API', 404, 'NOT_FOUND', '/nothing', {}],
    ['an unsupported method', 405, 'METHOD_NOT_ALLOWED', inTenant('/categories'), { method: 'DELETE' }],
    ['a member’s procedure without a token', 401, 'UNAUTHORIZED', inTenant('/me'), {}],
    ['an unknown token', 401, 'SESSION_EXPIRED', inTenant('/me'), { headers: { authorization: 'Bearer nonsense' } }],
    [
      'a body over the limit',
      413,
      'PAYLOAD_TOO_LARGE',
      inTenant('/login'),
      {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(300_000) }),
      },
    ],
    ...['['.repeat(100_000) + ']'.repeat(100_000), `{"email":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`].map(
      (body): [string, number, string, string, Sent] => [
        `a deeply nested body (${body.slice(0, 14)}…)`,
        400,
        'BAD_REQUEST',
        inTenant('/login'),
        { method: 'POST', headers: json, body },
      ],
    ),
    ['an invalid id', 422, 'VALIDATION_FAILED', inTenant('/products/not-an-id/comments'), {}],
    ['an invalid page number and size', 422, 'VALIDATION_FAILED', inTenant('/new-search?page=0&size=1000'), {}],
  ] satisfies [string, number, string, string, Sent][])(
    '%s is refused with %i %s',
    async (_, status, code, path, sent) => {
      const { response, problem } = await send(path, sent)
      expect(response.status).toBe(status)
      expect(problem).toMatchObject({ code, message: expect.any(String), errors: expect.any(Object) })
      expect(problem.requestId).toBe(response.headers.get('x-request-id'))
      expect(response.headers.get('cache-control')).toBe('no-store')
    },
  )

  test.each([
    ['ko-KR, en;q=0.5', '올바르지 않은 항목이 있어요.'],
    ['fr', 'Some fields are not valid.'],
  ])('a refusal is in the preferred language of the caller: %s', async (languages, message) => {
    const { problem } = await send(inTenant('/new-search?page=0'), { headers: { 'accept-language': languages } })
    expect(problem.message).toBe(message)
  })

  test('a 405 response lists the allowed methods', async () => {
    const { response } = await send(inTenant('/carts/items'), { method: 'GET' })
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('an unexpected error is answered with SERVER_ERROR and no details', async () => {
    const fail = () => Promise.reject(new Error('secret-password is not known in kitchen.ts'))
    const broken = createApi({ ...api.deps, pool: { connect: fail, query: fail } as never })
    const response = await broken.fetch(new Request(`${api.origin}${inTenant('/categories')}`))
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ code: 'SERVER_ERROR', errors: {} })
    expect(text).not.toMatch(/secret-password|\.ts/)
  })

  test('an unavailable database is answered with 503, Retry-After and no details', async () => {
    const broken = createDeps({
      databaseUrl: 'postgres://nobody:secret-password@127.0.0.1:1/none',
      secret: 'x'.repeat(32),
      config: {
        production: true,
        dataFolder: tmpdir(),
        logLevel: 'silent',
        databasePoolSize: 2,
        publicUrl: null,
        trustedProxies: [],
      },
    })
    const response = await createApi(broken).fetch(new Request(`${api.origin}${inTenant('/categories')}`))
    const text = await response.text()
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(JSON.parse(text)).toMatchObject({ code: 'UNAVAILABLE', errors: {} })
    expect(text).not.toMatch(/ECONNREFUSED|secret-password|at .*\.ts/)
    const ready = await createApi(broken).fetch(new Request(`${api.origin}/readyz`))
    expect(ready.status).toBe(503)
    await broken[Symbol.asyncDispose]()
  })
})

describe('Requests', () => {
  test('a request keeps a valid request id, and otherwise gets a new one', async () => {
    const preserved = await send(inTenant('/contract'), { headers: { 'x-request-id': 'page-4711-abcdef' } })
    expect(preserved.response.headers.get('x-request-id')).toBe('page-4711-abcdef')
    const replaced = await send(inTenant('/contract'), { headers: { 'x-request-id': '<script>' } })
    expect(replaced.response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a query is parsed into numbers, booleans and lists', async () => {
    const { response, problem } = await send(
      inTenant('/new-search?page=1&size=5&video=false&kind[]=VOD&kind[]=PAY&priceMin=100'),
    )
    expect(response.status).toBe(200)
    expect(problem).toMatchObject({ page: 1, size: 5, total: 1 })
  })

  test('a request with a token is answered for its member', async () => {
    const one = await send(inTenant('/me'), { headers: bearer })
    expect(one.problem).toMatchObject({ id: member.id })
    const other = await tenant.createMember()
    expect((await other.client.identity.me()).id).toBe(other.id)
  })

  test('requests of two members never share a response', async () => {
    const other = await tenant.createMember()
    await member.client.engagement.like({ id: product.id, liked: true })
    const [ofMember, theirs, guests] = await Promise.all([
      member.client.catalog.search({}),
      other.client.catalog.search({}),
      tenant.guest.catalog.search({}),
    ])
    expect(ofMember.items[0]?.viewer?.liked).toBe(true)
    expect(theirs.items[0]?.viewer?.liked).toBe(false)
    expect(guests.items[0]?.viewer).toBeNull()
  })

  test('requests of two tenants never share a response', async () => {
    const settings = plainSettings()
    settings.base.name = 'Another store'
    const another = await createTenant(api, { settings })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? tenant : another).guest.tenancy.siteSettings()),
    )
    for (const [index, answer] of answers.entries())
      expect(answer.base.name).toBe(index % 2 ? 'Test store' : 'Another store')
  })
})

/** Hundreds of requests take long while other tests run. */
const longTimeout = { timeout: 30_000 }

describe('Limits', longTimeout, () => {
  const statusesOf = async (times: number, request: () => Promise<unknown>) => {
    const counted = new Map<number, number>()
    for (let time = 0; time < times; time++) {
      const status = await request().then(
        () => 200,
        (error: { status: number }) => error.status,
      )
      counted.set(status, (counted.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(counted)
  }

  test('comments are limited to thirty in ten minutes for each member, not counting refused ones', async () => {
    const [author, other] = [await tenant.createMember(), await tenant.createMember()]
    const comment = (body: string) => author.client.engagement.addComment({ id: product.id, body })
    const toUnknownParent = { id: product.id, body: 'Hello', parentId: newId<CommentId>() }
    expect(await statusesOf(40, () => author.client.engagement.addComment(toUnknownParent))).toEqual({ 404: 40 })
    expect(await statusesOf(32, () => comment('Hello'))).toEqual({ 200: 30, 429: 2 })
    const { response } = await send(inTenant(`/products/${product.id}/comments`), {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${author.token}` },
      body: JSON.stringify({ body: 'Hello' }),
    })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.client.engagement.addComment({ id: product.id, body: 'Hello' })).body).toBe('Hello')
    api.clock.advance(11 * 60_000)
    expect((await comment('Later')).body).toBe('Later')
  })

  test('views are limited to 600 a minute for each address, and the product can still be read', async () => {
    const separateTenant = await createTenant(api)
    const { id } = await separateTenant.createProduct()
    const view = (address: string) =>
      api.client(separateTenant.code, { headers: { 'x-forwarded-for': address } }).engagement.view({ id })
    expect(await statusesOf(602, () => view('203.0.113.9'))).toEqual({ 200: 600, 429: 2 })
    expect(await statusesOf(2, () => view('203.0.113.10'))).toEqual({ 200: 2 })
    const shown = await api
      .client(separateTenant.code, { headers: { 'x-forwarded-for': '203.0.113.9' } })
      .catalog.product({ id })
    expect(shown.id).toBe(id)
    await separateTenant.within((db) => rollUpEvents(db, separateTenant.id, 1_000))
    expect((await separateTenant.guest.catalog.product({ id, view: false })).countOfViews).toBe(602)
  })

  test('order drafts are limited to sixty in ten minutes for each member, and a repeated one is answered', async () => {
    const separateTenant = await createTenant(api)
    const [buyer, other] = [await separateTenant.createMember(), await separateTenant.createMember()]
    const sold = await separateTenant.createProduct()
    const input = { buyNow: { productId: sold.id, optionId: sold.optionId! }, ...terms(separateTenant) }
    const place = (key: string = randomUUID()) => keyed(api, separateTenant, buyer, key).orders.placeOrder(input)
    const first = await place('the-first')
    expect(await statusesOf(61, () => place())).toEqual({ 200: 59, 429: 2 })
    expect((await place('the-first')).code).toBe(first.code)
    expect((await keyed(api, separateTenant, other).orders.placeOrder(input)).status).toBeNull()
  })
})

describe('Aborted requests', () => {
  test('a request aborted by its client is not logged as a failure', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const leave = new AbortController()
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(new TextEncoder().encode('{"email":'))
        leave.signal.addEventListener('abort', () => stream.error(new Error('aborted')))
      },
    })
    const request = new Request(`${api.origin}${inTenant('/login')}`, {
      method: 'POST',
      headers: json,
      body,
      signal: leave.signal,
      duplex: 'half',
    } as RequestInit)
    const answer = createApi({ ...api.deps, log }).fetch(request)
    leave.abort()
    await answer.catch(() => {})
    expect(lines).toEqual([])
  })
})

describe('Documentation', () => {
  test('the documentation is OpenAPI 3.1 and has the procedures of the contract', async () => {
    const { response, problem } = await send('/api/v1/openapi.json')
    const document = problem as unknown as {
      openapi: string
      paths: Record<string, Record<string, { security?: unknown; parameters?: { name: string; required?: boolean }[] }>>
    }
    expect(response.status).toBe(200)
    expect(document.openapi).toMatch(/^3\.1/)
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/login', '/new-search', '/orders/{code}/payments']),
    )
    expect(document.paths['/me']?.get?.security).toEqual([{ bearer: [] }])
    const required = (path: string) =>
      document.paths[path]?.post?.parameters?.flatMap(({ name, required }) => (required ? [name] : []))
    expect(required('/admin/orders/{code}/refund')).toEqual(['code', 'if-match'])
  })

  test('the documentation is generated again after a failure', async () => {
    const tries = [Promise.reject(new Error('Not this time.')), Promise.resolve({ openapi: '3.1.0' })]
    for (const attempt of tries) attempt.catch(() => {})
    const pages = documentation(() => tries.shift()!)
    pages.onError(() => new Response(null, { status: 500 }))
    const statuses = [await pages.request('/openapi.json'), await pages.request('/openapi.json')].map(
      ({ status }) => status,
    )
    expect(statuses).toEqual([500, 200])
  })

  test('the documentation page loads nothing from other hosts', async () => {
    const response = await api.fetch(new Request(`${api.origin}/api/v1/docs`))
    const page = await response.text()
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page).not.toMatch(/https?:\/\//)
    for (const [, asset] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const answer = await api.fetch(new Request(`${api.origin}${asset}`))
      expect([asset, answer.status]).toEqual([asset, 200])
    }
  })
})
