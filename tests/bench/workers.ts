/**
 * Compares one PostgreSQL with clusters of Citus of one and two workers, all of the same version
 * and settings: lists, checkouts from the cart to the paid order, and progress reports, in rounds
 * by turns. Needs what `npm run test:cluster` needs, on Debian 12 as root:
 * `npm run node -- tests/bench/workers.ts --rounds 3`. Files are on disk without `fsync`.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { pino } from 'pino'
import { createApi } from '#api/app.ts'
import { readConfig } from '#api/config.ts'
import { createDeps } from '#api/deps.ts'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import type { PlayId } from '#contract/ids.ts'
import { buy, terms } from '#tests/support/buying.ts'
import { openCardPage } from '#tests/support/card-page.ts'
import { prepareDistributed, startCluster } from '#tests/support/cluster.ts'
import { freePort } from '#tests/support/free-port.ts'
import { createFilm } from '#tests/support/media.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { createTenant, type Tenant, type TestMember, type TestProduct } from '#tests/support/tenant.ts'
import { clientsOf, origin, type TestApi } from '#tests/support/test-api.ts'
import { createTestClock } from '#tests/support/test-clock.ts'
import { median } from './figures.ts'
import { postgresCpu } from './postgres-cpu.ts'
import { option } from './store.ts'

const rounds = option('rounds', 3)
const [stores, members, products] = [4, 3, 100]
/** Clients at once: more would measure how the processes share the cores. */
const clients = 2
const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'marquee-workers-'))
chmodSync(folder, 0o755)

interface Database {
  url: string
  ownerUrl: string
  /** The folders of the nodes, the coordinator first. */
  nodes: string[]
  close: () => Promise<void>
}

