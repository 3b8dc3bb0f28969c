/**
 * What a page and a call cost on this machine, printed as tables; nothing here fails. The store runs as in production, on
 * loopback, in a process of its own: `npm run build` first. `--products 100000` sets the size of the catalogue searched.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'

const option = (name: string, fallback: number) =>
  Number(process.argv[process.argv.indexOf(`--${name}`) + 1] ?? fallback) || fallback
const products = option('products', 100_000)
const seconds = option('seconds', 5)

const data = mkdtempSync(join(tmpdir(), 'marquee-bench-'))
const port = await freePort()
const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), MARQUEE_DATA: data, LOG_LEVEL: 'warn' }

const store = spawn('node', ['server/demo.ts', '--no-build'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
process.once('exit', () => store.kill('SIGTERM'))
await ready()

await pages()
await scripts()
console.log(`\nFilling the tenant "bench" with ${products.toLocaleString('en')} products …`)
spawnSync('node', ['demo/seed-bulk.ts', '--products', String(products), '--tenant', 'bench'], {
  env,
  stdio: ['ignore', 'inherit', 'inherit'],
})
await calls()
store.kill('SIGTERM')

/** Pages as a guest sees them; CPU is the whole server process, database apart. */
async function pages() {
  const rows = []
  const product = await firstProduct('aurora')
  for (const [name, path] of [
    ['home', '/'],
    ['list', '/products'],
    ['product', `/products/${product}`],
  ] as const) {
    await load(path, 1)
    const before = cpuMilliseconds()
    const { result, count } = await load(path, seconds)
    rows.push({
      page: name,
      'pages/s': Math.round(result.requests.average),
      'CPU ms/page': ((cpuMilliseconds() - before) / count).toFixed(2),
      'p50 ms': result.latency.p50,
      'p99 ms': result.latency.p99,
      'kB html': (result.throughput.average / result.requests.average / 1000).toFixed(1),
      'not 2xx': result.non2xx,
    })
  }
  console.log('\nPages, 10 connections')
  console.table(rows)
}

async function load(path: string, duration: number) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    connections: 10,
    duration,
    headers: { host: `aurora.localhost:${port}`, accept: 'text/html' },
  })
  return { result, count: Math.max(result.requests.total, 1) }
}

/** The scripts a browser loads before it can act on a page. */
async function scripts() {
  const product = await firstProduct('aurora')
  const rows = []
  for (const path of ['/', '/products', `/products/${product}`, '/login', '/carts', '/faq']) {
    const html = await (await get('aurora', path)).text()
    const files = new Set([...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map((match) => match[1]!))
    const styles = new Set([...html.matchAll(/href="(\/assets\/[^"]+\.css)"/g)].map((match) => match[1]!))
    rows.push({
      route: path,
      scripts: files.size,
      'script kB gz': await weight(files),
      'style kB gz': await weight(styles),
      'html kB gz': (gzipSync(html).length / 1000).toFixed(1),
    })
  }
  console.log('\nFirst load')
  console.table(rows)
}

async function weight(files: Set<string>) {
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(Buffer.from(await (await get('aurora', file)).arrayBuffer())).length),
  )
  return (sizes.reduce((sum, size) => sum + size, 0) / 1000).toFixed(1)
}

/** Calls over HTTP, one after the other, on the large catalogue. */
async function calls() {
  const rows = []
  const base = '/api/v1/customers/bench'
  const { items } = (await (await get('bench', `${base}/new-search?size=1`)).json()) as { items: { id: string }[] }
  for (const [name, path] of [
    ['list, by sort', `${base}/new-search?size=24`],
    ['list, newest, page 50', `${base}/new-search?size=24&sort=createdAt,DESC&page=50`],
    ['list, most played', `${base}/new-search?size=24&sort=countOfPlays,DESC`],
    ['list, filtered', `${base}/new-search?size=24&kind[]=VOD&priceMax=2000`],
    ['search, English', `${base}/new-search?size=24&q=river`],
    ['search, Korean', `${base}/new-search?size=24&q=${encodeURIComponent('강의')}`],
    ['search, typing mistake', `${base}/new-search?size=24&q=rivr`],
    ['suggestions', `${base}/new-search/suggestions?q=riv`],
    ['one product', `${base}/new-products/${items[0]?.id}`],
    ['categories', `${base}/categories`],
  ] as const) {
    const times: number[] = []
    for (let i = 0; i < 120; i++) {
      const begun = performance.now()
      const response = await get('bench', path)
      await response.arrayBuffer()
      if (i >= 20) times.push(performance.now() - begun)
      if (!response.ok) console.error(`${name}: ${response.status}`)
    }
    times.sort((a, b) => a - b)
    rows.push({
      call: name,
      'p50 ms': times[50]!.toFixed(2),
      'p95 ms': times[95]!.toFixed(2),
      'max ms': times.at(-1)!.toFixed(2),
    })
  }
  console.log(`\nCalls at ${products.toLocaleString('en')} products`)
  console.table(rows)
}

async function firstProduct(tenant: string) {
  const answer = await get(tenant, `/api/v1/customers/${tenant}/new-search?size=1`)
  return ((await answer.json()) as { items: { code: string }[] }).items[0]!.code
}

const get = (tenant: string, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-host': `${tenant}.localhost` } })

/** User and system time of the server, from the kernel's own book (hundredths of a second). */
function cpuMilliseconds() {
  const fields = readFileSync(`/proc/${store.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

async function ready() {
  for (
    const deadline = Date.now() + 180_000;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 200))
  ) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    if (store.exitCode !== null) throw new Error('The store did not start; run `npm run build` first.')
  }
  throw new Error('The store was not ready within three minutes.')
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
