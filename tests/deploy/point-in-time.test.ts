import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import { buy } from '#tests/support/buying.ts'
import { findDebianPostgres, startDebianPostgres } from '#tests/support/debian-postgres.ts'
import { blockOf, readDocument } from '#tests/support/documents.ts'
import { asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { createTenant, tenantOf } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

type Postgres = Awaited<ReturnType<typeof startDebianPostgres>>

const programs = await findDebianPostgres()
const place = mkdtempSync(join(memoryFolder(), 'marquee-backup-'))
await chmod(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true }))
const backups = join(place, 'server/backup')

const guide = readDocument('guides/back-up.md')
/** A block of the guide with the folders of this test. */
const blockWith = (language: string, text: string) =>
  blockOf(guide, language, text).replaceAll('/backup/', `${backups}/`)

const query = async <Row extends pg.QueryResultRow>({ superuserUrl }: Postgres, text: string) => {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/** Makes the base backup of a week. */
const backUp = ({ runAsPostgres, superuserUrl }: Postgres, day: string) =>
  runAsPostgres(`DATABASE='${superuserUrl}'\ndate() { echo ${day}-0300; }\n${blockWith('sh', 'pg_basebackup')}`)

/** Waits until all that was written so far is archived. */
const waitForArchive = async (postgres: Postgres) => {
  const [written] = await query<{ file: string }>(postgres, 'SELECT pg_walfile_name(pg_switch_wal()) AS file')
  const isArchived = async () => {
    const [archived] = await query<{ last: string }>(postgres, 'SELECT last_archived_wal AS last FROM pg_stat_archiver')
    expect((archived?.last ?? '') >= (written?.file ?? '')).toBe(true)
  }
  await vi.waitFor(isArchived, { timeout: 20_000, interval: 100 })
}

const filesInArchive = () => readdirSync(join(backups, 'wal')).filter((name) => /^[0-9A-F]{24}$/.test(name))

test.runIf(programs)(
  'a store is restored to a point in time from archived WAL, with its orders, and its films play',
  async () => {
    const postgres = await startDebianPostgres(programs ?? '', join(place, 'server'))
    const writeTo = (file: string, text: string) =>
      postgres.runAsPostgres(`cat >> ${join(postgres.cluster, file)} <<'END'\n${text}END\n`)
    postgres.runAsPostgres(`mkdir -p ${join(backups, 'wal')}`)
    writeTo('postgresql.conf', blockWith('ini', 'archive_mode'))
    postgres.stop('fast')
    postgres.start()

    postgres.run(`psql <<'END'\n${blockOf(readDocument('operations.md'), 'sql', 'CREATE ROLE marquee_web')}END\n`)
    await prepareDatabase(postgres.database)
    const api = createTestApi({ database: postgres.database })
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    await buy(api, tenant, member, await createFilm(tenant))
    for (const day of ['2026-11-01', '2026-11-08']) backUp(postgres, day)

    // After the base backup, so that the archive alone has it.
    const film = await createFilm(tenant)
    await buy(api, tenant, member, film)
    const media = await openMedia(api)
    await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
    const [good] = await query<{ time: string }>(postgres, 'SELECT clock_timestamp()::text AS time')
    await query(postgres, `UPDATE products SET title = 'a mistake'; DELETE FROM entitlements`)
    await waitForArchive(postgres)
    const before = filesInArchive()
    backUp(postgres, '2026-11-15')
    // The oldest one and what only it needs are removed.
    expect(readdirSync(join(backups, 'base'))).toEqual(['2026-11-08-0300', '2026-11-15-0300'])
    expect(before.filter((name) => !filesInArchive().includes(name)).length).toBeGreaterThan(0)

    postgres.stop('immediate')
    postgres.runAsPostgres(`rm -r ${postgres.cluster} && cp -a ${backups}/base/2026-11-08-0300 ${postgres.cluster}`)
    const recovery = blockWith('ini', 'recovery_target_time')
    expect(recovery).toContain(`recovery_target_time = '2026-11-25 14:05:00+00'`)
    writeTo('postgresql.auto.conf', recovery.replace('2026-11-25 14:05:00+00', good?.time ?? ''))
    postgres.runAsPostgres(`touch ${join(postgres.cluster, 'recovery.signal')}`)
    postgres.start()
    const isOpen = async () =>
      expect(await query(postgres, 'SELECT pg_is_in_recovery() AS busy')).toEqual([{ busy: false }])
    await vi.waitFor(isOpen, { timeout: 30_000, interval: 100 })

    const restored = createTestApi({ database: postgres.database })
    cpSync(join(api.deps.dataFolder, 'media'), join(restored.deps.dataFolder, 'media'), { recursive: true })
    const { get } = await openMedia(restored)
    const client = restored.client(tenant.code, { token: member.token })
    expect((await client.catalog.product({ id: film.id })).title).toBe(film.title)
    expect((await client.orders.orders({})).items).toHaveLength(2)
    const { manifestUrl } = await client.playback.startPlayback({ id: film.id })
    expect((await get(manifestUrl, asMember(member.token))).text).toBe('#EXTM3U')
    // The store goes on from there.
    const product = await tenantOf(restored, tenant).createProduct()
    expect((await client.catalog.product({ id: product.id })).id).toBe(product.id)
  },
  120_000,
)
