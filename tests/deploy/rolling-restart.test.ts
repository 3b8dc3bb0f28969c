import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildWhatIsStale } from '#server/build.ts'
import { freePort } from '#tests/support/free-port.ts'
import { memoryFolder } from '#tests/support/memory-folder.ts'
import { writeNewerBuild } from '#tests/support/newer-build.ts'
import { installNginx, startDeployedNginx } from '#tests/support/nginx.ts'
import { createOpenCustomer } from '#tests/support/open-customer.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { payAt } from '#tests/support/payment-account.ts'
import { sendTo } from '#tests/support/send-http.ts'
import { runProgram, startService } from '#tests/support/service-process.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { type Tenant, tenantOf } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'
import { createFilms, underVisitors } from '#tests/support/visitor-load.ts'
import { writeStandalone } from '../../scripts/standalone.ts'

const host = 'films.example.com'
const missing = await installNginx()
const hasNginx = missing === null
if (!hasNginx) console.log(`A restart behind nginx is not tried: ${missing}`)

const database = await ownDatabase()
const api = createTestApi({ database })
let tenant: Tenant
let films: Awaited<ReturnType<typeof createFilms>>
const createMembers = () => Promise.all(Array.from({ length: 2 }, () => tenant.createMember()))

beforeAll(async () => {
  await buildWhatIsStale()
  const settings = plainSettings()
  const id = await createOpenCustomer(api.owner, { code: 'acme' as never, settings, hosts: [host] })
  tenant = tenantOf(api, { id, code: 'acme', settings })
  await payAt(api, tenant, 'sandbox')
  films = await createFilms(api, tenant, 40)
}, 150_000)

const env = {
  MARQUEE_DATA: api.deps.dataFolder,
  DATABASE_OWNER_URL: database.ownerUrl,
  MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
  WORKER_MODE: 'external',
}

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/deploy.md'), 'utf8')

test.runIf(hasNginx)(
  'two processes behind nginx are restarted in turn: no request fails, and nothing acknowledged is lost',
  async () => {
    const behindProxy = { ...env, TRUSTED_PROXIES: '127.0.0.1', KEEP_ALIVE_TIMEOUT: '75' }
    await using first = await startService(behindProxy)
    await using second = await startService(behindProxy)
    await using proxy = await startDeployedNginx(first.port, second.port)
    const send = sendTo({ port: proxy.tlsPort, host, ca: proxy.ca })
    const { failures, lost, orders } = await underVisitors(
      { api, tenant, members: await createMembers(), films, send },
      async (answered) => {
        for (const process of [first, second]) {
          await process.restart()
          await answered(40)
        }
      },
    )
    expect(failures).toEqual([])
    expect(lost).toEqual([])
    expect(orders).toBeGreaterThan(4)
  },
  300_000,
)

test.runIf(process.platform === 'linux')(
  'a newer build replaces the former under load: no request fails, and pages of the former go on',
  async () => {
    const place = mkdtempSync(join(memoryFolder(), 'marquee-upgrade-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    const present = join(place, 'marquee')
    const output = join(place, '.output')
    writeStandalone(present, readdirSync(join(import.meta.dirname, '../../dist/node')))
    writeNewerBuild(present, join(output, 'node'), 'newer')
    const port = await freePort()
    // A compressed copy is sent under the name of its file.
    const assetsOf = (folder: string) =>
      readdirSync(join(folder, 'dist/client/assets')).filter((name) => !name.endsWith('.br'))
    const [former, newer] = [assetsOf(present), assetsOf(join(output, 'node'))]
    expect(former.filter((name) => newer.includes(name))).toEqual([])
    await using supervisor = await runProgram(
      { ...env, PORT: String(port), WEB_CONCURRENCY: '2' },
      // As the unit of systemd does.
      { args: ['server.mjs'], cwd: present, ready: 'All processes are ready' },
    )
    const send = sendTo({ port, host })
    const statusOf = async (path: string) =>
      (await send(new Request(new URL(path, api.origin), { headers: { accept: 'text/html' } }))).status
    const statusesOf = async (names: readonly string[]) =>
      new Set(await Promise.all(names.map((name) => statusOf(`/assets/${name}`))))
    const { failures, lost } = await underVisitors(
      { api, tenant, members: await createMembers(), films, send },
      async (answered) => {
        // The commands of the guide, with the folders of this test.
        const commands = /^# systemd: [^`]*/m.exec(guide)?.[0] ?? expect.fail('The guide has no upgrade')
        const script = commands.replaceAll('/opt/marquee', present)
        execFileSync('sh', ['-ec', script], { cwd: place, stdio: 'pipe' })
        // Nobody has asked for this page, so its code is loaded now.
        expect(await statusOf('/faq')).toBe(200)
        // A process of the newer build may have sent the page that asks a former one.
        expect(await statusesOf(newer)).toEqual(new Set([200]))
        await answered(20)
        await supervisor.signal('SIGHUP', 'All processes were replaced')
        await answered(40)
      },
    )
    expect(failures).toEqual([])
    expect(lost).toEqual([])
    const latest = await send(new Request(new URL('/builds/latest.json', api.origin)))
    expect(await latest.json()).toEqual({ id: 'newer' })
    // Pages of the former build go on until their next navigation.
    expect(await statusesOf(former)).toEqual(new Set([200]))
    expect(await statusesOf(newer)).toEqual(new Set([200]))
  },
  300_000,
)
