import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { applyMigrations } from '#api/platform/db/apply-migrations.ts'
import { distributeTenants } from '#api/platform/db/cluster.ts'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import journal from '#api/platform/db/migrations/meta/_journal.json' with { type: 'json' }
import { createClusterDatabase } from '#tests/support/cluster.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { linesOf } from '#tests/support/database-before.ts'
import { writeLaterMigrations } from '#tests/support/migrations-folder.ts'
import type { TestDatabase } from '#tests/support/pgbouncer.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const command = quickCommandOf(api)
const cluster = inject('cluster')

test.skipIf(cluster)('a database without Citus is refused, and nothing changes', async () => {
  const { code, err } = await command(['cluster', 'distribute'])
  expect([code, err]).toEqual([1, expect.stringContaining('The database has no extension Citus.')])
})

test.runIf(cluster)('a distributed database stays as it is, and each worker is checked', async () => {
  const { code, out } = await command(['cluster', 'distribute'])
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^All tables were already distributed, in 4 parts by store\.\n✓/),
  ])
  expect(out.match(/✓ 127\.0\.0\.1:\d+/g)).toHaveLength(2)
})

/** A database that was distributed before the latest migration, which it has now. */
let upgraded: TestDatabase

beforeAll(async () => {
  if (!cluster) return
  const ownerUrl = await createClusterDatabase(cluster, `upgraded_${Date.now()}`)
  await using client = await connected(ownerUrl)
  const folder = await mkdtemp(join(tmpdir(), 'marquee-migrations-'))
  await cp('api/platform/db/migrations', folder, { recursive: true })
  const earlier = { ...journal, entries: journal.entries.slice(0, -1) }
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify(earlier))
  await applyMigrations(client, folder)
  await rm(folder, { recursive: true })
  await distributeTenants(client, { role: 'marquee_app', appRole: 'marquee_app', shards: 4 })
  upgraded = { url: await prepareDatabase({ ownerUrl }), ownerUrl }
}, 120_000)

test.runIf(cluster)('a database that was distributed before the latest migration is like a new one', async () => {
  expect(await linesOf(upgraded.ownerUrl)).toEqual(await linesOf(inject('database').ownerUrl))
})

test.runIf(cluster)(
  'a role that lost its rights on a worker, and a table without policies there, are found',
  async () => {
    const [, worker = ''] = cluster?.nodes ?? []
    const onWorker = new URL(worker)
    onWorker.pathname = new URL(upgraded.ownerUrl).pathname
    await using client = await connected(onWorker.href)
    await client.query('SET citus.enable_ddl_propagation = off')
    const doctor = async () => (await quickCommandOf(api, { database: upgraded })(['doctor'])).out
    expect(await doctor()).toContain(`✓ Worker ${onWorker.host}: holds its part of the stores`)
    await client.query('REVOKE ALL ON customers FROM marquee_app')
    expect(await doctor()).toContain('The role has no access to the tables.')
    await client.query('GRANT ALL ON customers TO marquee_app')
    await client.query('ALTER TABLE orders DISABLE ROW LEVEL SECURITY')
    expect(await doctor()).toContain(
      `✗ Worker ${onWorker.host}: Row-level security is off or has no policy for orders,`,
    )
  },
)

test.runIf(cluster)('a migration with a new table of stores distributes it before its foreign keys', async () => {
  await using client = await connected(upgraded.ownerUrl)
  const folder = await writeLaterMigrations([
    [
      'CREATE TABLE "notes" ("customer_id" uuid NOT NULL, "id" uuid NOT NULL, "member_id" uuid, CONSTRAINT "notes_pk" PRIMARY KEY("customer_id","id"))',
      'ALTER TABLE "notes" ADD CONSTRAINT "notes_member" FOREIGN KEY ("customer_id","member_id") REFERENCES "members"("customer_id","id")',
      'ALTER TABLE "products" ADD COLUMN "note" text',
    ],
  ])
  await applyMigrations(client, folder)
  const { rows } = await client.query(
    `SELECT partmethod, (SELECT count(*)::int FROM pg_constraint WHERE conname = 'notes_member') AS keys
       FROM pg_dist_partition WHERE logicalrelid = 'notes'::regclass`,
  )
  expect(rows).toEqual([{ partmethod: 'h', keys: 1 }])
})

const connected = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
