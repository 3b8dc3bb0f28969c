/**
 * Sends 1,000 connections' requests for uncached pages to two processes behind nginx, and prints
 * the statuses, the memory of each process and how long it takes until pages are served again.
 *
 *   npm run node -- tests/bench/overload.ts --connections 1000 --seconds 60
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { joinEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startNginxOf } from '#tests/support/nginx.ts'
import { printFigures, record } from './figures.ts'
import { option, startStore } from './store.ts'

const connections = option('connections', 1_000)
const seconds = option('seconds', 60)
const behindProxy = { TRUSTED_PROXIES: '127.0.0.1', KEEP_ALIVE_TIMEOUT: '75' }
/** A visitor with a cart, whose pages are rendered for each request. */
const visitor = { accept: 'text/html', cookie: 'guest=of-the-bench' }

const store = await startStore(behindProxy)
const data = store.env.MARQUEE_DATA ?? ''
const database = await joinEmbeddedPostgres(join(data, 'postgres'))
if (!database) throw new Error('The database of the store does not run.')
const secondPort = await freePort()
const second = spawn(
  process.execPath,
  ['--max-semi-space-size=8', '--heap-growing-percent=70', 'server/launch.js', 'service'],
  {
    env: {
      ...store.env,
      PORT: String(secondPort),
      DATABASE_OWNER_URL: database.ownerUrl,
      MARQUEE_SECRET: readFileSync(join(data, 'secret'), 'utf8').trim(),
      WORKER_MODE: 'external',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
)
const ended = once(second, 'exit')

const nginx = await startNginxOf(
  (_, port) => `
  upstream marquee { server 127.0.0.1:${store.port}; server 127.0.0.1:${secondPort}; keepalive 64; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-Host $http_host;
    proxy_set_header X-Forwarded-For $remote_addr;
    location / { proxy_pass http://marquee; }
  }`,
)
const host = 'aurora.localhost'
const agent = new Agent({ keepAlive: true, maxSockets: 4 })

const visit = (path: string, headers: Record<string, string>, port = nginx.port) =>
  new Promise<{ status: number; ms: number }>((resolve) => {
    const begun = performance.now()
    const end = (status: number) => resolve({ status, ms: performance.now() - begun })
    const call = request({ host: '127.0.0.1', port, path, agent, headers: { host, ...headers } })
    call.once('error', () => end(0))
    call.once('response', (response) => response.resume().once('end', () => end(response.statusCode ?? 0)))
    call.end()
  })

while ((await visit('/readyz', {}, secondPort)).status !== 200) await sleep(200)
await visit('/', { accept: 'text/html' })

const pids = readFileSync('/proc/thread-self/children', 'utf8').split(' ').filter(Boolean).map(Number)
const stores = pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/launch.js'))
const megabytesOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000
const largest = new Map(stores.map((pid) => [pid, 0]))
const guests: { status: number; ms: number }[] = []
let isOver = false
const watching = (async () => {
  while (!isOver) {
    for (const pid of stores) largest.set(pid, Math.max(largest.get(pid) ?? 0, megabytesOf(pid)))
    guests.push(await visit('/', { accept: 'text/html' }))
    await sleep(250)
  }
})()

const pages = ['/', '/products', '/products?sort=createdAt%2CDESC', '/faq']
let turn = 0
const result = await autocannon({
  url: `http://127.0.0.1:${nginx.port}`,
  connections,
  duration: seconds,
  timeout: 30,
  headers: { host, ...visitor },
  requests: [{ setupRequest: (given) => ({ ...given, path: pages[turn++ % pages.length] ?? '/' }) }],
})
isOver = true
const over = performance.now()
while ((await visit('/products', visitor)).status !== 200) await sleep(20)
const recovery = (performance.now() - over) / 1_000
await watching

const statuses = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, count] as const)
console.log(`${connections} connections for ${seconds} s:`, Object.fromEntries(statuses), `${result.errors} errors`)
const p95 = guests.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(guests.length * 0.95)] ?? Number.NaN
const others = statuses.filter(([status]) => status !== '200' && status !== '503')
record(
  'answers other than 200 and 503, and errors',
  others.reduce((sum, [, n]) => sum + n, result.errors),
  '',
  { atMost: 0 },
)
record('pages per second', (result.statusCodeStats?.['200']?.count ?? 0) / seconds, '')
for (const [at, megabytes] of [...largest.values()].entries())
  record(`largest memory of process ${at + 1}`, megabytes, 'MB', { atMost: 600 })
record('recovery', recovery, 's', { atMost: 2 })
record('cached pages meanwhile: other than 200', guests.filter(({ status }) => status !== 200).length, '', {
  atMost: 0,
})
record('cached pages meanwhile: p95', p95, 'ms')
printFigures()

agent.destroy()
await nginx[Symbol.asyncDispose]()
second.kill('SIGTERM')
await ended
store[Symbol.dispose]()
