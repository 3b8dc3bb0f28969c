import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { beginTenant, createPool } from '#api/platform/db/client.ts'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { customerId } from '#contract/ids.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { findPgBouncer, type PgBouncerAge, type PgBouncerSettings, startPgBouncer } from '#tests/support/pgbouncer.ts'

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
    const clients = await Promise.all(Array.from({ length: 500 }, () => pool.connect()))
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
    await expect(prepareDatabase({ url, jobsUrl: database.url })).rejects.toThrow(
      /does not know prepared statements. Use PgBouncer 1.21 or newer/,
    )
  },
)
