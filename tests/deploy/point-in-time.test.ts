import { execFileSync } from 'node:child_process'
import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { unprivilegedUser } from '#server/postgres-binaries.ts'
import { buy } from '#tests/support/buying.ts'
import { asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { type OwnPostgres, startOwnPostgres } from '#tests/support/own-postgres.ts'
import { createTenant, tenantOf } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const isTried = process.platform === 'linux'
const guide = readFileSync(new URL('../../docs/guides/back-up.md', import.meta.url), 'utf8')

const place = mkdtempSync(join(memoryFolder(), 'marquee-backup-'))
const user = unprivilegedUser()
if (user) chownSync(place, user.uid, user.gid)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Writes a file of PostgreSQL's user. */
const writeOwned = (path: string, text: string) => {
  writeFileSync(path, text)
  if (user) chownSync(path, user.uid, user.gid)
}

/** The settings that the guide names for a file, with the folders of this test. */
const settingsOf = (file: string): [string, string][] => {
  const block = new RegExp(`# ${file}\\n([^\`]*)`).exec(guide)?.[1] ?? ''
  const settings = Array.from(block.matchAll(/^(\w+) = '?(.*?)'?$/gm), ([, name = '', value = '']) => [name, value])
  return settings.map(([name = '', value = '']) => [name, value.replaceAll('/backup/', `${place}/`)])
}

const query = async <Row extends pg.QueryResultRow>({ addresses }: OwnPostgres, text: string) => {
  const client = new pg.Client({ connectionString: addresses.ownerUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

/**
 * Makes a base backup. What `pg_basebackup` does is done by its statements, because the embedded
 * PostgreSQL comes without that program.
 */
const makeBaseBackup = async ({ addresses, cluster }: OwnPostgres, base: string) => {
  const client = new pg.Client({ connectionString: addresses.ownerUrl })
  await client.connect()
  await client.query(`SELECT pg_backup_start('base', true)`)
  execFileSync('cp', ['-a', cluster, base])
  const { rows } = await client.query<{ label: string }>('SELECT labelfile AS label FROM pg_backup_stop()')
  await client.end()
  writeOwned(join(base, 'backup_label'), rows[0]?.label ?? '')
  rmSync(join(base, 'postmaster.pid'))
  // The archive has them.
  for (const name of readdirSync(join(base, 'pg_wal')))
    if (/^[0-9A-F]{24}$/.test(name)) rmSync(join(base, 'pg_wal', name))
}

/** Waits until all that was written so far is archived. */
const waitForArchive = async (postgres: OwnPostgres) => {
  const [written] = await query<{ file: string }>(postgres, 'SELECT pg_walfile_name(pg_switch_wal()) AS file')
  const isArchived = async () => {
    const [archived] = await query<{ last: string }>(postgres, 'SELECT last_archived_wal AS last FROM pg_stat_archiver')
    expect((archived?.last ?? '') >= (written?.file ?? '')).toBe(true)
  }
  await vi.waitFor(isArchived, { timeout: 20_000, interval: 100 })
}

test.runIf(isTried)(
  'a store is restored to a point in time from archived WAL, with its orders, and its films play',
  async () => {
    mkdirSync(join(place, 'wal'), { mode: 0o700 })
    if (user) chownSync(join(place, 'wal'), user.uid, user.gid)
    await using postgres = await startOwnPostgres()
    const archiving = settingsOf('postgresql.conf')
    expect(archiving.map(([name]) => name)).toEqual(['archive_mode', 'archive_command', 'archive_timeout'])
    for (const [name, value] of archiving) await query(postgres, `ALTER SYSTEM SET ${name} = '${value}'`)
    await postgres.stop('fast')
    await postgres.start()

    const api = createTestApi({ database: postgres.addresses })
    const tenant = await createTenant(api)
    const member = await tenant.createMember()
    await buy(api, tenant, member, await createFilm(tenant))
    const base = join(place, 'base')
    await makeBaseBackup(postgres, base)

    // After the base backup, so that the archive alone has it.
    const film = await createFilm(tenant)
    await buy(api, tenant, member, film)
    const media = await openMedia(api)
    await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
    const [good] = await query<{ time: string }>(postgres, 'SELECT clock_timestamp()::text AS time')
    await query(postgres, `UPDATE products SET title = 'a mistake'; DELETE FROM entitlements`)
    await waitForArchive(postgres)

    await postgres.stop('immediate')
    rmSync(postgres.cluster, { recursive: true })
    execFileSync('cp', ['-a', base, postgres.cluster])
    const recovery = settingsOf('postgresql.auto.conf').map(([name, value]) =>
      name === 'recovery_target_time' ? [name, good?.time] : [name, value],
    )
    const lines = recovery.map(([name, value]) => `${name} = '${value}'\n`)
    expect(recovery.map(([name]) => name)).toEqual([
      'restore_command',
      'recovery_target_time',
      'recovery_target_action',
    ])
    writeOwned(join(postgres.cluster, 'postgresql.auto.conf'), lines.join(''))
    writeOwned(join(postgres.cluster, 'recovery.signal'), '')
    await postgres.start()
    const isOpen = async () =>
      expect(await query(postgres, 'SELECT pg_is_in_recovery() AS busy')).toEqual([{ busy: false }])
    await vi.waitFor(isOpen, { timeout: 30_000, interval: 100 })

    const restored = createTestApi({ database: postgres.addresses })
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
