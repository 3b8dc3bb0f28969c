import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, expect, test, vi } from 'vitest'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { createPool } from '#api/platform/db/client.ts'
import { createReplica } from '#api/platform/db/replica.ts'
import { findBinaries, unprivilegedUser } from '#server/postgres-binaries.ts'
import { startServer, waitUntilReady } from '#server/postgres-server.ts'
import { startTelemetry } from '#server/telemetry-sdk.ts'
import { buy } from '#tests/support/buying.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { startOwnPostgres } from '#tests/support/own-postgres.ts'
import { createTenant, type TestProduct } from '#tests/support/tenant.ts'
import { type Client, createTestApi } from '#tests/support/test-api.ts'

const user = unprivilegedUser()
const primary = await startOwnPostgres()
const folder = await mkdtemp(join(memoryFolder(), 'marquee-replica-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
afterAll(() => primary[Symbol.asyncDispose]())

const onPort = (url: string, port: number) => {
  const other = new URL(url)
  other.port = String(port)
  return other.href
}

/**
 * Makes a replica as `pg_basebackup -R` does, by its statements, because the embedded PostgreSQL
 * comes without that program.
 */
const startReplica = async () => {
  const cluster = join(folder, 'cluster')
  const { ownerUrl, url } = primary.addresses
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(`SELECT pg_backup_start('replica', true)`)
  execFileSync('cp', ['-a', primary.cluster, cluster])
  const { rows } = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop()')
  await client.end()
  rmSync(join(cluster, 'postmaster.pid'))
  writeFileSync(join(cluster, 'backup_label'), rows[0]?.label ?? '')
  writeFileSync(join(cluster, 'standby.signal'), '')
  const { port, username, password } = new URL(ownerUrl)
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`
  writeFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`, { flag: 'a' })
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  const binaries = findBinaries(user, folder)
  const start = async (at?: number) => {
    const options = { cluster, folder, user, durable: false, maxConnections: 100 }
    const server = await startServer(binaries, at === undefined ? options : { ...options, port: at })
    await waitUntilReady(onPort(ownerUrl, server.port), server.pid, folder)
    return server.port
  }
  const at = await start()
  return {
    url: onPort(url, at),
    ownerUrl: onPort(ownerUrl, at),
    start: () => start(at),
    stop: () => {
      const program = join(dirname(binaries.postgres), 'pg_ctl')
      execFileSync(program, ['stop', '-D', cluster, '-w', '-m', 'immediate'], { ...user, cwd: '/' })
    },
  }
}

const replica = await startReplica()
afterAll(() => replica.stop())
const lines: { msg: string }[] = []
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const api = createTestApi({ database: primary.addresses, replica: { url: replica.url, maxLag: 60 }, log })
const isUsed = () => vi.waitFor(() => expect(api.deps.replica?.lag()).toBe(0), { timeout: 20_000, interval: 50 })
const readFaults = async () => (await (await api.fetch(new Request(`${api.origin}/readyz`))).json()).faults

const onServer = async <Row extends pg.QueryResultRow>(url: string, ...statements: string[]) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements.slice(0, -1)) await client.query(statement)
    return (await client.query<Row>(statements.at(-1) ?? '')).rows
  } finally {
    await client.end()
  }
}

/** The replica no longer applies what it receives. */
const pauseReplay = async () => {
  await isUsed()
  await onServer(replica.ownerUrl, 'SELECT pg_wal_replay_pause()')
  const isPaused = async () =>
    expect(await onServer(replica.ownerUrl, 'SELECT pg_get_wal_replay_pause_state() AS state')).toEqual([
      { state: 'paused' },
    ])
  await vi.waitFor(isPaused, { timeout: 20_000, interval: 20 })
}
const resumeReplay = () => onServer(replica.ownerUrl, 'SELECT pg_wal_replay_resume()')

/** Renames a product without a new version of the store: only the servers differ afterwards. */
const renameSilently = ({ id }: TestProduct, title: string) =>
  onServer(
    primary.addresses.ownerUrl,
    'SET session_replication_role = replica',
    `UPDATE products SET title = '${title}' WHERE id = '${id}'`,
  )

const titlesFor = async ({ catalog }: Client) => (await catalog.search({})).items.map(({ title }) => title).sort()

test('a replica is not behind at the end of a page of the log, after which nothing is written', async () => {
  await isUsed()
  await onServer(primary.addresses.ownerUrl, 'SELECT pg_switch_wal()')
  const isCurrent = async () => {
    await api.deps.replica?.check()
    expect(api.deps.replica?.lag()).toBe(0)
  }
  await vi.waitFor(isCurrent, { timeout: 5_000, interval: 50 })
})

