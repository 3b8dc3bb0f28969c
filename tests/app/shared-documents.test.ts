import { once } from 'node:events'
import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resolveStore } from '#api/modules/tenancy/stores.ts'
import { createSharedDocuments } from '#server/shared-documents.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { sharedDocumentKey } from '~/platform/request/shared-document-key'

const api = createTestApi()
const encode = (text: string) => new TextEncoder().encode(text)

let code: string
let version: number
let trustedProxies: Set<string>
/** What the storefront answers, if it is asked. */
let drawn: number
let lifetime: number

const serve = async () => {
  const documents = createSharedDocuments({ pool: api.deps.pool, trustedProxies, keyOf: sharedDocumentKey })
  const server = createServer(async (request, response) => {
    const { host = '' } = request.headers
    if (await documents.send(request, response, {})) return
    drawn++
    const document = {
      body: encode(`page ${drawn}`),
      encoded: new Map([['br' as const, Promise.resolve(encode(`brotli ${drawn}`))]]),
      expiresAt: Date.now() + lifetime,
    }
    const headers = { 'content-security-policy': `for ${drawn}`, 'set-cookie': `customerCode=${code}` }
    const store = { customerCode: code, version, host, hostCustomerCode: null }
    documents.keep(request, new Response(null, { headers }), { document, store })
    response.end(`page ${drawn}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}
let server: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  code = (await createTenant(api)).code
})
beforeEach(async () => {
  version = (await resolveStore(api.deps, code, null))?.customer.version ?? 0
  trustedProxies = new Set()
  drawn = 0
  lifetime = 30_000
  server?.close()
  server = await serve()
})
afterAll(() => void server.close())

const read = (headers: Record<string, string> = {}, path = '/', method = 'GET') =>
  new Promise<{ body: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const sent = ask({ host: '127.0.0.1', port, path, method, headers: { host: 'a.example', ...headers } })
    sent.once('error', reject).once('response', async (response) => {
      let body = ''
      for await (const part of response.setEncoding('utf8')) body += part
      resolve({ body, headers: response.headers })
    })
    sent.end()
  })

describe('a document that guests share', () => {
  it('is sent again with its headers and cookie, and without those of the first request', async () => {
    await read({ 'x-request-id': 'the-first-request' })
    const again = await read({ 'accept-encoding': 'br' })
    expect(again.body).toBe('brotli 1')
    expect(again.headers).toMatchObject({
      'content-security-policy': 'for 1',
      'set-cookie': [`customerCode=${code}`],
      'content-encoding': 'br',
      'content-length': '8',
      'x-cache': 'hit',
    })
    expect(again.headers['x-request-id']).not.toBe('the-first-request')
    expect((await read()).body).toBe('page 1')
  })

  it('is drawn in an encoding that nobody has asked for', async () => {
    await read()
    expect((await read({ 'accept-encoding': 'gzip' })).body).toBe('page 2')
  })

  it.each([
    [{ 'accept-language': 'ko' }],
    [{ cookie: 'locale=ko' }],
    [{ cookie: 'surface=dark' }],
    [{ cookie: 'customerCode=another' }],
    [{ host: 'b.example' }],
    [{ cookie: 'token=of-a-member' }],
    [{ cookie: 'a=b; __Host-token=of-a-member' }],
    [{ cookie: 'guest=with-a-cart' }],
    [{ cookie: 'preview=of-a-closed-store' }],
    [{ accept: 'application/json' }],
  ])('is not sent to a request with %o', async (headers) => {
    await read()
    expect((await read(headers)).body).toBe('page 2')
  })

  it('is not sent to another path, nor to another method', async () => {
    await read()
    expect((await read({}, '/?page=2')).body).toBe('page 2')
    expect((await read({}, '/', 'POST')).body).toBe('page 3')
  })

  it('is an answer of a server function too, in the language of the page', async () => {
    const call = { accept: 'application/json', 'x-tsr-serverfn': 'true', 'sec-fetch-site': 'same-origin' }
    const ask = async (headers: Record<string, string>) => (await read(headers, '/_serverFn/a?payload=1')).body
    expect(await ask(call)).toBe('page 1')
    expect(await ask(call)).toBe('page 1')
    expect(await ask({ ...call, 'x-page-language': 'ko' })).toBe('page 2')
    // Others are checked by the storefront.
    expect(await ask({ ...call, 'sec-fetch-site': 'cross-site' })).toBe('page 3')
    expect(await ask({ accept: '*/*', 'sec-fetch-site': 'same-origin' })).toBe('page 4')
    expect(await ask({ ...call, cookie: 'token=of-a-member' })).toBe('page 5')
    expect(await ask(call)).toBe('page 1')
  })

  it('is sent whatever cookies of others the visitor has', async () => {
    await read({ cookie: '_ga=1' })
    expect((await read({ cookie: '_ga=2' })).body).toBe('page 1')
  })

  it('is never kept for a member', async () => {
    const member = { cookie: 'token=of-a-member' }
    await read(member)
    expect((await read(member)).body).toBe('page 2')
  })

  it('is drawn again after the store has changed', async () => {
    await read()
    await api.owner.execute(sql`UPDATE customers SET use_site = false WHERE code = ${code}`)
    expect((await read()).body).toBe('page 2')
    await api.owner.execute(sql`UPDATE customers SET use_site = true WHERE code = ${code}`)
  })

  it('is drawn again after its host was given to a store', async () => {
    await read()
    await api.owner.execute(
      sql`INSERT INTO customer_domains (customer_id, host) SELECT customer_id, 'a.example' FROM customers WHERE code = ${code}`,
    )
    expect((await read()).body).toBe('page 2')
    await api.owner.execute(sql`DELETE FROM customer_domains WHERE host = 'a.example'`)
  })

  it('is drawn again after its time', async () => {
    lifetime = 0
    await read()
    expect((await read()).body).toBe('page 2')
  })

  it('differs by the origin that a trusted proxy forwards, and by no other', async () => {
    const secure = { 'x-forwarded-proto': 'https' }
    await read()
    expect((await read(secure)).body).toBe('page 1')
    trustedProxies.add('127.0.0.1')
    await read()
    expect((await read(secure)).body).toBe('page 3')
    expect((await read(secure)).body).toBe('page 3')
    // Which of several values counts depends on the chain of proxies.
    const chain = { 'x-forwarded-proto': 'https, http' }
    await read(chain)
    expect((await read(chain)).body).toBe('page 5')
  })
})
