import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { logSafety } from '#api/platform/log/log.ts'
import { customerBase } from '#contract/http.ts'
import { bodyLimit, bufferBody, countBody, isModestJson, largestBody } from '#contract/request-body.ts'
import { largestInquiryFile } from '#contract/support.ts'
import { createTenant, password, type Tenant, type TestMember } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { openUploads } from '#tests/support/uploads.ts'

const lines: string[] = []
const api = createTestApi({
  log: pino({ level: 'trace', ...logSafety }, { write: (line: string) => void lines.push(line) }),
})
const server = await openUploads(api)
let tenant: Tenant
let member: TestMember
let sender: TestMember

beforeAll(async () => {
  tenant = await createTenant(api)
  member = await tenant.createMember()
  sender = await tenant.createMember()
})

/** Writes a request to the socket, as some clients do, and returns the status. */
const statusOf = async (path: string, headers: Record<string, string>, body = '') => {
  using request = server.begin(tenant, 'POST', path, headers)
  request.write(body)
  await vi.waitFor(() => expect(request.received()).toMatch(/^HTTP\/1.1 \d{3} [\s\S]*\r\n\r\n/), { timeout: 20_000 })
  return Number(request.received().slice(9, 12))
}

const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
const credentials = () => ({ email: member.email, password })

test('a procedure without input accepts a request without body and Content-Length', async () => {
  expect(await statusOf('/logout', { authorization: `Bearer ${member.token}` })).toBe(204)
})

test('a chunked body is accepted, and refused with 413 over the limit', async () => {
  const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
  expect(await statusOf('/login', json, chunked(JSON.stringify(credentials())))).toBe(200)
  expect(await statusOf('/login', json, chunked('x'.repeat(300_000)))).toBe(413)
})

/** Sends a request to any path of the server and returns the status as soon as it arrives. */
const statusAt = async (path: string, headers: Record<string, string>, body = '') => {
  using request = server.at('POST', path, headers)
  request.write(body)
  await vi.waitFor(() => expect(request.received()).toMatch(/^HTTP\/1.1 \d{3} [\s\S]*\r\n\r\n/), { timeout: 20_000 })
  return Number(request.received().slice(9, 12))
}

describe('a large body without authentication', () => {
  const tenMegabytes = { 'content-type': 'application/json', 'content-length': '10000000' }
  const paths = () => [
    ...[
      '/',
      '/products/some',
      '/login',
      '/_serverFn/anything',
      '/api/approval',
      '/api/cancel-approval',
      '/media/x.webp',
    ],
    ...['/api/v1/tenants/resolve', `/api/v1/customers/${tenant.code}/login`, '/api/v1/nothing', '/sandbox/pay/x'],
    ...[`/api/v1/customers/${tenant.code}/webhooks/sandbox`, '/sandbox/bank', '/pay/portone/x', '/mailbox', '/m/x/y'],
  ]

  test('ten megabytes without authentication are refused with 413 at every path before a byte is sent', async () => {
    for (const path of paths()) expect([path, await statusAt(path, tenMegabytes)]).toEqual([path, 413])
  })

  test('a chunked body over the limit is refused with 413 while it streams', async () => {
    const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const part = chunked('x'.repeat(largestBody + 1)).slice(0, -5)
    for (const path of paths().filter((one) => /^\/(api\/v1|sandbox\/(pay|bank)|pay)/.test(one))) {
      if (path === '/api/v1/nothing' || path === '/pay/portone/x') continue
      expect([path, await statusAt(path, json, part)]).toEqual([path, 413])
    }
  })

  test('a file without authentication is refused with 401 before a byte is sent', async () => {
    const form = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '10000000' }
    expect(await statusOf('/inquiries/files', form)).toBe(401)
    expect(
      await statusOf('/uploads', { 'tus-resumable': '1.0.0', 'upload-length': '10', 'content-length': '10' }),
    ).toBe(401)
  })
})

/** Sends a whole request, as simple clients do, and then reads the answer. */
const answerAfter = async (path: string, headers: Record<string, string>, parts: readonly string[]) => {
  const socket = connect(server.port, '127.0.0.1').pause()
  const failed: string[] = []
  socket.on('error', (error) => failed.push(error.message))
  const head = Object.entries({ host: `127.0.0.1:${server.port}`, ...headers }).map((line) => line.join(': '))
  const lines = [`POST ${customerBase(tenant.code)}${path} HTTP/1.1`, ...head, '', ''].join('\r\n')
  for (const part of [lines, ...parts]) {
    await new Promise((sent) => socket.write(part, sent))
    await setTimeout(5)
  }
  let received = ''
  socket.on('data', (part) => {
    received += part
  })
  socket.resume()
  await vi.waitFor(() => expect(received + failed.join()).toMatch(/requestId|E[A-Z]+/), { timeout: 20_000 })
  socket.destroy()
  return [...failed, received.slice(9, 12)]
}

