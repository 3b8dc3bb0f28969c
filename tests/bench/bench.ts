/**
 * Measures pages, API calls, memory, media and encoding on this machine, and prints tables; the
 * last one has all figures beside their goals. Nothing here fails. `--products 100000` sets the
 * size of the catalog that is searched, `--seconds 5` how long each page is requested, `--renders
 * 2000` how many pages are rendered to measure the memory, `--rounds 5` how often a browser loads
 * each page.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import { printFigures, record } from './figures.ts'
import { watchMemory } from './memory.ts'
import { measurePageLoads } from './page-load.ts'
import { watchSegments } from './segments.ts'
import { option, startStore } from './store.ts'

const products = option('products', 100_000)
const seconds = option('seconds', 5)
/** Milliseconds of CPU that a page may cost, by its reader. */
const cpuGoals: Record<string, number> = { guest: 0.5, 'guest with a cart': 6, member: 6 }
const statementGoals: Record<string, number> = { home: 5, list: 4, product: 5 }
/** Milliseconds that 95 of 100 calls on the large catalog may take. */
const callGoals: Record<string, number> = {
  'list, recommended': 30,
  'list, another filter each time': 40,
  'search, another prefix each time': 40,
  suggestions: 15,
}

console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`)
using store = await startStore()
const { items } = JSON.parse((await store.get('aurora', '/api/v1/customers/aurora/new-search?size=1')).body.toString())
const productPath = `/products/${items[0].code}`

await pages()
await scripts()
await measurePageLoads(store, option('rounds', 5))
await watchMemory(store, option('renders', 2_000))
console.log(`\nFilling the tenant "bench" with ${products.toLocaleString('en')} products …`)
// Not in one go: connections that the store closes meanwhile must be noticed.
const seeding = spawn(process.execPath, ['scripts/seed-bulk.ts', '--products', String(products), '--tenant', 'bench'], {
  env: store.env,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const [exit] = await once(seeding, 'exit')
if (exit !== 0) throw new Error(`The tenant could not be filled: ${exit}`)
await calls()
await watchSegments(seconds)
// In a process of its own: it counts what its children cost, and this one has others.
const packaging = spawn(process.execPath, ['tests/bench/packaging.ts', '--film', String(option('film', 48))], {
  stdio: 'inherit',
})
await once(packaging, 'exit')
printFigures()

/**
 * A guest's page is cached; pages of a guest with a cart and of a member are rendered. CPU is
 * the server's, database apart.
 */
async function pages() {
  const readers = {
    guest: {},
    'guest with a cart': { cookie: 'guest=of-the-bench' },
    member: { cookie: `token=${await signIn()}` },
  }
  const rows = []
  for (const [reader, headers] of Object.entries(readers))
    for (const [name, path] of Object.entries({ home: '/', list: '/products', product: productPath, faq: '/faq' })) {
      await load(path, headers, Math.min(seconds, 2))
      const before = store.cpu()
      const result = await load(path, headers, seconds)
      const cpu = (store.cpu() - before) / Math.max(1, result.requests.total)
      const statements = await statementsOf(path, headers)
      const sends = reader === 'guest' ? 1 : statementGoals[name]
      if (sends !== undefined) {
        record(`${name}, ${reader}: server CPU`, cpu, 'ms', { atMost: cpuGoals[reader] ?? 6 })
        record(`${name}, ${reader}: database statements`, statements, '', { atMost: sends })
      }
      rows.push({
        reader,
        page: name,
        'pages/s': Math.round(result.requests.average),
        'CPU ms/page': cpu.toFixed(2),
        'p50 ms': result.latency.p50,
        'p99 ms': result.latency.p99,
        statements,
        'not 2xx': result.non2xx,
      })
    }
  console.log('\nPages, 10 connections, answers compressed')
  console.table(rows)
}

function load(path: string, headers: Record<string, string>, duration: number) {
  return autocannon({
    url: `http://127.0.0.1:${store.port}${path}`,
    connections: 10,
    duration,
    headers: { host: `aurora.localhost:${store.port}`, accept: 'text/html', 'accept-encoding': 'gzip', ...headers },
  })
}

/**
 * How many statements a page sends to the database: the lowest of several readings, because
 * background work sends statements as well.
 */
async function statementsOf(path: string, headers: Record<string, string>) {
  let min = Number.POSITIVE_INFINITY
  for (let time = 0; time < 8; time++) {
    const before = (await store.read('statements')).statements
    await store.get('aurora', path, headers)
    min = Math.min(min, (await store.read('statements')).statements - before)
  }
  return min
}