test('guests’ lists come from the replica if it has the version of the store, those of members from the primary', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ title: 'Before' })
  await pauseReplay()
  await renameSilently(product, 'After')
  expect(await titlesFor(tenant.guest)).toEqual(['Before'])
  expect(await titlesFor(member.client)).toEqual(['After'])
  await tenant.createProduct({ title: 'Newer' })
  expect(await titlesFor(tenant.guest)).toEqual(['After', 'Newer'])
  await resumeReplay()
  await isUsed()
  expect(await titlesFor(tenant.guest)).toEqual(['After', 'Newer'])
})

test('a product index is read from the replica if it has the version of the store', async () => {
  const tenant = await createTenant(api)
  const product = await tenant.createProduct({ price: 1000 })
  await pauseReplay()
  await onServer(
    primary.addresses.ownerUrl,
    'SET session_replication_role = replica',
    `UPDATE products SET price_amount = 9000 WHERE id = '${product.id}'`,
  )
  const member = await tenant.createMember()
  const cheap = async () => (await member.client.catalog.search({ priceMax: 2000 })).items.length
  expect(await cheap()).toBe(1)
  // The replica does not have this version, so what has changed is read from the primary.
  await tenant.within((db) => db.update(products).set({ priceAmount: 9001 }).where(eq(products.id, product.id)))
  expect(await cheap()).toBe(0)
  await resumeReplay()
})

test('operators read what was committed before: from the replica once it has it, else from the primary', async () => {
  const tenant = await createTenant(api)
  const product = await tenant.createProduct()
  const { client: operator } = await tenant.createOperator()
  const exported = async () => (await operator.admin.orders.export({})).text()
  const place = async () => (await buy(api, tenant, await tenant.createMember(), product)).code
  const first = await place()
  expect(await exported()).toContain(first)
  await pauseReplay()
  const second = await place()
  expect(await exported()).toContain(second)
  expect(await operator.analytics.store({})).toHaveProperty('from')
  await resumeReplay()
})

test('a replica that is away is left out, and the state and the log say so until it is back', async () => {
  const tenant = await createTenant(api)
  await tenant.createProduct({ title: 'Always there' })
  await isUsed()
  expect(await readFaults()).toEqual([])
  await using telemetry = startTelemetry({ hasMetrics: true, otlp: null })
  using _observed = telemetry.observe(api.deps)
  expect(await telemetry.scrape()).toMatch(/marquee_replica_lag\S* \d/)
  replica.stop()
  expect(await titlesFor(tenant.guest)).toEqual(['Always there'])
  await expect.poll(readFaults, { timeout: 20_000 }).toEqual(['replica'])
  expect(api.deps.replica?.lag()).toBeNull()
  expect(await telemetry.scrape()).toMatch(/marquee_replica_lag\S* NaN/)
  expect(lines.map(({ msg }) => msg)).toContain('The replica of the database is not used')
  expect(lines.map(({ msg }) => msg)).not.toContain('The database cannot be reached')
  const doctor = quickCommandOf(api, { database: primary.addresses, env: { DATABASE_REPLICA_URL: replica.url } })
  expect((await doctor(['doctor'])).out).toMatch(/Replica: The replica of DATABASE_REPLICA_URL is left out/)

  await replica.start()
  await isUsed()
  expect(await readFaults()).toEqual([])
  expect(lines.map(({ msg }) => msg)).toContain('The replica of the database is used again')
  expect((await doctor(['doctor'])).out).toMatch(/Replica: 0\.\d seconds behind/)
  const metrics = await telemetry.scrape()
  expect(metrics).toMatch(/marquee_replica_lag\S* 0\b/)
  expect(metrics).toMatch(/marquee_service_up\S*service="replica"\S* 1\b/)
})

test('a replica that lags more than the limit is left out', async () => {
  const silent = pino({ level: 'silent' })
  const poolOf = (url: string) => createPool({ connectionString: url, size: 2 }, () => {})
  await using own = createReplica({ primary: api.deps.pool, pool: poolOf(replica.url), maxLag: 0.5, log: silent })
  const tenant = await createTenant(api)
  const read = () => own.read(tenant.id, { version: 0 }, async () => 'from the replica')
  await expect.poll(read, { timeout: 20_000 }).toEqual({ answer: 'from the replica' })
  await pauseReplay()
  await tenant.createProduct()
  await expect.poll(read, { timeout: 20_000 }).toBeNull()
  await expect(own.check()).rejects.toThrow(/it is \d+ seconds behind/)
  expect(own.isFaulty()).toBe(true)
  await resumeReplay()
  await expect.poll(read, { timeout: 20_000 }).toEqual({ answer: 'from the replica' })

  await using itself = createReplica({
    primary: api.deps.pool,
    pool: poolOf(primary.addresses.url),
    maxLag: 5,
    log: silent,
  })
  await expect(itself.check()).rejects.toThrow('it is no replica')
})
