import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { buildWhatIsStale } from '#server/build.ts'
import { joinEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { buy } from '#tests/support/buying.ts'
import { findDebianPostgres, startDebianPostgres } from '#tests/support/debian-postgres.ts'
import { blockOf, readDocument } from '#tests/support/documents.ts'
import { askAt, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { sendTo } from '#tests/support/send-http.ts'
import { startService } from '#tests/support/service-process.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi, type TestApi } from '#tests/support/test-api.ts'

const place = mkdtempSync(join(memoryFolder(), 'marquee-copies-'))
chmodSync(place, 0o755)
mkdirSync(join(place, 'backup'))
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

const guide = readDocument('guides/back-up.md')

/** A block of the guide as it is run on a day, in the folder of this test. */
const onDay = (day: string, text: string) =>
  `date() { echo ${day}-0300; }\n${blockOf(guide, 'sh', text).replaceAll('/backup/', `${place}/backup/`)}`

/** A store with a film, a member who bought it, and the stream of the film. */
const createStoreWithFilm = async (api: TestApi) => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const film = await createFilm(tenant)
  const { code } = await buy(api, tenant, member, film)
  return { tenant, member, film, order: code, stream: `${film.video.asset}/master.m3u8` as MediaKey }
}

test.runIf(process.platform === 'linux')(
  'a copy of the data folder is a complete installation, whose films play',
  async () => {
    await buildWhatIsStale()
    const data = join(place, 'data')
    await using service = await startService({ MARQUEE_DATA: data })
    const embedded = await joinEmbeddedPostgres(join(data, 'postgres'))
    const ownerUrl = embedded?.ownerUrl ?? expect.fail('The service has no database')
    const api = createTestApi({ database: { ownerUrl, url: await prepareDatabase({ ownerUrl }) } })
    const { tenant, member, film, order, stream } = await createStoreWithFilm(api)
    await api.deps.storage.put(stream, Buffer.from('#EXTM3U'))
    cpSync(join(api.deps.dataFolder, 'media'), join(data, 'media'), { recursive: true })
    await service.stop()

    for (const day of ['2026-11-21', '2026-11-22'])
      execFileSync('sh', ['-ec', onDay(day, 'cp -a /var/lib/marquee "').replace('/var/lib/marquee', data)])
    const copies = readdirSync(join(place, 'backup'))
    expect(copies).toEqual(['marquee-2026-11-21-0300', 'marquee-2026-11-22-0300'])
    const copy = join(place, 'backup', copies[1] ?? '')
    // Nothing of the original is left.
    await rename(data, join(place, 'lost'))

    await using restored = await startService({ MARQUEE_DATA: copy })
    const fetch = sendTo({ port: restored.port, host: 'store.test' })
    const { token } = await api.client(tenant.code, { fetch }).identity.login({ email: member.email, password })
    const client = api.client(tenant.code, { token, fetch })
    expect((await client.orders.orders({})).items.map(({ code }) => code)).toEqual([order])
    const { manifestUrl } = await client.playback.startPlayback({ id: film.id })
    expect((await askAt(restored.port)(manifestUrl, asMember(token))).text).toBe('#EXTM3U')
  },
  180_000,
)

const postgres = await findDebianPostgres()

test.runIf(postgres)(
  'a dump and the media are restored on an empty server with a serving role of its own, and films play',
  async () => {
    const start = (name: string) => startDebianPostgres(postgres ?? '', join(place, name))
    const former = await start('former')
    former.run(`psql <<'END'\n${blockOf(readDocument('operations.md'), 'sql', 'CREATE ROLE marquee_web')}END\n`)
    await prepareDatabase(former.database)
    const api = createTestApi({ database: former.database })
    const { tenant, member, film, order, stream } = await createStoreWithFilm(api)
    await api.deps.storage.put(stream, Buffer.from('#EXTM3U'))
    former.run(blockOf(guide, 'sh', 'CREATE ROLE marquee_backup'))
    for (const day of ['2026-11-21', '2026-11-22']) {
      former.run(onDay(day, 'pg_dump -U'), place)
      former.run(onDay(day, '/backup/media').replace('/var/lib/marquee', api.deps.dataFolder), place)
    }
    const media = join(place, 'backup/media')
    expect(readdirSync(media).toSorted()).toEqual(readdirSync(join(api.deps.dataFolder, 'media')).toSorted())

    const empty = await start('empty')
    empty.run(blockOf(guide, 'sh', 'pg_restore'), place)
    expect(await prepareDatabase(empty.database)).toBe(empty.database.url)
    const restored = createTestApi({ database: empty.database })
    cpSync(media, join(restored.deps.dataFolder, 'media'), { recursive: true })
    const { token } = await restored.client(tenant.code).identity.login({ email: member.email, password })
    const client = restored.client(tenant.code, { token })
    expect((await client.orders.orders({})).items.map(({ code }) => code)).toEqual([order])
    const { manifestUrl } = await client.playback.startPlayback({ id: film.id })
    const { get } = await openMedia(restored)
    expect((await get(manifestUrl, asMember(token))).text).toBe('#EXTM3U')
  },
  120_000,
)