describe('a body over the limit is answered and can be read after the whole is sent', () => {
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const json = { 'content-type': 'application/json' }
  const part = 'x'.repeat(1024 * 1024)

  test.each([
    ['a file of a member', '/inquiries/files', form, true],
    ['a file of nobody', '/inquiries/files', form, false],
    ['JSON of nobody', '/login', json, false],
    ['JSON of a webhook', '/webhooks/sandbox', json, false],
    ['JSON of a member', '/inquiries', json, true],
  ])('%s', async (_, path, type, signedIn) => {
    const headers = { ...type, ...(signedIn && { authorization: `Bearer ${sender.token}` }) }
    const parts = Array.from({ length: 24 }, () => part)
    const length = String(24 * part.length)
    expect(await answerAfter(path, { ...headers, 'content-length': length }, parts)).toEqual(['413'])
    const chunks = [...parts.map((one) => chunked(one).slice(0, -5)), '0\r\n\r\n']
    const isRefusedFirst = path === '/inquiries/files' && !signedIn
    expect(await answerAfter(path, { ...headers, 'transfer-encoding': 'chunked' }, chunks)).toEqual([
      isRefusedFirst ? '401' : '413',
    ])
  })
})

test('a member’s file over the limit is refused with 413 while it streams', async () => {
  const form = {
    'content-type': 'multipart/form-data; boundary=x',
    'transfer-encoding': 'chunked',
    authorization: `Bearer ${sender.token}`,
  }
  const head =
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n'
  const tooLarge = chunked(head + 'x'.repeat(largestInquiryFile + 1_100_000)).slice(0, -5)
  expect(await statusOf('/inquiries/files', form, tooLarge)).toBe(413)
})

