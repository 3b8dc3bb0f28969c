import pg from 'pg'
import { expect, inject, test, vi } from 'vitest'
import { openCustomers } from '#api/modules/tenancy/tenancy.queries.ts'
import { beginTenant, createPool } from '#api/platform/db/client.ts'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { customerId } from '#contract/ids.ts'
import { buildWhatIsStale } from '#server/build.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { findPgBouncer, type PgBouncerAge, type PgBouncerSettings, startPgBouncer } from '#tests/support/pgbouncer.ts'
import { sendTo } from '#tests/support/send-http.ts'
import { startService, startWorkerOf } from '#tests/support/service-process.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { createFilms, underVisitors } from '#tests/support/visitor-load.ts'

const current = await findPgBouncer()
const old = await findPgBouncer('old')
const database = inject('database')

const start = (command: string[] | null, settings?: PgBouncerSettings) =>
  startPgBouncer({
    command: command ?? [],
    urls: [database.url, database.ownerUrl],
    ...(settings && { settings }),
  })

test.runIf(current)('500 connections share 20 of PostgreSQL, and no setting of one reaches another', async () => {
  await using bouncer = await start(current)
  const own = await ownDatabase()
  const pool = createPool({ connectionString: bouncer.through(own.url), size: 500, isPooled: true }, () => {})
  const observer = new pg.Client({ connectionString: database.ownerUrl })
  await observer.connect()
  try {
    const clients: pg.PoolClient[] = []
    // Each has five seconds to connect, which includes hashing the password.
    while (clients.length < 500) clients.push(...(await Promise.all(Array.from({ length: 20 }, () => pool.connect()))))
    const transactions = clients.map(async (client, at) => {
      const id = customerId.parse(`00000000-0000-7000-8000-${String(at).padStart(12, '0')}`)
      for (let times = 0; times < 3; times++) {
        // As the requests do: a setting of the transaction, and a statement prepared by its name.
        await client.query(beginTenant(id))
        const { rows } = await client.query({
          name: 'tenant-now',
          text: `SELECT current_setting('marquee.customer_id') AS tenant, current_setting('statement_timeout') AS limit,
                        current_setting('timezone') AS zone`,
        })
        await client.query('COMMIT')
        expect(rows).toEqual([{ tenant: id, limit: '9s', zone: 'UTC' }])
        const after = await client.query(`SELECT current_setting('marquee.customer_id', true) AS tenant`)
        expect(after.rows[0].tenant || null).toBeNull()
      }
    })
    const count = async () => {
      const { rows } = await observer.query<{ used: number }>(
        'SELECT count(*)::int AS used FROM pg_stat_activity WHERE datname = $1',
        [new URL(own.url).pathname.slice(1)],
      )
      return rows[0]?.used
    }
    await Promise.all(transactions)
    expect(await count()).toBe(20)
    for (const client of clients) client.release()
  } finally {
    await pool.end()
    await observer.end()
  }
})

test.runIf(current)('a pooler needs a direct connection beside it, to the same database', async () => {
  await using bouncer = await start(current)
  const url = bouncer.through(database.url)
  await expect(prepareDatabase({ url })).rejects.toThrow(
    'DATABASE_URL goes through a pooler. Set JOBS_DATABASE_URL to the address of PostgreSQL itself',
  )
  await expect(prepareDatabase({ url, jobsUrl: url })).rejects.toThrow('JOBS_DATABASE_URL goes through a pooler.')
  const other = await ownDatabase()
  await expect(prepareDatabase({ url, jobsUrl: other.url })).rejects.toThrow('JOBS_DATABASE_URL is another database')
  await expect(prepareDatabase({ ownerUrl: bouncer.through(database.ownerUrl) })).rejects.toThrow(
    'DATABASE_OWNER_URL goes through a pooler',
  )
  expect(await prepareDatabase({ url, jobsUrl: database.url })).toBe(url)
})

