import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request as send } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { customerBase } from '#contract/http.ts'
import { buildWhatIsStale } from '#server/build.ts'
import { terms } from '#tests/support/buying.ts'
import { installNginx, startDeployedNginx } from '#tests/support/nginx.ts'
import { type StopMode, startOwnPostgres } from '#tests/support/own-postgres.ts'
import { startService } from '#tests/support/service-process.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from '#tests/support/tenant.ts'
import { createTestApi, type TestApi } from '#tests/support/test-api.ts'

const missing = process.platform === 'linux' ? await installNginx() : 'this needs Linux.'
const isTried = missing === null
if (!isTried) console.log(`A restart of the database behind nginx is not tried: ${missing}`)
const folder = mkdtempSync(join(tmpdir(), 'marquee-restart-'))
const database = isTried ? await startOwnPostgres() : null
const api: TestApi | null = database && createTestApi({ database: database.addresses })

let tenant: Tenant
let members: TestMember[]
/** Whose pages are read. A page that cannot read its member ends the session. */
let visitor: TestMember
let products: TestProduct[]
let services: Awaited<ReturnType<typeof startService>>[] = []
let proxy: Awaited<ReturnType<typeof startDeployedNginx>>
let agent: Agent

beforeAll(async () => {
  if (!api || !database) return
  await buildWhatIsStale()
  tenant = await createTenant(api)
  visitor = await tenant.createMember()
  members = await Promise.all(Array.from({ length: 4 }, () => tenant.createMember()))
  products = await tenant.createProducts(Array.from({ length: 400 }, (_, at) => ({ title: `Film ${at}` })))
  const env = {
    MARQUEE_DATA: folder,
    DATABASE_OWNER_URL: database.addresses.ownerUrl,
    MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
    TRUSTED_PROXIES: '127.0.0.1',
    KEEP_ALIVE_TIMEOUT: '75',
  }
  services = [await startService(env), await startService(env)]
  proxy = await startDeployedNginx(services[0]!.port, services[1]!.port)
  agent = new Agent({ keepAlive: true, maxSockets: 32, ca: proxy.ca, servername: 'films.example.com' })
}, 150_000)
afterAll(async () => {
  agent?.destroy()
  await proxy?.[Symbol.asyncDispose]()
  await Promise.all(services.map(({ stop }) => stop()))
  await database?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** The health of each process, which nginx does not ask for. */
const statusesOf = (path: string) =>
  Promise.all(services.map(async ({ port }) => (await fetch(`http://127.0.0.1:${port}${path}`)).status))

interface Answer {
  what: string
  status: number
  type: string | undefined
  retryAfter: string | undefined
  body: string
  at: number
}

const ask = (what: string, path: string, options: { headers?: Record<string, string>; json?: unknown } = {}) =>
  new Promise<Answer>((resolve) => {
    const body = options.json === undefined ? undefined : JSON.stringify(options.json)
    const headers = {
      host: `${tenant.code}.test`,
      ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      ...options.headers,
    }
    const call = send({ host: '127.0.0.1', port: proxy.tlsPort, path, method: body ? 'POST' : 'GET', agent, headers })
    const end = (body: string, { statusCode: status = 0, headers: given = {} }: Partial<IncomingMessage> = {}) => {
      const type = given['content-type']?.split(';', 1)[0]
      resolve({ what, status, type, retryAfter: given['retry-after'], body, at: performance.now() })
    }
    call.setTimeout(20_000, () => call.destroy(new Error('no answer within 20 s')))
    call.once('error', ({ message }) => end(message))
    call.once('response', async (response) => {
      let text = ''
      try {
        for await (const part of response.setEncoding('utf8')) text += part
        end(text, response)
      } catch (error) {
        end(String(error))
      }
    })
    call.end(body)
  })

const html = { accept: 'text/html' }

/** What visitors read: pages of guests and members, the API, and the state of the process. */
const reads: (() => Promise<Answer>)[] = [
  () => ask('page of guests', '/', { headers: html }),
  () => ask('list', `/products?q=${Math.floor(Math.random() * 1e6)}`, { headers: html }),
  () => ask('page of a member', '/mypages', { headers: { ...html, cookie: `token=${visitor.token}` } }),
  () => ask('API', `${customerBase(tenant.code)}/new-search?size=${1 + Math.floor(Math.random() * 40)}`),
  () => ask('member', `${customerBase(tenant.code)}/me`, { headers: { authorization: `Bearer ${members[0]?.token}` } }),
]

interface Acknowledged {
  likes: Set<string>
  orders: Set<string>
}

/**
 * Reads and writes until `during` has ended, which can wait for more answers. Each write is
 * repeated until it is acknowledged.
 */
const underLoad = async (during: (answered: (more: number) => Promise<void>) => Promise<unknown>) => {
  const answers: Answer[] = []
  const acknowledged: Acknowledged = { likes: new Set(), orders: new Set() }
  let isOver = false
  const readers = reads.map(async (read) => {
    while (!isOver) answers.push(await read())
  })
  const writers = members.map(async (member, writer) => {
    const own = products.filter((_, at) => at % members.length === writer)
    for (const [turn, { id, optionId }] of own.entries()) {
      if (isOver) return
      const isOrder = turn % 4 === 0 && turn < 60
      const headers = { authorization: `Bearer ${member.token}`, ...(isOrder && { 'idempotency-key': randomUUID() }) }
      const path = isOrder ? '/orders' : `/products/${id}/like`
      const json = isOrder ? { buyNow: { productId: id, optionId }, ...terms(tenant) } : { liked: true }
      for (;;) {
        const answer = await ask('write', customerBase(tenant.code) + path, { headers, json })
        answers.push(answer)
        if (answer.status < 300 && answer.status > 0) {
          if (isOrder) acknowledged.orders.add(JSON.parse(answer.body).code)
          else acknowledged.likes.add(`${member.id} ${id}`)
          break
        }
        if (isOver) return
      }
    }
  })
  const answered = (more: number) => {
    const enough = answers.length + more
    return vi.waitFor(() => expect(answers.length).toBeGreaterThan(enough), { timeout: 20_000, interval: 20 })
  }
  await answered(100)
  await vi.waitFor(() => expect(acknowledged.orders.size).toBeGreaterThan(4), { timeout: 20_000, interval: 20 })
  await during(answered).finally(() => {
    isOver = true
  })
  await Promise.all([...readers, ...writers])
  return { answers, acknowledged }
}

/** What was acknowledged and is not in the database. */
const lostOf = async ({ likes, orders }: Acknowledged) => {
  const rows = await tenant.within(async (db) => ({
    likes: (await db.$client.query(`SELECT concat_ws(' ', member_id, product_id) AS key FROM likes`)).rows,
    orders: (await db.$client.query('SELECT code AS key FROM orders')).rows,
  }))
  const inDatabase = new Set([...rows.likes, ...rows.orders].map(({ key }) => key))
  return [...likes, ...orders].filter((key) => !inDatabase.has(key))
}

/**
 * Milliseconds that a store may take to answer again. The machine that runs the tests may be busy.
 */
const recovery = 5_000

const modes: StopMode[] = ['fast', 'immediate']
test.runIf(isTried).each(modes)(
  'a database that stops (%s) under load on two processes behind nginx costs 503s alone, and nothing acknowledged is lost',
  async (mode) => {
    let startedAt = 0
    const { answers, acknowledged } = await underLoad(async (answered) => {
      await database?.stop(mode)
      // A quarter of a second for each reader and writer, until all have found it away.
      await answered(100)
      expect(await statusesOf('/readyz')).toEqual([503, 503])
      expect(await statusesOf('/healthz')).toEqual([200, 200])
      await database?.start()
      startedAt = performance.now()
      await vi.waitFor(async () => expect(await statusesOf('/readyz')).toEqual([200, 200]), {
        timeout: 20_000,
        interval: 50,
      })
      await answered(100)
    })
    const unexpected = answers.filter(
      ({ status, retryAfter }) => !(status < 400 && status > 0) && !(status === 503 && Number(retryAfter) > 0),
    )
    // The request with this key was under way when the database stopped.
    expect(unexpected.filter(({ body }) => !body.includes('IDEMPOTENCY_IN_FLIGHT'))).toEqual([])
    const kinds = new Set(answers.filter(({ status }) => status === 503).map(({ what, type }) => `${what}: ${type}`))
    expect([...kinds].sort()).toEqual([
      'API: application/json',
      'list: text/html',
      'member: application/json',
      'page of a member: text/html',
      'page of guests: text/html',
      'write: application/json',
    ])
    const lastFailure = Math.max(...answers.map(({ status, at }) => (status === 503 ? at : 0)))
    expect(lastFailure - startedAt).toBeLessThan(recovery)
    expect(acknowledged.likes.size).toBeGreaterThan(4)
    expect(await lostOf(acknowledged)).toEqual([])
  },
  90_000,
)

test.runIf(isTried)(
  'the log of each process says in a few lines that the database is away, and has no error of a request',
  () => {
    for (const { output } of services) {
      const lines = output()
        .split('\n')
        .filter((line) => /^\{"level":[4-6]0,/.test(line))
      expect(lines.join('\n')).toContain('The database cannot be reached')
      expect(lines.filter((line) => /"A (?:request|procedure|page) /.test(line))).toEqual([])
      expect(lines.length).toBeLessThan(60)
    }
  },
)
