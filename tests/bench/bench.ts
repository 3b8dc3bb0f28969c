/**
 * Measures pages, API calls, memory, media and encoding on this machine, and prints tables; the
 * last one has all figures beside their goals. Nothing here fails. `--products 100000` sets the
 * size of the catalog that is searched, `--seconds 5` how long each page is requested, `--renders
 * 2000` how many pages are rendered to measure the memory, `--rounds 5` how often a browser loads
 * each page. `--calls 5` measures only the calls on the large catalog, in five rounds.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import { measureConsoleLists, measureProductList } from './console-lists.ts'
import { median, printFigures, record } from './figures.ts'
import { measureWithLighthouse } from './lighthouse.ts'
import { watchMemory } from './memory.ts'
import { measurePageLoads } from './page-load.ts'
import { measureProcess } from './process.ts'
import { watchSegments } from './segments.ts'
import { memberToken, option, startStore } from './store.ts'

const products = option('products', 100_000)
const seconds = option('seconds', 5)
const callRounds = option('calls', 0)
/** How often 16 clients call, to warm up included. */
const manyCalls = 420
/** Milliseconds of CPU that a page may cost, by its reader. */
const cpuGoals: Record<string, number> = { guest: 0.5, 'guest with a cart': 6, member: 6 }
const statementGoals: Record<string, number> = { home: 5, list: 4, product: 5 }
/** Milliseconds that 95 of 100 calls on the large catalog may take, with 16 clients at once. */
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

if (callRounds === 0) {
  await pages()
  await scripts()
  await measurePageLoads(store, option('rounds', 5))
  await measureWithLighthouse(store, 3)
  await watchMemory(store, option('renders', 2_000))
  await measureProcess(option('rounds', 5))
}
const before = (await store.read('memory')).heap
console.log(`\nFilling the tenant "bench" with ${products.toLocaleString('en')} products …`)
// Not in one go: connections that the store closes meanwhile must be noticed.
const seeding = spawn(process.execPath, ['scripts/seed-bulk.ts', '--products', String(products), '--tenant', 'bench'], {
  env: store.env,
  stdio: ['ignore', 'ignore', 'inherit'],
})
const [exit] = await once(seeding, 'exit')
if (exit !== 0) throw new Error(`The tenant could not be filled: ${exit}`)
await calls()
if (callRounds === 0) {
  await measureProductList(store, 'bench')
  await measureConsoleLists(store, { orders: option('orders', 100_000), members: option('members', 50_000) })
  await watchSegments(seconds)
  // In a process of its own: it counts what its children cost, and this one has others.
  const packaging = spawn(process.execPath, ['tests/bench/packaging.ts', '--film', String(option('film', 48))], {
    stdio: 'inherit',
  })
  await once(packaging, 'exit')
}
printFigures()

/**
 * A guest's page is cached; pages of a guest with a cart and of a member are rendered. CPU is
 * the server's, database apart.
 */
async function pages() {
  const readers = {
    guest: {},
    'guest with a cart': { cookie: 'guest=of-the-bench' },
    member: { cookie: `token=${await memberToken(store)}` },
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

/** What a browser loads before it can act on a page. */
async function scripts() {
  const rows = []
  for (const path of ['/', '/products', productPath, `${productPath}/watch`, '/login', '/faq']) {
    const html = (await store.get('aurora', path)).body.toString()
    const files = (pattern: RegExp) => new Set([...html.matchAll(pattern)].map((match) => match[1]!))
    const scripts = files(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)
    const styles = files(/href="(\/assets\/[^"]+\.css)"/g)
    const [htmlSize, scriptSize, styleSize] = [
      gzipSync(html).length / 1024,
      await weight(scripts),
      await weight(styles),
    ]
    record(`${path}: first script`, scriptSize, 'kB gz', { atMost: path.endsWith('/watch') ? 190 : 150 })
    record(`${path}: files of first script`, scripts.size, '', { atMost: 6 })
    const state = /<script[^>]*>([^<]*\$_TSR\.router=.*?)<\/script>/s.exec(html)?.[1] ?? ''
    if (path === '/' || path === '/products') {
      record(`${path}: HTML`, htmlSize, 'kB gz', { atMost: 15 })
      record(`${path}: state of the page`, Buffer.byteLength(state) / 1024, 'kB', { atMost: 10 })
      record(`${path}: style`, styleSize, 'kB gz', { atMost: 20 })
      record(`${path}: files of style`, styles.size, '', { atMost: 1 })
    }
    rows.push({
      route: path,
      'html kB': (html.length / 1024).toFixed(1),
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
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

/** Milliseconds of each call, sorted, after some to warm up. `clients` call at once. */
async function timesOf(pathAt: (time: number) => string, clients: number): Promise<number[]> {
  const times: number[] = []
  const warmUp = 20
  const calls = clients === 1 ? 120 : manyCalls
  let next = 0
  const callInTurn = async () => {
    while (next < calls) {
      const time = next++
      const begun = performance.now()
      const { status } = await store.get('bench', pathAt(time))
      times[time] = performance.now() - begun
      if (status !== 200) throw new Error(`${pathAt(time)}: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, callInTurn))
  return times.slice(warmUp).sort((a, b) => a - b)
}

/** Calls over HTTP on the large catalog, by one client and by 16 at once. */
async function calls() {
  const base = '/api/v1/customers/bench'
  const search = `${base}/new-search?size=24`
  const begun = performance.now()
  const first = JSON.parse((await store.get('bench', search)).body.toString())
  console.log(`\nThe first list after the catalog changed: ${(performance.now() - begun).toFixed(0)} ms`)
  const each = ((await store.read('memory')).heap - before) / first.total
  record(`memory of a product, of ${Number(first.total).toLocaleString('en')}`, each / 1000, 'kB', { atMost: 0.1 })
  const { items } = JSON.parse((await store.get('bench', `${base}/new-search?size=100`)).body.toString())
  const one = (time: number) => items[time % items.length] as { id: string; title: string }
  const rows = []
  const at = (times: number[], share: number) => times[Math.floor(times.length * share)] ?? Number.NaN
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
    const pathAt = (time: number) => (typeof path === 'string' ? path : path(time))
    const figures: number[][] = []
    for (let round = 0; round < Math.max(1, callRounds); round++) {
      // Each round, and each client of it, asks for other filters.
      const single = await timesOf((time) => pathAt(time + round * 2_000), 1)
      const cpu = store.cpu()
      const many = await timesOf((time) => pathAt(time + round * 2_000 + 1_000), 16)
      figures.push([at(single, 0.5), at(single, 0.95), at(many, 0.5), at(many, 0.95), (store.cpu() - cpu) / manyCalls])
    }
    const [p50, p95, manyP50, manyP95, cpu] = [0, 1, 2, 3, 4].map((place) =>
      median(figures.map((each) => each[place]!)),
    )
    const goal = callGoals[name]
    if (goal !== undefined) record(`${name}, 16 clients, p95`, manyP95!, 'ms', { atMost: goal })
    rows.push({
      call: name,
      'p50 ms': p50!.toFixed(2),
      'p95 ms': p95!.toFixed(2),
      '16 clients: p50 ms': manyP50!.toFixed(2),
      '16 clients: p95 ms': manyP95!.toFixed(2),
      'CPU ms/call': cpu!.toFixed(2),
    })
  }
  console.log(`\nCalls at ${Number(first.total).toLocaleString('en')} products`)
  console.table(rows)
}
