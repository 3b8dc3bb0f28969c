import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as sendPlain } from 'node:http'
import { request as send } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildWhatIsStale } from '#server/build.ts'
import { listen } from '#server/listen.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { installNginx, makeCertificate, startDeployedNginx } from '#tests/support/nginx.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { sendTo } from '#tests/support/send-http.ts'
import { startService } from '#tests/support/service-process.ts'

const nginx = '/usr/sbin/nginx'
const missing = await installNginx()
const isTried = missing === null
if (!isTried) console.log(`The nginx files are not tried: ${missing}`)

const source = join(import.meta.dirname, '../../deploy/nginx')
const folder = mkdtempSync(join(tmpdir(), 'marquee-deploy-'))
chmodSync(folder, 0o755)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// `nginx -t` binds the ports 80 and 443.
test
  .runIf(isTried && process.getuid?.() === 0)
  .each(['upstream.conf', 'upstream-by-host.conf', 'upstream-pod.conf', 'upstream-compose.conf'])(
  'nginx accepts marquee.conf with %s',
  (upstream) => {
    const place = join(folder, upstream)
    makeCertificate(place)
    cpSync(join(source, 'marquee.conf'), join(place, 'conf.d/marquee.conf'))
    // Only the network of the containers knows their name.
    const text = readFileSync(join(source, upstream), 'utf8').replace('server store:', 'server 127.0.0.1:')
    writeFileSync(join(place, 'conf.d/upstream.conf'), text)
    const main = `pid nginx.pid; events {} http { access_log off; include conf.d/*.conf; }`
    writeFileSync(join(place, 'nginx.conf'), main)
    execFileSync(nginx, ['-t', '-q', '-p', place, '-c', join(place, 'nginx.conf')], { stdio: 'pipe' })
  },
)

const answerOf = (call: ReturnType<typeof send>, body?: Buffer) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', (answer) => resolve(answer.resume())).once('error', reject)
    call.end(body)
  })

test.runIf(isTried)(
  'two processes serve a store behind nginx with TLS, both know a new host at once, and one can stop',
  async () => {
    await buildWhatIsStale()
    const database = await ownDatabase()
    const run = quickCommandOf({ deps: { dataFolder: folder } }, { database })
    const store = ['--code', 'acme', '--name', 'Acme', '--locale', 'en', '--currency', 'USD', '--timezone', 'UTC']
    expect(await run(['customer', 'create', ...store])).toMatchObject({ code: 0 })
    expect(await run(['customer', 'open', 'acme', '--force'])).toMatchObject({ code: 0 })
    const env = {
      MARQUEE_DATA: folder,
      DATABASE_URL: database.url,
      MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
      WORKER_MODE: 'external',
      TRUSTED_PROXIES: '127.0.0.1',
      KEEP_ALIVE_TIMEOUT: '75',
    }
    await using first = await startService(env)
    await using second = await startService(env)
    const host = 'films.example.com'
    const statusAt = async (port: number) => {
      const call = sendPlain({ host: '127.0.0.1', port, path: '/', headers: { host, accept: 'text/html' } })
      return (await answerOf(call)).statusCode
    }
    const statuses = () => Promise.all([statusAt(first.port), statusAt(second.port)])
    expect(await statuses()).toEqual([400, 400])
    await run(['customer', 'domains', 'acme', '--add', host])
    expect(await statuses()).toEqual([200, 200])

    await using proxy = await startDeployedNginx(first.port, second.port)
    const { tlsPort, ca } = proxy
    const ask = (path: string, { method = 'GET', body }: { method?: string; body?: Buffer } = {}) => {
      const headers = { host, accept: 'text/html', ...(body && { 'content-length': body.length }) }
      // nginx ends a connection on which a body was refused, so a body has a connection of its own.
      const options = { host: '127.0.0.1', port: tlsPort, servername: host, ca, path, method, headers }
      return answerOf(send({ ...options, ...(body && { agent: false }) }), body)
    }
    const page = await ask('/')
    const sixth = send({ host: '::1', port: tlsPort, servername: host, ca, path: '/', headers: { host } })
    expect((await answerOf(sixth)).statusCode).toBe(200)
    expect(page.statusCode).toBe(200)
    expect(page.headers['strict-transport-security']).toMatch(/^max-age=\d+/)
    const plain = await answerOf(
      sendPlain({ host: '127.0.0.1', port: proxy.port, path: '/faq?x=1', headers: { host } }),
    )
    expect([plain.statusCode, plain.headers.location]).toEqual([301, `https://${host}/faq?x=1`])
    // Only uploads may be large. An upload reaches the store, which asks who it is.
    const large = Buffer.alloc(12_000_000)
    expect((await ask('/inquiries', { method: 'POST', body: large })).statusCode).toBe(413)
    const upload = await ask('/api/v1/customers/acme/uploads', { method: 'POST', body: large })
    expect(upload.statusCode).toBe(401)

    const answers = Array.from({ length: 40 }, () => ask('/faq'))
    const stopping = first.stop()
    for (let more = 0; more < 40; more++) answers.push(ask('/faq'))
    const seen = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
    await stopping
    seen.push((await ask('/faq')).statusCode)
    expect([...new Set(seen)]).toEqual([200])
  },
  180_000,
)

test.runIf(isTried)('scripts of a newer build come from the process that has them, whichever is asked', async () => {
  const options = { host: '127.0.0.1', port: 0 }
  await using former = await listen((_, response) => response.writeHead(404).end(), options)
  await using newer = await listen((_, response) => response.writeHead(200).end('newer'), options)
  await using proxy = await startDeployedNginx(former.port, newer.port)
  const send = sendTo({ port: proxy.tlsPort, host: 'films.example.com', ca: proxy.ca })
  const statusesOf = async (path: string) => {
    const statuses = new Set<number>()
    for (let times = 0; times < 6; times++)
      statuses.add((await send(new Request(`https://films.example.com${path}`))).status)
    return [...statuses].sort()
  }
  expect(await statusesOf('/assets/index-12345678.js')).toEqual([200])
  expect(await statusesOf('/admin/assets/index-12345678.js')).toEqual([200])
  // A page that is missing is missing.
  expect(await statusesOf('/products/none')).toEqual([200, 404])
})

test.runIf(isTried)('each host has one process, and another one answers while that is stopped', async () => {
  const options = { host: '127.0.0.1', port: 0 }
  const named = (name: string) => listen((_, response) => response.writeHead(200, { 'x-process': name }).end(), options)
  await using first = await named('first')
  const second = await named('second')
  await using proxy = await startDeployedNginx(first.port, second.port, 'upstream-by-host.conf')
  const { tlsPort, ca } = proxy
  const processesOf = async (host: string) => {
    const seen = new Set<unknown>()
    for (let times = 0; times < 4; times++) {
      // nginx chooses by the header; the certificate is for one host.
      const where = { host: '127.0.0.1', port: tlsPort, servername: 'films.example.com', ca }
      seen.add((await answerOf(send({ ...where, path: '/', headers: { host } }))).headers['x-process'])
    }
    return [...seen]
  }
  const hosts = Array.from({ length: 12 }, (_, at) => `store-${at}.example.com`)
  const before = await Promise.all(hosts.map(processesOf))
  expect(before.filter((seen) => seen.length !== 1)).toEqual([])
  expect(new Set(before.flat())).toEqual(new Set(['first', 'second']))
  await second[Symbol.asyncDispose]()
  expect([...new Set((await Promise.all(hosts.map(processesOf))).flat())]).toEqual(['first'])
})
