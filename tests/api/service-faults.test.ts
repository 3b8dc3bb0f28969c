import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendMails } from '#api/modules/mail/mail.jobs.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import { createHealth, watchHealth } from '#api/platform/telemetry/telemetry.ts'
import { examineDatabaseDisk } from '#server/doctor/database.ts'
import { startBadStorage } from '#tests/support/bad-storage.ts'
import { freePort } from '#tests/support/free-port.ts'
import { mailTo, queueGreetingOf } from '#tests/support/mails.ts'
import { startOwnPostgres } from '#tests/support/own-postgres.ts'
import { onlyRootMounts, smallDisk } from '#tests/support/small-disk.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, type TestApi } from '#tests/support/test-api.ts'

const lines: { level: number; msg: string; reason?: string; seconds?: number }[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
beforeEach(() => void lines.splice(0))
afterEach(() => void vi.restoreAllMocks())
const linesWith = (text: string) => lines.filter(({ msg }) => msg === text)

const readiness = async (api: TestApi) => {
  const response = await api.fetch(new Request(`${api.origin}/readyz`))
  return { status: response.status, ...(await response.json()) }
}
const expectFaults = (api: TestApi, faults: string[]) =>
  vi.waitFor(async () => expect(await readiness(api)).toEqual({ status: 'ready', faults }), {
    timeout: 15_000,
    interval: 50,
  })

test('a mail server that is away is tried once for all stores, is a fault of a ready process, and comes back', async () => {
  const port = await freePort()
  let connections = 0
  const dead = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((ready) => dead.listen(port, '127.0.0.1', ready))
  const api = createTestApi({ log, mail: { url: `smtp://127.0.0.1:${port}`, from: 'post@marquee.example' } })
  const queue = queueGreetingOf(api)
  const tenants = await Promise.all(Array.from({ length: 3 }, () => createTenant(api)))
  await expectFaults(api, [])
  for (const tenant of tenants) {
    for (const to of ['a@example.com', 'b@example.com']) await queue(tenant, to)
    const customer = await resolveCustomer(api.deps, tenant.code)
    await sendMails(api.deps, customer!)
  }
  // The mailer connects again five times within one attempt. The first check has one, too.
  expect(connections).toBeLessThanOrEqual(7)
  expect(linesWith('The mail server does not answer')).toMatchObject([{ level: 50, reason: expect.any(String) }])
  expect(linesWith('An email could not be sent')).toEqual([])
  for (const tenant of tenants) expect((await mailTo(tenant, 'a@example.com')).status).toBe('QUEUED')
  expect(await readiness(api)).toEqual({ status: 'ready', faults: ['mail'] })

  await new Promise((closed) => dead.close(closed))
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({ disabledCommands: ['STARTTLS', 'AUTH'] })
  await new Promise<void>((ready) => void server.listen(port, '127.0.0.1', ready))
  await expectFaults(api, [])
  expect(linesWith('The mail server answers again')).toHaveLength(1)
  await new Promise<void>((closed) => server.close(() => closed()))
}, 60_000)

test('a mail server that goes away is found before an email is sent, and so is its return', async () => {
  const { SMTPServer } = await import('smtp-server')
  const port = await freePort()
  let connections = 0
  let sent = 0
  const start = async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onConnect: (_, done) => {
        connections++
        done()
      },
      onMailFrom: (_, __, done) => {
        sent++
        done()
      },
    })
    server.on('error', () => {})
    await new Promise<void>((ready) => void server.listen(port, '127.0.0.1', ready))
    return () => new Promise<void>((closed) => server.close(() => closed()))
  }
  const stop = await start()
  const api = createTestApi({ log, mail: { url: `smtp://127.0.0.1:${port}`, from: 'post@marquee.example' } })
  await readiness(api)
  await vi.waitFor(() => expect(connections).toBe(1), { timeout: 5_000, interval: 20 })
  // A check that follows another one soon makes no connection.
  for (let times = 0; times < 5; times++) await expectFaults(api, [])
  expect(connections).toBe(1)
  await stop()

  // A minute later.
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000)
  await expectFaults(api, ['mail'])
  expect(linesWith('The mail server does not answer')).toHaveLength(1)
  const stopAgain = await start()
  await expectFaults(api, [])
  expect(linesWith('The mail server answers again')).toMatchObject([{ seconds: expect.any(Number) }])
  expect(sent).toBe(0)
  await stopAgain()
}, 60_000)

test('the log has one line of the beginning of an outage of the database and one of its end, as /readyz shows it', async () => {
  await using postgres = await startOwnPostgres()
  const api = createTestApi({ log, database: postgres.addresses })
  using _watch = watchHealth(api.deps.health)
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const ask = async () =>
    (
      await api.fetch(
        new Request(`${api.origin}/api/v1/customers/${tenant.code}/me`, {
          headers: { authorization: `Bearer ${member.token}` },
        }),
      )
    ).status
  expect([await ask(), (await readiness(api)).status]).toEqual([200, 'ready'])
  await postgres.stop('immediate')
  const stoppedAt = performance.now()
  await vi.waitFor(async () => expect(await ask()).toBe(503), { timeout: 5_000, interval: 50 })
  expect((await readiness(api)).status).toBe(503)
  expect(linesWith('The database cannot be reached')).toMatchObject([
    { level: 50, reason: expect.stringContaining('ECONN') },
  ])
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  await postgres.start()
  // Nobody asks: the process looks by itself.
  const ended = () => linesWith('The database can be reached again')
  await vi.waitFor(() => expect(ended()).toHaveLength(1), { timeout: 10_000, interval: 50 })
  expect(ended()[0]?.seconds).toBeGreaterThanOrEqual(2)
  expect(ended()[0]?.seconds).toBeLessThanOrEqual(Math.ceil((performance.now() - stoppedAt) / 1000))
  expect(await readiness(api)).toEqual({ status: 'ready', faults: [] })
  expect(linesWith('The database cannot be reached')).toHaveLength(1)
}, 60_000)