test('a form of more than a thousand parts is refused while it streams, not counting lines inside a file', async () => {
  const typed = { 'content-type': 'multipart/form-data; boundary=x', authorization: `Bearer ${sender.token}` }
  const form = { ...typed, 'transfer-encoding': 'chunked' }
  const field = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'
  expect(await statusOf('/inquiries/files', form, chunked(field.repeat(1_001)).slice(0, -5))).toBe(400)

  const streamed = async (parts: readonly string[]) => {
    const body = new ReadableStream({
      start: (stream) => {
        for (const part of parts) stream.enqueue(new TextEncoder().encode(part))
        stream.close()
      },
    })
    const init = { method: 'POST', headers: typed, body, duplex: 'half' }
    return (await countBody(new Request('http://store.test/api/inquiry-files', init as RequestInit)).request.text())
      .length
  }
  // A delimiter across two chunks counts once. Lines of the file that look like one do not count.
  await expect(streamed(Array.from(field.repeat(1_001)))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect(await streamed(Array.from(field.repeat(900)))).toBe(field.length * 900)
  const file = `${field}${'\r\n--y'.repeat(5_000)}\r\n--x--\r\n`
  expect(await streamed([file])).toBe(file.length)
})

test('a body is not parsed before its sender is authenticated', async () => {
  const json = { 'content-type': 'application/json', 'content-length': '9' }
  expect(await statusOf('/inquiries', json, '{"title":')).toBe(401)
  expect(await statusOf('/inquiries', { ...json, authorization: `Bearer ${sender.token}` }, '{"title":')).toBe(400)
})

describe('a body', () => {
  const posted = (body: string, type = 'application/json') =>
    new Request('http://store.test/', { method: 'POST', headers: { 'content-type': type }, body })

  test.each([
    ['JSON of more than 64 levels', '['.repeat(65) + ']'.repeat(65), 'application/json'],
    ['JSON of too many values', `[${'1,'.repeat(20_000)}1]`, 'application/json'],
    ['JSON of too many empty objects', `[${'{},'.repeat(20_000)}{}]`, 'application/vnd.api+json'],
    ['a form of more than a thousand fields', 'a&'.repeat(1_001), 'application/x-www-form-urlencoded'],
    ['a form of more than a thousand parts', '--x\r\n\r\n\r\n'.repeat(1_002), 'multipart/form-data; boundary=x'],
  ])('a body of %s is refused without being parsed', async (_, body, type) => {
    await expect(bufferBody(posted(body, type))).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test.each([
    'multipart/form-data; boundary="----WebKitFormBoundaryABCDEFG\\HIJ"',
    'multipart/form-data; q="; boundary=zzz"; boundary=x',
    'multipart/form-data; boundary=x; boundary=y',
    'multipart/form-data',
  ])('a form whose boundary is ambiguous or missing is refused: %s', (type) => {
    const request = new Request(`http://store.test/api/inquiry-files`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: '--x\r\n\r\n--x--',
    })
    expect(() => countBody(request)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })

  test('the depth of JSON is measured outside of its strings', () => {
    expect(isModestJson(JSON.stringify({ text: '[{,\\"'.repeat(30_000) }))).toBe(true)
    expect(isModestJson(`{"a":"\\\\","b":${'['.repeat(64)}`)).toBe(false)
  })

  test('a JSON body that is read twice is parsed once', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    const request = await bufferBody(posted('{"a":1}'))
    expect(await request.json()).toBe(await request.json())
    expect(parse).toHaveBeenCalledTimes(1)
    parse.mockRestore()
  })

  test('a large body is allowed only as a form and only at paths that accept files', () => {
    const form = 'multipart/form-data; boundary=x'
    const large = ['/api/inquiry-files', '/ko/mypages/inquiries/input', '/mypages/inquiries/Q-1'].map((path) => [
      bodyLimit(path, form) > largestInquiryFile,
      bodyLimit(path, 'application/json'),
    ])
    expect(large).toEqual([
      [true, largestBody],
      [true, largestBody],
      [true, largestBody],
    ])
    expect(bodyLimit('/login', form)).toBe(largestBody)
  })
})

describe('a body that cannot be parsed', () => {
  test.each([
    ['/login', 400, '{"email":"a@example.com","password":hunter2}', 'application/json', false],
    ['/login', 400, `{"password":"hunter2","more":${'['.repeat(100_000)}`, 'application/json', false],
    ['/inquiries/files', 400, 'password=hunter2', 'multipart/form-data; boundary=x', true],
    ['/webhooks/sandbox', 401, '{"password":hunter2', 'application/json', false],
  ])(
    'an unreadable body at %s is answered with %i and is not written to the log',
    async (path, status, body, type, signedIn) => {
      lines.length = 0
      const response = await api.fetch(
        new Request(`${api.origin}/api/v1/customers/${tenant.code}${path}`, {
          method: 'POST',
          headers: { 'content-type': type, ...(signedIn && { authorization: `Bearer ${sender.token}` }) },
          body,
        }),
      )
      expect(response.status).toBe(status)
      expect(await response.text()).not.toContain('hunter2')
      expect(lines.join('')).not.toMatch(/hunter2|"stack"|"level":[56]0/)
    },
  )
})

describe('text that cannot be stored', () => {
  const send = (path: string, init: RequestInit) =>
    api.fetch(new Request(`${api.origin}/api/v1/customers/${tenant.code}${path}`, init))
  const headers = () => ({ 'content-type': 'application/json', authorization: `Bearer ${sender.token}` })

  test.each(['a\u0000b', 'a\ud800', '\udfffb'])(
    'text that cannot be stored is refused with its field as a value, in a list and as a key: %j',
    async (text) => {
      for (const [body, field] of [
        [{ type: 'ETC', title: 'Title', body: text }, 'body'],
        [{ type: 'ETC', title: 'Title', body: 'Body', files: [text] }, 'files.0'],
        [{ type: 'ETC', title: 'Title', body: 'Body', [text]: 1 }, text.toWellFormed().replace('\u0000', '\uFFFD')],
      ] as const) {
        const response = await send('/inquiries', { method: 'POST', headers: headers(), body: JSON.stringify(body) })
        const { errors } = (await response.json()) as { errors: Record<string, string[]> }
        expect([response.status, Object.keys(errors)]).toEqual([422, [field]])
      }
    },
  )

  test('a file name that cannot be stored is refused with 422', async () => {
    const form = new FormData()
    form.append('file', new File(['x'], 'a\u0000b.txt', { type: 'text/plain' }))
    const authorization = `Bearer ${sender.token}`
    const response = await send('/inquiries/files', { method: 'POST', headers: { authorization }, body: form })
    expect(response.status).toBe(422)
  })

  test('the error for text that cannot be stored is in the visitor’s language', async () => {
    const response = await send('/new-search?q=a%00', { headers: { 'accept-language': 'ko' } })
    expect(JSON.stringify(await response.json())).toContain('저장할 수 없는 문자')
  })

  test.each(['/%00/contract', '/contract%00', '/products/%00', '/orders/a%00b', '/pages/%00', '/webhooks/%00'])(
    'a path with text that cannot be stored is answered below 500: %s',
    async (path) => expect((await send(path, { headers: headers() })).status).toBeLessThan(500),
  )
})
