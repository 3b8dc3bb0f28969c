/**
 * Measures one process that serves many stores, each with its own products: memory, lists at their
 * first and later use, and the CPU of a minute at rest. By default 2,000 stores of 1,000 products:
 * `npm run node -- tests/bench/stores.ts --stores 2000 --products 1000`. `--memory 1` sets the MB
 * of product indexes, `--changes 20` changes a product of the first store so often and reads its
 * list; `--counts 3` counts views of ten products of it so often, a minute apart.
 * STORES_DATABASE_URL names a database that this program has filled before.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { createApi } from '#api/app.ts'
import { readConfig } from '#api/config.ts'
import { createDeps } from '#api/deps.ts'
import { rollUpEvents } from '#api/modules/analytics/analytics.queries.ts'
import { warmProductIndexes } from '#api/modules/catalog/product-lists.ts'
import { createClient, withTenant } from '#api/platform/db/client.ts'
import { sweepDueTenants } from '#api/worker.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import { type OwnPostgres, startOwnPostgres } from '#tests/support/own-postgres.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { printFigures, record } from './figures.ts'
import { postgresCpu } from './postgres-cpu.ts'
import { option } from './store.ts'

const [stores, products] = [option('stores', 2_000), option('products', 1_000)]
const clients = 4

/** Fills the database with stores whose products differ in what lists filter and sort by. */
const fill = async ({ addresses }: OwnPostgres) => {
  const owner = createClient({ connectionString: addresses.ownerUrl })
  await owner.connect()
  // The rows are complete, so that no trigger has to check them.
  await owner.query('SET session_replication_role = replica')
  await owner.query(
    `INSERT INTO customers (customer_id, code, opened, settings)
     SELECT gen_random_uuid(), 'store-' || n, true, $1 FROM generate_series(1, $2::int) n`,
    [plainSettings(), stores],
  )
  await owner.query('INSERT INTO customer_codes (code, customer_id) SELECT code, customer_id FROM customers')
  await owner.query(
    `INSERT INTO products (customer_id, id, code, kind, access, status, title, summary, description, poster, video_id, duration_seconds,
                           tags, price_amount, currency, option_count, sort, count_of_views, count_of_plays, created_at)
     SELECT customer_id, gen_random_uuid(), 'product-' || n, 'VOD', 'PURCHASE', 'ON_SALE', 'Product ' || n, '', '',
            '{"url": "/media/art/none.webp", "width": 1280, "height": 720, "alt": "", "color": "#123456", "sources": []}', customer_id,
            600 + n % 4000, ARRAY['tag-' || n % 30, 'topic-' || n % 7], 1000 + 10 * (n % 100), 'USD', 1, n % 100, n * 7 % 1000, n * 13 % 300,
            now() - n * interval '1 hour'
       FROM customers CROSS JOIN generate_series(1, $1::int) n`,
    [products],
  )
  await owner.query(
    `INSERT INTO product_search (customer_id, product_id, tokens, ordinal)
     SELECT customer_id, id, '', substr(code, 9)::int FROM products`,
  )
  await owner.query('VACUUM ANALYZE customers, products, product_search')
  await owner.end()
}

/** A database that this program has filled before. */
const filledUrl = process.env.STORES_DATABASE_URL
await using postgres = filledUrl ? null : await startOwnPostgres()
/** Milliseconds of the process, and of the database where this program has started it. */
const cpuSoFar = () => {
  const { user, system } = process.cpuUsage()
  return [(user + system) / 1_000, postgres ? postgresCpu(postgres.cluster) : Number.NaN] as const
}
const cpuSince = ([own, database]: ReturnType<typeof cpuSoFar>) => {
  const [ownNow, databaseNow] = cpuSoFar()
  return [ownNow - own, databaseNow - database] as const
}
const recordCpu = (name: string, [own, database]: readonly [number, number]) => {
  record(name, own, 'ms')
  if (!Number.isNaN(database)) record(`${name}, database`, database, 'ms')
}
if (postgres) {
  console.log(`Filling ${stores} stores with ${products} products each …`)
  await fill(postgres)
}
const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-stores-'))
const config = { ...readConfig({ NODE_ENV: 'production' }), dataFolder }
const deps = createDeps({
  databaseUrl: filledUrl ?? postgres?.addresses.url ?? '',
  secret: 'a-secret-for-measuring-that-is-long-enough',
  config: { ...config, productIndexMemory: option('memory', config.productIndexMemory) },
  log: pino({ level: 'error' }),
})
const api = createApi(deps)