test.runIf(current)(
  'the store and its worker run whole through PgBouncer, from signing up to watching, on five of its connections',
  async () => {
    await buildWhatIsStale()
    const own = await ownDatabase()
    await using bouncer = await startPgBouncer({
      command: current ?? [],
      urls: [own.jobsUrl ?? own.url],
      settings: { default_pool_size: 5 },
    })
    const direct = own.jobsUrl ?? own.url
    const api = createTestApi({ database: { ...own, url: direct } })
    const tenant = await createTenant(api)
    await payAt(api, tenant, 'sandbox')
    const films = await createFilms(api, tenant, 12)
    const members = await Promise.all(Array.from({ length: 3 }, () => tenant.createMember()))
    const mails = await startMailServer()
    const env = {
      MARQUEE_DATA: api.deps.dataFolder,
      DATABASE_OWNER_URL: own.ownerUrl,
      DATABASE_URL: bouncer.through(direct),
      JOBS_DATABASE_URL: direct,
      MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
      WORKER_MODE: 'external',
      SMTP_URL: mails.url,
      MAIL_FROM: 'store@example.com',
    }
    await using store = await startService(env)
    await using worker = await startWorkerOf(env)
    const send = sendTo({ port: store.port, host: `${tenant.code}.test` })
    const observer = new pg.Client({ connectionString: own.ownerUrl })
    await observer.connect()
    const countOf = async (condition: string) => {
      const { rows } = await observer.query<{ used: number }>(
        `SELECT count(*)::int AS used FROM pg_stat_activity WHERE datname = current_database() AND ${condition}`,
      )
      return rows[0]?.used ?? 0
    }
    try {
      // The worker is told of a mail by a notification, on its direct connection.
      expect(await countOf(`application_name = 'marquee-mails' AND query LIKE 'LISTEN%'`)).toBe(1)
      const guest = api.client(tenant.code, { fetch: send })
      const email = 'new@example.com'
      const consents = { agreeTerms: true, agreePrivacy: true, isOldEnough: true } as const
      const { token } = await guest.identity.requestJoin({ email, password, ...consents })
      await vi.waitFor(() => expect(mails.received.map(({ to }) => to)).toContainEqual([email]), { timeout: 20_000 })
      const code = /\b\d{6}\b/.exec(mails.received[0]?.text ?? '')?.[0] ?? ''
      await guest.identity.confirmJoin({ token, code })
      await guest.identity.join({ token })
      const joined = { ...members[0]!, email, token: (await guest.identity.login({ email, password })).token }
      expect((await api.client(tenant.code, { token: joined.token, fetch: send }).identity.me()).email).toBe(email)

      const { failures, lost, orders } = await underVisitors({ api, tenant, members, films, send }, (answered) =>
        answered(150),
      )
      expect(failures).toEqual([])
      expect(lost).toEqual([])
      expect(orders).toBeGreaterThan(4)
      // The confirmations of these orders.
      await vi.waitFor(() => expect(mails.received.length).toBeGreaterThan(orders), { timeout: 30_000 })
      expect(store.output() + worker.output()).not.toMatch(/"level":[56]0/)
    } finally {
      await observer.end()
      await mails.close()
    }
  },
  300_000,
)

