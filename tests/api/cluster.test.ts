import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { applyMigrations } from '#api/platform/db/apply-migrations.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
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

test.runIf(cluster)('a role that lost its rights on a worker is found', async () => {
  const { url, ownerUrl } = await ownDatabase()
  const [, worker = ''] = cluster?.nodes ?? []
  const onWorker = new URL(worker)
  onWorker.pathname = new URL(ownerUrl).pathname
  await using client = await connected(onWorker.href)
  await client.query('SET citus.enable_ddl_propagation = off')
  await client.query('REVOKE ALL ON customers FROM marquee_app')
  const examined = await quickCommandOf(api, { database: { url, ownerUrl } })(['doctor'])
  expect(examined.out).toContain('The role has no access to the tables.')
})

test.runIf(cluster)('a migration with a new table of stores distributes it before its foreign keys', async () => {
  const { ownerUrl } = await ownDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'marquee-migrations-'))
  await using client = await connected(ownerUrl)
  const tag = '9999_notes'
  await writeFile(
    join(folder, `${tag}.sql`),
    `CREATE TABLE "notes" ("customer_id" uuid NOT NULL, "id" uuid NOT NULL, "member_id" uuid, CONSTRAINT "notes_pk" PRIMARY KEY("customer_id","id"));
--> statement-breakpoint
ALTER TABLE "notes" ADD CONSTRAINT "notes_member" FOREIGN KEY ("customer_id","member_id") REFERENCES "members"("customer_id","id");
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "note" text;`,
  )
  const { mkdir } = await import('node:fs/promises')
  await mkdir(join(folder, 'meta'))
  const entries = [{ idx: 0, version: '7', when: 9_999_999_999_999, tag, breakpoints: true }]
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  await applyMigrations(client, folder)
  const { rows } = await client.query(
    `SELECT partmethod, (SELECT count(*)::int FROM pg_constraint WHERE conname = 'notes_member') AS keys
       FROM pg_dist_partition WHERE logicalrelid = 'notes'::regclass`,
  )
  expect(rows).toEqual([{ partmethod: 'h', keys: 1 }])
  await rm(folder, { recursive: true })
})

const connected = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