test('a media storage that is away is a fault of a ready process, and comes back although the clock was set back', async () => {
  await using bad = await startBadStorage()
  const api = createTestApi({ log, mediaStorage: bad.place })
  const key = 'public/files/first' as MediaKey
  await api.deps.storage.put(key, Buffer.from('first'))
  await expectFaults(api, [])
  bad.behave('overloaded')
  await expect(api.deps.storage.open('public/files/second' as MediaKey)).rejects.toThrow()
  expect(await readiness(api)).toEqual({ status: 'ready', faults: ['media'] })
  expect(linesWith('The media storage does not answer')).toHaveLength(1)

  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000)
  bad.behave('well')
  await vi.waitFor(() => api.deps.storage.open('public/files/third' as MediaKey), { timeout: 10_000, interval: 50 })
  vi.restoreAllMocks()
  await expectFaults(api, [])
  expect(linesWith('The media storage answers again')).toHaveLength(1)
}, 60_000)

test('a clock that jumps is a fault with a line that says by how much, until it is right again', async () => {
  const api = createTestApi({ log })
  await expectFaults(api, [])
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 61_000)
  expect(await readiness(api)).toEqual({ status: 'ready', faults: ['clock'] })
  expect(linesWith('The clock of this machine differs from that of the database')).toMatchObject([
    { reason: '61 seconds ahead' },
  ])
  vi.restoreAllMocks()
  expect(await readiness(api)).toEqual({ status: 'ready', faults: [] })
  expect(linesWith('The clock of this machine is that of the database again')).toHaveLength(1)
})

test('a clock that is set back does not extend limits of requests', () => {
  const api = createTestApi()
  const limit = api.deps.limits.comments
  for (let attempt = 0; attempt < 30; attempt++) limit.consume('member')
  expect(limit.consume('member').code).toBe('EXHAUSTED')
  api.clock.advance(-3_600_000)
  expect(limit.consume('member').code).toBe('ALLOWED')
})

test('a disk with little space left is a fault', async ({ skip }) => {
  using disk = smallDisk(8)
  if (!disk) return skip(onlyRootMounts)
  const health = createHealth({
    readClockSkew: async () => 0,
    probeDatabaseDisk: async () => {},
    log,
    dataFolder: disk.folder,
    services: {},
  })
  expect(await health.check()).toEqual({ isDatabaseReachable: true, faults: ['disk'] })
  expect(linesWith('The disk of the data folder is almost full')).toMatchObject([
    { reason: expect.stringMatching(/^8 MB left at /) },
  ])
})

test('a database whose disk is full refuses writes with 503, keeps what it has, and needs no restart', async ({
  skip,
}) => {
  using disk = smallDisk(260)
  if (!disk) return skip(onlyRootMounts)
  await using postgres = await startOwnPostgres(disk.folder)
  const api = createTestApi({ log, database: postgres.addresses })
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const filler = join(disk.folder, 'filler')
  const fill = () => {
    try {
      writeFileSync(filler, Buffer.alloc(300e6))
    } catch {
      // The disk is full.
    }
    chmodSync(filler, 0o644)
  }
  const send = async (method: string, path: string, json?: unknown) => {
    const headers = { authorization: `Bearer ${member.token}`, 'content-type': 'application/json' }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    return api.fetch(new Request(`${api.origin}/api/v1/customers/${tenant.code}${path}`, { method, headers, ...body }))
  }
  fill()
  let refused: Response | undefined
  // Pages that are allocated already take some more rows.
  for (let at = 0; at < 5_000 && !refused; at++) {
    const answer = await tenant
      .createProducts(
        Array.from({ length: 50 }, (_, n) => ({ title: `Film ${at} ${n}`, description: 'x'.repeat(2_000) })),
      )
      .then(() => send('POST', `/products/${product.id}/like`, { liked: at % 2 === 0 }))
      .catch(() => send('POST', `/products/${product.id}/comments`, { body: 'word '.repeat(150) }))
    if (answer.status !== 200 && answer.status !== 201) refused = answer
  }
  expect(refused?.status).toBe(503)
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await send('GET', '/me')).status).toBe(200)
  expect(await readiness(api)).toEqual({ status: 'ready', faults: ['databaseDisk'] })
  expect(linesWith('The disk of the database is full')).toHaveLength(1)
  expect(JSON.stringify(linesWith('A procedure failed'))).toContain('No space left on device')
  expect(await examineDatabaseDisk(postgres.addresses)).toMatchObject([{ state: 'WRONG' }])
  rmSync(filler)
  // It recovers without a request that writes.
  await expectFaults(api, [])
  expect(await examineDatabaseDisk(postgres.addresses)).toMatchObject([{ state: 'OK' }])
  expect(linesWith('The disk of the database has free space again')).toHaveLength(1)
  await vi.waitFor(
    async () => expect((await send('POST', `/products/${product.id}/like`, { liked: true })).status).toBe(200),
    {
      timeout: 20_000,
      interval: 100,
    },
  )
}, 90_000)
