import { mkdtempSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { findDebianPostgres, startDebianPostgres } from '#tests/support/debian-postgres.ts'
import { blockOf, readDocument } from '#tests/support/documents.ts'
import { freePort } from '#tests/support/free-port.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const programs = await findDebianPostgres()
const guide = readDocument('guides/scale.md')

test.runIf(programs)(
  'a replica that was made as in docs/guides/scale.md answers guests’ lists, and doctor names it',
  async () => {
    const place = mkdtempSync(join(memoryFolder(), 'marquee-replica-guide-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    await chmod(place, 0o755)
    const primary = await startDebianPostgres(programs ?? '', join(place, 'server'))
    const inDatabase = (statements: string) => primary.run(`psql <<'END'\n${statements}END\n`)
    const [, allowed = ''] = /`(host replication [^`]+)`/.exec(guide) ?? expect.fail('The guide allows no replication.')
    // The first line that fits decides.
    const local = allowed.replace('10.0.0.3/32', '127.0.0.1/32')
    primary.runAsPostgres(`sed -i '1i ${local}' ${join(primary.cluster, 'pg_hba.conf')}`)
    inDatabase(blockOf(guide, 'sql', 'CREATE ROLE replicator'))
    inDatabase(blockOf(readDocument('operations.md'), 'sql', 'CREATE ROLE marquee_web'))
    await prepareDatabase(primary.database)

    const folder = join(place, 'server/replica')
    const copy = blockOf(guide, 'sh', 'pg_basebackup')
      .replace('db.internal', '127.0.0.1')
      .replace('/var/lib/postgresql/15/main', folder)
    expect(copy).toContain(folder)
    primary.runAsPostgres(`export PGPASSWORD=secret\n${copy}`)
    const port = await freePort()
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${join(place, 'server')}`
    primary.runAsPostgres(`pg_ctl -D ${folder} -l ${folder}.log -o '${settings}' -w start >/dev/null`)
    onTestFinished(() => void primary.runAsPostgres(`pg_ctl -D ${folder} -m immediate -w stop`))

    const url = new URL(primary.database.url)
    url.port = String(port)
    const api = createTestApi({ database: primary.database, replica: { url: url.href, maxLag: 60 } })
    await vi.waitFor(() => expect(api.deps.replica?.lag()).toBe(0), { timeout: 20_000, interval: 50 })
    const tenant = await createTenant(api)
    const { title } = await tenant.createProduct()
    await vi.waitFor(async () => expect((await tenant.guest.catalog.search({})).items).toMatchObject([{ title }]), {
      timeout: 20_000,
      interval: 50,
    })
    const env = { DATABASE_REPLICA_URL: url.href }
    const { out } = await quickCommandOf(api, { database: primary.database, env })(['doctor'])
    expect(out).toMatch(/✓ Replica: \d+\.\d seconds behind/)
  },
  120_000,
)