test.runIf(current)(
  'a change of one process is in the next list of the other, whose product index is patched through PgBouncer',
  async () => {
    await buildWhatIsStale()
    const own = await ownDatabase()
    const direct = own.jobsUrl ?? own.url
    // The changes of both stores are noted on the same few connections.
    await using bouncer = await startPgBouncer({
      command: current ?? [],
      urls: [direct],
      settings: { default_pool_size: 3 },
    })
    const database = { ...own, url: bouncer.through(direct), jobsUrl: direct }
    const api = createTestApi({ database })
    await using service = await startService({
      MARQUEE_DATA: api.deps.dataFolder,
      DATABASE_OWNER_URL: own.ownerUrl,
      DATABASE_URL: database.url,
      JOBS_DATABASE_URL: direct,
      MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
      WORKER_MODE: 'external',
    })
    const stores = await Promise.all(
      ['first', 'second'].map(async (tag) => {
        const tenant = await createTenant(api)
        await tenant.createProducts(Array.from({ length: 8 }, () => ({ tags: [tag] })))
        const { token } = await tenant.createStaff('CATALOG')
        const fetch = sendTo({ port: service.port, host: `${tenant.code}.test` })
        const there = (headers = {}) => api.client(tenant.code, { token, headers, fetch })
        const [open] = await openCustomers(api.deps.pool, [tenant.id])
        return {
          tenant,
          version: open?.version,
          there,
          totals: { here: api.client(tenant.code), there: api.client(tenant.code, { fetch }) },
        }
      }),
    )
    type Store = (typeof stores)[number]
    const totalOf = async ({ totals }: Store, where: 'here' | 'there', tag: string) =>
      (await totals[where].catalog.search({ tag, size: 1 })).total
    for (const store of stores)
      for (const where of ['here', 'there'] as const) expect(await totalOf(store, where, 'unknown')).toBe(0)

    const queries = vi.spyOn(pg.Client.prototype, 'query')
    const changed = async (store: Store, round: number) => {
      const { items } = await store.there().admin.products.list({})
      const { code, id } = items[round]!
      const { version } = await store.there().admin.products.get({ code })
      await store.there({ 'if-match': `"${version}"` }).admin.products.change({ code, tags: [`changed ${round}`] })
      expect(await totalOf(store, 'here', `changed ${round}`)).toBe(1)
      await store.tenant.within((db) =>
        db.$client.query('UPDATE products SET tags = $3 WHERE customer_id = $1 AND id = $2', [
          store.tenant.id,
          id,
          [`back ${round}`],
        ]),
      )
      expect(await totalOf(store, 'there', `back ${round}`)).toBe(1)
      return id
    }
    const rounds = Array.from({ length: 6 }, (_, round) => round)
    const ids = await Promise.all(
      stores.map(async (store) => {
        const all: string[] = []
        for (const round of rounds) all.push(await changed(store, round))
        return all
      }),
    )
    const texts = queries.mock.calls.map(([query]) => query as unknown as string | { text: string })
    queries.mockRestore()
    const sent = texts.map((query) => (typeof query === 'string' ? query : query.text))
    expect(sent.filter((text) => text.startsWith('DECLARE product_index'))).toEqual([])
    expect(sent.filter((text) => text.includes('FROM product_changes')).length).toBeGreaterThan(rounds.length)
    // What a transaction notes is not seen by the next one of its connection.
    for (const [at, { tenant, version }] of stores.entries()) {
      const noted = await tenant.within(async (db) => {
        const { rows } = await db.$client.query<{ ids: string[] }>(
          'SELECT product_ids AS ids FROM product_changes WHERE customer_id = $1 AND version > $2',
          [tenant.id, version],
        )
        return rows.flatMap((row) => row.ids)
      })
      expect([...new Set(noted)].sort()).toEqual(ids[at]?.toSorted())
    }
  },
  120_000,
)

const refused: [PgBouncerAge, string[] | null, PgBouncerSettings][] = [
  ['current', current, { max_prepared_statements: 0 }],
  // Its settings have no such name.
  ['old', old, { max_prepared_statements: null }],
]
test.runIf(current && old).each(refused)(
  'a %s PgBouncer without prepared statements is refused',
  async (age, command, settings) => {
    await using bouncer = await start(command, settings)
    const url = bouncer.through(database.url)
    // The second one gets the connection with the statement of the first.
    for (let times = 0; times < 2; times++)
      await expect(prepareDatabase({ url, jobsUrl: database.url })).rejects.toThrow(
        /does not know prepared statements. Use PgBouncer 1.21 or newer/,
      )
  },
)
