import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { prepareDatabase } from '#api/platform/db/migrate.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { buildWhatIsStale } from '#server/build.ts'
import { joinEmbeddedPostgres } from '#server/embedded-postgres.ts'
import { buy } from '#tests/support/buying.ts'
import { freePort } from '#tests/support/free-port.ts'
import { askAt, asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { sendTo } from '#tests/support/send-http.ts'
import { startService } from '#tests/support/service-process.ts'
import { createTenant, password } from '#tests/support/tenant.ts'
import { createTestApi, type TestApi } from '#tests/support/test-api.ts'

const place = mkdtempSync(join(memoryFolder(), 'marquee-copies-'))
chmodSync(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))

const readDocument = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')
const guide = readDocument('guides/back-up.md')

/** The block of the guide that has this line. */
const blockOf = (text: string, language: string, line: string) => {
  const blocks = Array.from(text.matchAll(/```(\w+)\n([^`]*)```/g), ([, name, block = '']) => ({ name, block }))
  const found = blocks.find(({ name, block }) => name === language && block.includes(line))
  return found?.block ?? expect.fail(`The guide has no ${line}`)
}

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

    const copy = join(place, 'copy')
    const script = blockOf(guide, 'sh', 'cp -a /var/lib/marquee /backup/marquee')
    execFileSync('sh', ['-ec', script.replace('/var/lib/marquee', data).replace('/backup/marquee', copy)])
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

const debianPostgres = '/usr/lib/postgresql'
/** Debian's newest PostgreSQL, which has pg_dump, unlike the embedded one; undefined without it. */
const version = existsSync(debianPostgres)
  ? readdirSync(debianPostgres)
      .filter((name) => existsSync(join(debianPostgres, name, 'bin/initdb')))
      .toSorted((a, b) => Number(a) - Number(b))
      .at(-1)
  : undefined
const isTried = version !== undefined && process.getuid?.() === 0
if (!isTried) console.log('A dump is not tried: this needs the PostgreSQL of Debian, and root to run it as its user.')

/** PostgreSQL refuses to run as root. */
const runAs = 'runuser'

/** Starts an empty PostgreSQL of Debian. `run` runs a script as its superuser. */
const startDebianPostgres = async (name: string) => {
  const bin = join(debianPostgres, version ?? '', 'bin')
  const folder = join(place, name)
  const port = await freePort()
  const asPostgres = (...command: string[]) =>
    execFileSync(runAs, ['-u', 'postgres', '--', ...command], { cwd: place, stdio: 'ignore' })
  mkdirSync(folder)
  execFileSync('chown', ['postgres', folder])
  const cluster = join(folder, 'cluster')
  asPostgres(join(bin, 'initdb'), '-D', cluster, '-A', 'trust', '-U', 'postgres', '--locale=C.UTF-8', '-E', 'UTF8')
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  asPostgres(join(bin, 'pg_ctl'), '-D', cluster, '-l', join(folder, 'log'), '-o', settings, '-w', 'start')
  onTestFinished(() => void asPostgres(join(bin, 'pg_ctl'), '-D', cluster, '-m', 'immediate', '-w', 'stop'))
  const urlOf = (role: string) => `postgres://${role}:secret@127.0.0.1:${port}/marquee`
  return {
    database: { ownerUrl: urlOf('marquee_owner'), url: urlOf('marquee_web') },
    run: (script: string) =>
      execFileSync('sh', ['-ec', script], {
        cwd: place,
        stdio: 'pipe',
        env: {
          PATH: `${bin}:${process.env.PATH}`,
          PGHOST: '127.0.0.1',
          PGPORT: String(port),
          PGUSER: 'postgres',
          PGDATABASE: 'postgres',
        },
      }),
  }
}

test.runIf(isTried)(
  'a dump and the media are restored on an empty server with a serving role of its own, and films play',
  async () => {
    const former = await startDebianPostgres('former')
    former.run(`psql <<'END'\n${blockOf(readDocument('operations.md'), 'sql', 'CREATE ROLE marquee_web')}END\n`)
    await prepareDatabase(former.database)
    const api = createTestApi({ database: former.database })
    const { tenant, member, film, order, stream } = await createStoreWithFilm(api)
    await api.deps.storage.put(stream, Buffer.from('#EXTM3U'))
    former.run(blockOf(guide, 'sh', 'pg_dump -U'))
    const copy = join(place, 'media')
    const script = blockOf(guide, 'sh', '/backup/media')
    former.run(script.replace('/var/lib/marquee', api.deps.dataFolder).replace('/backup/media', copy))

    const empty = await startDebianPostgres('empty')
    empty.run(blockOf(guide, 'sh', 'pg_restore'))
    expect(await prepareDatabase(empty.database)).toBe(empty.database.url)
    const restored = createTestApi({ database: empty.database })
    cpSync(copy, join(restored.deps.dataFolder, 'media'), { recursive: true })
    const { token } = await restored.client(tenant.code).identity.login({ email: member.email, password })
    const client = restored.client(tenant.code, { token })
    expect((await client.orders.orders({})).items.map(({ code }) => code)).toEqual([order])
    const { manifestUrl } = await client.playback.startPlayback({ id: film.id })
    const { get } = await openMedia(restored)
    expect((await get(manifestUrl, asMember(token))).text).toBe('#EXTM3U')
  },
  120_000,
)
