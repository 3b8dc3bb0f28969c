import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { distribute, prepareDatabase } from '#api/platform/db/migrate.ts'
import journal from '#api/platform/db/migrations/meta/_journal.json' with { type: 'json' }
import { createClusterDatabase, withPlainOwner } from '#tests/support/cluster.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { firstRelease, linesOf } from '#tests/support/database-before.ts'
import { createFullTenant } from '#tests/support/full-tenant.ts'
import { password } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const cluster = inject('cluster')

/** A folder of the migrations up to one of them. */
const migrationsUntil = async (last: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-migrations-'))
  await cp(fileURLToPath(new URL('../../api/platform/db/migrations', import.meta.url)), folder, { recursive: true })
  const entries = journal.entries.slice(0, journal.entries.findIndex(({ tag }) => tag === last) + 1)
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** The number of rows of each table of stores. */
const countRows = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name::text AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE table_schema = 'public' AND column_name = 'customer_id' AND table_type = 'BASE TABLE' ORDER BY 1`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of rows) {
    const { rows: counted } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${name}`)
    counts[name] = counted[0]?.count ?? 0
  }
  return counts
}

/** The tables on a node whose owner is not bound by their policies. */
const unforcedOn = async (url: string) => {
  await using client = await connected(url)
  await client.query('SET citus.override_table_visibility = off')
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT regexp_replace(relname, '_[0-9]{6}$', '') AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relrowsecurity AND NOT relforcerowsecurity`,
  )
  return rows.map(({ name }) => name).toSorted()
}

test.runIf(cluster)(
  'an installation in use is distributed with all its rows, and goes on',
  { timeout: 120_000 },
  async () => {
    const superuserUrl = await createClusterDatabase(cluster!, 'in_use')
    const ownerUrl = await withPlainOwner(cluster!, 'in_use')
    const database = { url: await prepareDatabase({ ownerUrl }), ownerUrl }
    const before = createTestApi({ database })
    const tenant = await createFullTenant(before, 'kestrel')
    // It sees the rows of all stores.
    await using client = await connected(superuserUrl)
    const counts = await countRows(client)
    expect(counts).toMatchObject({ customers: 1, products: 3, members: 1, subscriptions: 1, orders: 2 })

    const { code, out } = await quickCommandOf(before, { database })(['cluster', 'distribute', '--shards', '4'])
    const lines = out.trim().split('\n')
    const tables = lines.length - 3
    expect([code, lines[0]]).toEqual([0, `1/${tables} customers`])
    for (const [place, line] of lines.slice(0, tables).entries())
      expect(line).toMatch(new RegExp(`^${place + 1}/${tables} \\w+$`))
    const nodes = (cluster?.nodes ?? []).slice(1).map((node) => `✓ ${new URL(node).host}`)
    expect(lines.slice(tables)).toEqual([
      `Distributed ${tables} tables over 2 workers, in 4 parts by store.`,
      ...nodes.toSorted(),
    ])
    expect(await countRows(client)).toEqual(counts)
    const unforced = await unforcedOn(superuserUrl)
    for (const worker of cluster!.nodes.slice(1))
      expect(await unforcedOn(new URL('in_use', worker).href)).toEqual(unforced)

    const after = createTestApi({ database })
    const { token } = await after.client(tenant.code).identity.login({ email: tenant.member.email, password })
    const member = after.client(tenant.code, { token })
    expect((await member.catalog.product({ id: tenant.product.id })).title).toBe('kestrel product')
    const { items } = await member.orders.orders({})
    expect(items.map((order) => order.code).toSorted()).toEqual([tenant.orderCode, tenant.paidOrderCode].toSorted())
    expect((await after.client(tenant.code).catalog.search({ q: 'kestrel' })).items.length).toBeGreaterThan(0)
  },
)

/** The schema without the views of Citus, whose grants depend on when the extension was created. */
const ownLinesOf = async (url: string) => (await linesOf(url)).filter((line) => !line.startsWith('grant citus_'))

/** Brings a database to an earlier version and distributes it. */
const distributeEarlier = async (ownerUrl: string) => {
  await using earlier = await migrationsUntil('0031_domain-verifications')
  await using migrating = await connected(ownerUrl)
  await migrate(drizzle(migrating), { migrationsFolder: earlier.folder })
  const url = Object.assign(new URL(ownerUrl), { username: 'marquee_app' }).href
  const { tables } = await distribute({ url, ownerUrl }, 4)
  expect(tables).toContain('orders')
  expect(tables).not.toContain('viewing_sessions')
}

test.runIf(cluster)('an owner who is no superuser migrates a cluster', { timeout: 180_000 }, async () => {
  await createClusterDatabase(cluster!, 'owned')
  const ownerUrl = await withPlainOwner(cluster!, 'owned')
  await distributeEarlier(ownerUrl)
  await prepareDatabase({ ownerUrl })
  expect(await ownLinesOf(ownerUrl)).toEqual(await ownLinesOf(inject('database').ownerUrl))
})

test.runIf(cluster)(
  'a distributed installation of an earlier version is migrated with its rows',
  { timeout: 180_000 },
  async () => {
    const ownerUrl = await createClusterDatabase(cluster!, 'earlier')
    await using client = await connected(ownerUrl)
    await client.query(firstRelease())
    await distributeEarlier(ownerUrl)
    const database = { url: await prepareDatabase({ ownerUrl }), ownerUrl }
    expect(await ownLinesOf(ownerUrl)).toEqual(await ownLinesOf(inject('database').ownerUrl))
    const upgraded = createTestApi({ database })
    const { token } = await upgraded
      .client('aurora')
      .identity.login({ email: 'member@example.com', password: 'marquee-demo' })
    const member = upgraded.client('aurora', { token })
    expect((await member.orders.orders({})).items).toHaveLength(3)
    expect((await member.subscriptions.subscriptionHistory({})).items).toHaveLength(6)
    expect((await member.catalog.search({ q: 'blue hour' })).items.map(({ title }) => title)).toContain('Blue Hour')
  },
)

const connected = async (connectionString: string) => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
