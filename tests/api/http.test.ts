import { describe, expect, test } from 'vitest'
import { createDeps } from '#api/deps.ts'
import { createApi } from '#api/http/app.ts'
import type { Problem } from '#contract/problem.ts'
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
  test('names each field that is not right, with 422', async () => {
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

  test('speaks the language of the caller', async () => {
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
      'a body that is no JSON',
      400,
      'BAD_REQUEST',
      inTenant('/login'),
      { method: 'POST', headers: json, body: '{"email":' },
    ],
    [
      'a body that is not said to be JSON',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      inTenant('/login'),
      { method: 'POST', body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    // Over HTTP such a body is a stream of no bytes, not none at all.
    [
      'an empty body, which needs no type, from a guest',
      401,
      'UNAUTHORIZED',
      inTenant('/products/0198c0de-0000-7000-8000-000000000000/like'),
      { method: 'POST', body: '', headers: { 'content-length': '0' } },
    ],
    ['an address nobody answers', 404, 'NOT_FOUND', inTenant('/nothing/here'), {}],
    ['a host with a character no host has', 422, 'VALIDATION_FAILED', '/api/v1/tenants/resolve?host=a%00b', {}],
    ['an address outside of every tenant', 404, 'NOT_FOUND', '/api/v1/nothing', {}],
    ['an address outside of the API', 404, 'NOT_FOUND', '/nothing', {}],
    ['a method the address does not know', 405, 'METHOD_NOT_ALLOWED', inTenant('/categories'), { method: 'DELETE' }],
    ['a member’s call without a token', 401, 'UNAUTHORIZED', inTenant('/me'), {}],
    ['a token nobody has', 401, 'SESSION_EXPIRED', inTenant('/me'), { headers: { authorization: 'Bearer nonsense' } }],
    [
      'a body beyond the limit',
      413,
      'PAYLOAD_TOO_LARGE',
      inTenant('/login'),
      {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(300_000) }),
      },
    ],
    ['an id that is none', 422, 'VALIDATION_FAILED', inTenant('/products/not-an-id/comments'), {}],
    ['a page beyond reason', 422, 'VALIDATION_FAILED', inTenant('/new-search?page=0&size=1000'), {}],
  ] satisfies [string, number, string, string, Sent][])(
    'says what is wrong with %s',
    async (_, status, code, path, sent) => {
      const { response, problem } = await send(path, sent)
      expect(response.status).toBe(status)
      expect(problem).toMatchObject({ code, message: expect.any(String), errors: expect.any(Object) })
      expect(problem.requestId).toBe(response.headers.get('x-request-id'))
      expect(response.headers.get('cache-control')).toBe('no-store')
    },
  )

  test('tells which methods an address knows', async () => {
    const { response } = await send(inTenant('/carts/items'), { method: 'GET' })
    expect(response.headers.get('allow')).toBe('POST')
  })

  test('of a surprise says nothing but that there was one', async () => {
    const broken = createDeps({
      databaseUrl: 'postgres://nobody:secret-password@127.0.0.1:1/none',
      secret: 'x'.repeat(32),
      config: { production: true, logLevel: 'silent', databasePoolSize: 2, publicUrl: null, trustedProxies: [] },
    })
    const response = await createApi(broken).fetch(new Request(`${api.origin}${inTenant('/categories')}`))
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ code: 'SERVER_ERROR', errors: {} })
    expect(text).not.toMatch(/ECONNREFUSED|secret-password|at .*\.ts/)
    const ready = await createApi(broken).fetch(new Request(`${api.origin}/readyz`))
    expect(ready.status).toBe(503)
    await broken[Symbol.asyncDispose]()
  })
})

describe('Requests', () => {
  test('keep a sane id they come with, and get one otherwise', async () => {
    const kept = await send(inTenant('/contract'), { headers: { 'x-request-id': 'page-4711-abcdef' } })
    expect(kept.response.headers.get('x-request-id')).toBe('page-4711-abcdef')
    const replaced = await send(inTenant('/contract'), { headers: { 'x-request-id': '<script>' } })
    expect(replaced.response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('understand numbers, truths and lists of a query', async () => {
    const { response, problem } = await send(
      inTenant('/new-search?page=1&size=5&video=false&kind[]=VOD&kind[]=PAY&priceMin=100'),
    )
    expect(response.status).toBe(200)
    expect(problem).toMatchObject({ page: 1, size: 5, total: 1 })
  })

  test('with a token are answered for the member, and for nobody else', async () => {
    const one = await send(inTenant('/me'), { headers: bearer })
    expect(one.problem).toMatchObject({ id: member.id })
    const other = await tenant.createMember()
    expect((await other.client.accounts.me()).id).toBe(other.id)
  })

  test('of two members never share an answer', async () => {
    const other = await tenant.createMember()
    await member.client.engagement.like({ id: product.id, liked: true })
    const [mine, theirs, guests] = await Promise.all([
      member.client.catalog.search({}),
      other.client.catalog.search({}),
      tenant.guest.catalog.search({}),
    ])
    expect(mine.items[0]?.viewer?.liked).toBe(true)
    expect(theirs.items[0]?.viewer?.liked).toBe(false)
    expect(guests.items[0]?.viewer).toBeNull()
  })

  test('of two tenants for the same thing never share an answer', async () => {
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

describe('Documentation', () => {
  test('is OpenAPI 3.1, printed from the contract', async () => {
    const { response, problem } = await send('/api/v1/openapi.json')
    const document = problem as unknown as {
      openapi: string
      paths: Record<string, Record<string, { security?: unknown }>>
    }
    expect(response.status).toBe(200)
    expect(document.openapi).toMatch(/^3\.1/)
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/login', '/new-search', '/orders/{code}/payments']),
    )
    expect(document.paths['/me']?.get?.security).toEqual([{ bearer: [] }])
  })

  test('is readable on a page that loads nothing from elsewhere', async () => {
    const response = await api.fetch(new Request(`${api.origin}/api/v1/docs`))
    const page = await response.text()
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(page).not.toMatch(/https?:\/\//)
    for (const [, asset] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const found = await api.fetch(new Request(`${api.origin}${asset}`))
      expect([asset, found.status]).toEqual([asset, 200])
    }
  })
})
