import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { healthFaults } from '#api/platform/telemetry/telemetry.ts'
import { buildWhatIsStale } from '#server/build.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { blockOf, readDocument } from '#tests/support/documents.ts'
import { freePort } from '#tests/support/free-port.ts'
import { createOpenCustomer } from '#tests/support/open-customer.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { sendTo } from '#tests/support/send-http.ts'
import { startService } from '#tests/support/service-process.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const guide = readDocument('guides/observe.md')
const host = 'films.example.com'

/** The cells of the table that has this heading. */
const tableOf = (heading: string) => {
  const [table = ''] = guide.slice(guide.indexOf(heading)).split('\n\n', 1)
  const rows = table.split('\n').slice(2)
  return rows.map((row) => row.split('|').slice(1, -1))
}
const namesIn = (text = '') => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name)

test('the faults of the guide are those of /readyz', () => {
  const faults = tableOf('| what fails | visitors |').flatMap(([, , cell]) => namesIn(cell))
  expect(faults.toSorted()).toEqual([...healthFaults].toSorted())
})

test('the lines of doctor in the guide are those that it writes', async () => {
  const database = await ownDatabase()
  const api = createTestApi({ database })
  await createOpenCustomer(api.owner, { code: 'aurora' as never, settings: plainSettings(), hosts: [host] })
  const labelsOf = (text: string) => new Set(Array.from(text.matchAll(/^[✓·✗] ([^:]+): /gm), ([, label = '']) => label))
  const { out } = await quickCommandOf(api, { database })(['doctor'])
  const written = labelsOf(out)
  expect(written.size).toBeGreaterThan(9)
  const documented = labelsOf(blockOf(guide, 'text', '✓ Database: PostgreSQL'))
  expect([...written].filter((label) => !documented.has(label))).toEqual([])
})

test('a service answers, logs and measures as the guide to observing says', async () => {
  await buildWhatIsStale()
  const database = await ownDatabase()
  const api = createTestApi({ database })
  await createOpenCustomer(api.owner, { code: 'aurora' as never, settings: plainSettings(), hosts: [host] })
  const [start = '', read = ''] = blockOf(guide, 'sh', 'METRICS_PORT').trim().split('\n')
  const documentedPort = /^METRICS_PORT=(\d+) npm start$/.exec(start)?.[1] ?? expect.fail(start)
  const metricsPort = String(await freePort())
  await using service = await startService({
    MARQUEE_DATA: api.deps.dataFolder,
    DATABASE_OWNER_URL: database.ownerUrl,
    MARQUEE_SECRET: 'a-secret-for-tests-that-is-long-enough',
    METRICS_PORT: metricsPort,
  })
  const send = sendTo({ port: service.port, host })
  const ask = (path: string) =>
    send(new Request(new URL(path, api.origin), { headers: { accept: 'text/html', authorization: 'Bearer none' } }))
  expect((await ask('/healthz')).status).toBe(200)
  const ready = await ask('/readyz')
  expect([ready.status, Object.keys(await ready.json())]).toEqual([200, ['status', 'faults']])
  // Its own port has the metrics, the store's port none.
  expect((await ask('/metrics')).status).toBe(404)

  const page = await ask('/products/no-such-film')
  const requestId = page.headers.get('x-request-id') ?? ''
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  const lines = await expect
    .poll(() =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes(requestId)),
    )
    .not.toEqual([])
    .then(() =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes(requestId)),
    )
  const keysOf = (json: string) => Object.keys(JSON.parse(json)).toSorted()
  expect(keysOf(lines[0] ?? '')).toEqual(keysOf(blockOf(guide, 'json', '"requestId"')))
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 30,
    route: '/products/{code}',
    customer: 'aurora',
    msg: 'Request',
  })

  const text = execFileSync('sh', ['-ec', read.replace(documentedPort, metricsPort)], { encoding: 'utf8' })
  const documented = tableOf('| metric | labels |').flatMap(([cell]) => namesIn(cell))
  const existing = Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name = '']) => name)
  expect(existing.length).toBeGreaterThan(10)
  expect(existing.filter((name) => name !== 'target_info' && !documented.includes(name))).toEqual([])
}, 240_000)