/** Reads one list of each of some stores, several at once. Returns the milliseconds, sorted. */
const readLists = async (of: number, query: (turn: number) => string): Promise<number[]> => {
  const times: number[] = []
  let next = 0
  const readInTurn = async () => {
    while (next < of) {
      const turn = next++
      const begun = performance.now()
      const address = `http://store.test/api/v1/customers/store-${turn + 1}/new-search?size=24&${query(turn)}`
      const answer = await api.fetch(new Request(address))
      if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`)
      await answer.text()
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: clients }, readInTurn))
  return times.sort((a, b) => a - b)
}
const recordTimes = (name: string, times: readonly number[]) => {
  record(`${name}: median`, times[Math.floor(times.length / 2)] ?? Number.NaN, 'ms')
  record(`${name}: p95`, times[Math.floor(times.length * 0.95)] ?? Number.NaN, 'ms')
}
const recordLists = async (name: string, of: number, query: (turn: number) => string) => {
  const before = process.cpuUsage()
  const times = await readLists(of, query)
  const { user, system } = process.cpuUsage(before)
  recordTimes(name, times)
  record(`${name}: CPU of a list`, (user + system) / 1_000 / of, 'ms')
}
const memory = () => {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1e6
}

await readLists(1, () => 'tag=topic-1')
const before = memory()
await recordLists('first list of each store', stores, () => 'sort=createdAt,DESC')
record('memory after a list of each store', memory(), 'MB')
record('memory before', before, 'MB')
const hot = Math.min(200, stores)
await readLists(hot, () => 'priceMax=1500')
await recordLists(`another list of ${hot} stores in use`, hot, (turn) => `tag=topic-${turn % 7}&priceMin=1200`)

/** Changes the order of one product, and reads the list until the product is its first. */
const changeProduct = async (place: number) => {
  const list = async () => {
    const address = `http://store.test/api/v1/customers/store-1/new-search?size=24&sort=sort,DESC&priceMax=${2_000 + place}`
    return ((await (await api.fetch(new Request(address))).json()) as { items: { id: ProductId }[] }).items.map(
      ({ id }) => id,
    )
  }
  const [id, ids] = [store!.id, await list()]
  const product = ids[10]
  await withTenant(deps.pool, id, (db) =>
    db.$client.query(
      `UPDATE products SET sort = (SELECT max(sort) + 1 FROM products WHERE customer_id = $1) WHERE customer_id = $1 AND id = $2`,
      [id, product],
    ),
  )
  const [begun, cpu] = [performance.now(), process.cpuUsage()]
  while ((await list())[0] !== product);
  const { user, system } = process.cpuUsage(cpu)
  return { milliseconds: performance.now() - begun, cpu: (user + system) / 1_000 }
}
const changes = option('changes', 0)
const {
  rows: [store],
} = await deps.pool.query<{ id: CustomerId }>(`SELECT customer_id AS id FROM customers WHERE code = 'store-1'`)
if (changes > 0) {
  const taken: Awaited<ReturnType<typeof changeProduct>>[] = []
  for (let place = 0; place < changes; place++) taken.push(await changeProduct(place))
  recordTimes(
    'list after a change',
    taken.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b),
  )
  record('list after a change: CPU', taken.reduce((sum, { cpu }) => sum + cpu, 0) / changes, 'ms')
}

/** Counts views of ten products, and lists a minute later until they are the first. */
const countViews = async (round: number) => {
  const { id } = store!
  const address = `http://store.test/api/v1/customers/store-1/new-search?size=10&sort=countOfViews,DESC`
  const list = async (priceMax: number) => {
    const answer = await api.fetch(new Request(`${address}&priceMax=${priceMax}`))
    return ((await answer.json()) as { items: { id: ProductId }[] }).items.map((item) => item.id)
  }
  const viewed = await withTenant(deps.pool, id, async (db) => {
    const { rows } = await db.$client.query<{ id: ProductId }>(
      `WITH viewed AS (SELECT id FROM products WHERE customer_id = $1 ORDER BY code OFFSET $2 LIMIT 10),
            added AS (INSERT INTO product_events (customer_id, id, product_id, type)
                      SELECT $1, gen_random_uuid(), id, 'VIEW' FROM viewed, generate_series(1, $3::int))
       SELECT id FROM viewed`,
      [id, round * 10, (round + 1) * 1_001],
    )
    return new Set(rows.map((row) => row.id))
  })
  while ((await withTenant(deps.pool, id, (db) => rollUpEvents(db, id, 20_000))) > 0);
  await sleep(61_000)
  // A filter that no list had before: answers are cached.
  let priceMax = 3_000 + round * 1_000
  const [begun, cpu] = [performance.now(), cpuSoFar()]
  while (!(await list(priceMax++)).every((item) => viewed.has(item))) await sleep(500)
  return { milliseconds: performance.now() - begun, cpu: cpuSince(cpu) }
}
const counts = option('counts', 0)
if (counts > 0) {
  const taken: Awaited<ReturnType<typeof countViews>>[] = []
  for (let round = 0; round < counts; round++) taken.push(await countViews(round))
  recordTimes(
    'list with new counts',
    taken.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b),
  )
  recordCpu('list with new counts: CPU', [
    taken.reduce((sum, { cpu }) => sum + cpu[0], 0) / counts,
    taken.reduce((sum, { cpu }) => sum + cpu[1], 0) / counts,
  ])
}
record('product indexes', deps.productIndexes.size() / 1e6, 'MB')

const post = async () => new Response()
await sweepDueTenants(deps, post)
{
  await using _warming = warmProductIndexes(deps)
  // What changed meanwhile is read first.
  await sleep(5_000)
  const atRest = cpuSoFar()
  const seconds = 20
  await sleep(seconds * 1_000)
  const rest = cpuSince(atRest)
  const round = cpuSoFar()
  await sweepDueTenants(deps, post)
  const swept = cpuSince(round)
  recordCpu('CPU of a minute at rest, with its round', [
    (rest[0] * 60) / seconds + swept[0],
    (rest[1] * 60) / seconds + swept[1],
  ])
}
printFigures()
await deps[Symbol.asyncDispose]()
rmSync(dataFolder, { recursive: true })