/** The server that the program of the clusters would make, without Citus. */
const startPlain = async (): Promise<Database> => {
  const [data, port] = [join(folder, 'plain'), await freePort()]
  mkdirSync(data)
  await run('chown', ['postgres', data])
  const as = (program: string, ...args: string[]) =>
    run('runuser', ['-u', 'postgres', '--', `/usr/lib/postgresql/15/bin/${program}`, '-D', data, ...args], { cwd: '/' })
  await as('initdb', '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8')
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c wal_level=logical`
  const more = '-c max_connections=300 -c max_prepared_transactions=300 -c fsync=off'
  await as('pg_ctl', '-l', join(data, 'log'), '-w', '-s', '-o', `${settings} ${more}`, 'start')
  const ownerUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
  return {
    url: await prepareDatabase({ ownerUrl }),
    ownerUrl,
    nodes: [data],
    close: async () => {
      await as('pg_ctl', '-m', 'immediate', '-s', 'stop')
    },
  }
}

const startWorkers = async (workers: number): Promise<Database> => {
  const place = join(folder, `workers-${workers}`)
  const { ownerUrl, close } = await startCluster(place, { workers })
  const nodes = Array.from({ length: workers + 1 }, (_, node) => join(place, `node${node}`))
  return { ...(await prepareDistributed(ownerUrl)), nodes, close }
}

/** A member of a store, with the products that are left to buy and the film that is watched. */
interface Viewer {
  tenant: Tenant
  member: TestMember
  film: TestProduct
  playId: PlayId | undefined
  goods: TestProduct[]
  reports: number
}

/** Fills a database with stores. Returns what is measured there, each with a number of times. */
const openStores = async (database: Database) => {
  const clock = createTestClock()
  const config = { ...readConfig({ NODE_ENV: 'test' }), dataFolder: mkdtempSync(join(folder, 'data-')) }
  const deps = createDeps({
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    secret: 'a-secret-for-measuring-that-is-long-enough',
    config,
    clock,
    log: pino({ level: 'error' }),
  })
  const served = createApi(deps)
  const ownerPool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 })
  const api: TestApi = { ...served, deps, clock, owner: drizzle(ownerPool), origin, client: clientsOf(served) }
  const viewers: Viewer[] = []
  for (let store = 0; store < stores; store++) {
    const tenant = await createTenant(api)
    await payAt(api, tenant, 'sandbox')
    const goods = await tenant.createProducts(
      Array.from({ length: products }, (_, sort) => ({ sort, tags: [`tag-${sort % 7}`], price: 1_000 + sort })),
    )
    const film = await createFilm(tenant)
    for (let place = 0; place < members; place++) {
      const member = await tenant.createMember()
      await buy(api, tenant, member, film)
      const { playId } = await member.client.playback.startPlayback({ id: film.id })
      viewers.push({ tenant, member, film, playId: playId ?? undefined, goods: [...goods], reports: 0 })
    }
  }
  await ownerPool.query('VACUUM ANALYZE')
  let lists = 0
  const viewerAt = (turn: number) => viewers[turn % viewers.length]!

  const list = async (turn: number) => {
    // Answers of a version are cached: each list has a filter of its own.
    const { tenant } = viewerAt(turn)
    const { items } = await api.client(tenant.code).catalog.search({ size: 24, priceMax: 1_100 + ++lists })
    if (items.length !== 24) throw new Error(`A list has ${items.length} products`)
  }
  const checkOut = async (turn: number) => {
    const { tenant, member, goods } = viewerAt(turn)
    const product = goods.pop()!
    const client = () => api.client(tenant.code, { token: member.token, idempotencyKey: randomUUID() })
    const cart = await client().orders.addToCart({ productId: product.id, optionId: product.optionId! })
    const order = await client().orders.placeOrder({ cartItemIds: cart.items.map(({ id }) => id), ...terms(tenant) })
    const returnUrl = '/payments/result'
    const started = await client().billing.startPayment({ code: order.code, method: 'CARD', returnUrl })
    await openCardPage(api, started.redirectUrl).pay('4242 4242 4242 4242')
    const paid = await client().billing.confirmPayment({ id: started.payment.id })
    if (paid.order.status !== 'PAYMENT_COMPLETE') throw new Error(`An order is ${paid.order.status}`)
  }
  const report = async (turn: number) => {
    const viewer = viewerAt(turn)
    const at = clock.now().toISOString()
    const positionSeconds = (10 * ++viewer.reports) % 90
    const what = { id: viewer.film.id, playId: viewer.playId, positionSeconds, playedSeconds: 10, at }
    await viewer.member.client.playback.progress(what)
  }
  return {
    // A viewer may report 120 times a minute.
    works: [
      { name: 'list', times: 60, work: list },
      { name: 'checkout', times: 12, work: checkOut },
      { name: 'progress report', times: 96, work: report },
    ],
    close: async () => {
      await deps[Symbol.asyncDispose]()
      await ownerPool.end()
    },
  }
}

interface Measured {
  median: number
  process: number
  coordinator: number
  workers: number
}

const measure = async (
  { nodes }: Database,
  { times, work }: { times: number; work: (turn: number) => Promise<void> },
): Promise<Measured> => {
  const cpu = () => {
    const { user, system } = process.cpuUsage()
    const [coordinator = 0, ...workers] = nodes.map(postgresCpu)
    return { process: (user + system) / 1_000, coordinator, workers: workers.reduce((sum, one) => sum + one, 0) }
  }
  const taken: number[] = []
  let next = 0
  const takeTurns = async () => {
    while (next < times) {
      const [turn, begun] = [next++, performance.now()]
      await work(turn)
      taken.push(performance.now() - begun)
    }
  }
  const before = cpu()
  await Promise.all(Array.from({ length: clients }, takeTurns))
  const after = cpu()
  const each = (name: keyof typeof before) => (after[name] - before[name]) / times
  return {
    median: median(taken),
    process: each('process'),
    coordinator: each('coordinator'),
    workers: each('workers'),
  }
}

const starts = {
  'one PostgreSQL': startPlain,
  'cluster, 1 worker': () => startWorkers(1),
  'cluster, 2 workers': () => startWorkers(2),
}
const opened: { name: string; database: Database; served: Awaited<ReturnType<typeof openStores>> }[] = []
try {
  for (const [name, start] of Object.entries(starts)) {
    console.log(`Starting and filling: ${name} …`)
    const database = await start()
    opened.push({ name, database, served: await openStores(database) })
  }
  const results = new Map<string, Measured[]>()
  const begun = performance.now()
  // The first round fills caches and prepares statements.
  for (let round = 0; round <= rounds; round++)
    for (const { name, database, served } of opened)
      for (const one of served.works) {
        const measured = await measure(database, one)
        const key = `${one.name}, ${name}`
        console.log(`${Math.round((performance.now() - begun) / 1_000)} s: ${key}, ${measured.median.toFixed(1)} ms`)
        if (round > 0) results.set(key, [...(results.get(key) ?? []), measured])
      }
  const shown = (values: number[]) =>
    `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`
  console.table(
    [...results]
      .sort(([a], [b]) => (a.split(',')[0]! < b.split(',')[0]! ? -1 : 1))
      .map(([what, measured]) => ({
        what,
        'ms, median': shown(measured.map((one) => one.median)),
        'CPU of the process': shown(measured.map((one) => one.process)),
        'of the database or coordinator': shown(measured.map((one) => one.coordinator)),
        'of the workers': shown(measured.map((one) => one.workers)),
      })),
  )
} finally {
  for (const { database, served } of opened) {
    await served.close()
    await database.close()
  }
  rmSync(folder, { recursive: true, force: true })
}