async function signIn(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${store.port}/api/v1/customers/aurora/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'member@example.com', password: 'marquee-demo' }),
  })
  return ((await answer.json()) as { token: string }).token
}

/** What a browser loads before it can act on a page. */
async function scripts() {
  const rows = []
  for (const path of ['/', '/products', productPath, `${productPath}/watch`, '/login', '/faq']) {
    const html = (await store.get('aurora', path)).body.toString()
    const files = (pattern: RegExp) => new Set([...html.matchAll(pattern)].map((match) => match[1]!))
    const scripts = files(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)
    const styles = files(/href="(\/assets\/[^"]+\.css)"/g)
    const [htmlSize, scriptSize, styleSize] = [
      gzipSync(html).length / 1000,
      await weight(scripts),
      await weight(styles),
    ]
    record(`${path}: first script`, scriptSize, 'kB gz', { atMost: path.endsWith('/watch') ? 190 : 150 })
    record(`${path}: files of first script`, scripts.size, '', { atMost: 6 })
    if (path === '/' || path === '/products') record(`${path}: HTML`, htmlSize, 'kB gz', { atMost: 15 })
    rows.push({
      route: path,
      'html kB': (html.length / 1000).toFixed(1),
      'html kB gz': htmlSize.toFixed(1),
      scripts: scripts.size,
      'script kB gz': scriptSize.toFixed(1),
      styles: styles.size,
      'style kB gz': styleSize.toFixed(1),
    })
  }
  console.log('\nFirst load')
  console.table(rows)
}

/** Returns the size of files, compressed one by one, in kB. */
async function weight(files: Set<string>): Promise<number> {
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync((await store.get('aurora', file)).body).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

/** Calls over HTTP, one after the other, on the large catalog. */
async function calls() {
  const base = '/api/v1/customers/bench'
  const search = `${base}/new-search?size=24`
  const begun = performance.now()
  const first = JSON.parse((await store.get('bench', search)).body.toString())
  console.log(`\nThe first list after the catalog changed: ${(performance.now() - begun).toFixed(0)} ms`)
  const { items } = JSON.parse((await store.get('bench', `${base}/new-search?size=100`)).body.toString())
  const one = (time: number) => items[time % items.length] as { id: string; title: string }
  const rows = []
  for (const [name, path] of [
    ['list, recommended', search],
    ['list, newest, page 50', `${search}&sort=createdAt,DESC&page=50`],
    ['list, most played', `${search}&sort=countOfPlays,DESC`],
    ['list, longest', `${search}&sort=duration,DESC`],
    ['list, filtered', `${search}&kind[]=VOD&priceMax=2000`],
    ['search, English', `${search}&q=river`],
    ['search, Korean', `${search}&q=${encodeURIComponent('강의')}`],
    ['search, initial consonants', `${search}&q=${encodeURIComponent('ㄱㅇ')}`],
    ['search, typing mistake', `${search}&q=rivr`],
    ['list, another filter each time', (time: number) => `${search}&kind[]=VOD&priceMax=${1500 + time * 7}`],
    ['search, other words each time', (time: number) => `${search}&q=${encodeURIComponent(one(time).title)}`],
    [
      'search, another prefix each time',
      (time: number) => `${search}&q=${encodeURIComponent(one(time).title.slice(0, 4))}`,
    ],
    ['suggestions', `${base}/new-search/suggestions?q=riv`],
    ['one product', `${base}/new-products/${first.items[0]?.id}`],
    ['another product each time', (time: number) => `${base}/new-products/${one(time).id}`],
    ['categories', `${base}/categories`],
  ] as const) {
    const times: number[] = []
    for (let time = 0; time < 120; time++) {
      const begun = performance.now()
      const { status } = await store.get('bench', typeof path === 'string' ? path : path(time))
      times.push(performance.now() - begun)
      if (status !== 200) throw new Error(`${name}: ${status}`)
    }
    const [first = 0] = times
    const warm = times.slice(20).sort((a, b) => a - b)
    const goal = callGoals[name]
    if (goal !== undefined) record(`${name}, p95`, warm[95] ?? Number.NaN, 'ms', { atMost: goal })
    rows.push({
      call: name,
      'first ms': first.toFixed(1),
      'p50 ms': warm[50]!.toFixed(2),
      'p95 ms': warm[95]!.toFixed(2),
      'max ms': warm.at(-1)!.toFixed(2),
    })
  }
  console.log(`\nCalls at ${Number(first.total).toLocaleString('en')} products`)
  console.table(rows)
}
