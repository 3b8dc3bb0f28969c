import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { readConfig } from '#api/config.ts'
import { sendMails } from '#api/modules/mail/mail.jobs.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { changesChannel } from '#api/platform/db/connections.ts'
import type { Mailer } from '#api/platform/mail/transport.ts'
import { jobTable, tablePermissions } from '#contract/admin/table-jobs.ts'
import { customerBase } from '#contract/http.ts'
import type { StaffRole } from '#contract/permissions.ts'
import { createAdmission } from '#server/admission.ts'
import { createRequestHandler } from '#server/handle-request.ts'
import { listen } from '#server/listen.ts'
import { eventually } from '#tests/support/eventually.ts'
import { queueGreetingOf } from '#tests/support/mails.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const lines: Record<string, unknown>[] = []
const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
// A test ends the connections that follow changes, so other test files use another database.
const database = await ownDatabase()
const api = createTestApi({ log, database })
/** A process whose connection for notifications is refused. */
const deaf = createTestApi({ database: { ...database, jobsUrl: 'postgres://nobody@127.0.0.1:9/none' } })
const question = { type: 'ETC', title: 'No sound', body: 'Lesson 2 plays without sound.' }

/** Follows the changes of a store. `heard` has what came so far: `ready`, `change home`. */
const follow = async (tenant: Tenant, token: string, { seconds = 60, begins = true, from = api } = {}) => {
  const url = `${api.origin}${customerBase(tenant.code)}/admin/changes?seconds=${seconds}`
  const response = await from.fetch(new Request(url, { headers: { authorization: `Bearer ${token}` } }))
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const heard: string[] = []
  const ended = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      for (const [, name, data] of part.value.matchAll(/event: (\w+)\ndata: ?(\w*)\n\n/g))
        heard.push(`${name} ${data}`.trim())
  })()
  const hears = (event: string) => eventually(() => expect(heard).toContain(event))
  if (response.ok && begins) await hears('ready')
  return { response, heard, hears, ended, leave: () => reader.cancel() }
}

const followAs = async (tenant: Tenant, role: StaffRole) => follow(tenant, (await tenant.createStaff(role)).token)

test('staff hear of what changes in their store, and of no other store', async () => {
  const [tenant, other] = await Promise.all([createTenant(api), createTenant(api)])
  const stream = await followAs(tenant, 'OWNER')
  const foreign = await followAs(other, 'OWNER')
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
  expect(stream.response.headers.get('cache-control')).toBe('no-store')
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no')

  const member = await tenant.createMember()
  await member.client.support.createInquiry(question)
  await stream.hears('change home')
  const { client } = await tenant.createStaff('OWNER')
  await client.admin.mails.sendTest({ email: 'someone@example.com' })
  await stream.hears('change mails')
  expect(foreign.heard).toEqual(['ready'])
  await Promise.all([stream.leave(), foreign.leave()])
})

test('a role hears of what it may read alone', async () => {
  const tenant = await createTenant(api)
  const stream = await followAs(tenant, 'CATALOG')
  const owner = await followAs(tenant, 'OWNER')
  const announce = (topic: string) =>
    api.deps.pool.query('SELECT pg_notify($1, $2)', [changesChannel, `${tenant.id} ${topic}`])
  for (const topic of ['home', 'mails', 'webhooks', 'nonsense', 'videos']) await announce(topic)
  await owner.hears('change webhooks')
  await stream.hears('change videos')
  expect(stream.heard).toEqual(['ready', 'change videos'])
  expect(owner.heard).not.toContain('change nonsense')
  await Promise.all([stream.leave(), owner.leave()])
})

test.each([...new Set(jobTable.options.map((table) => tablePermissions(table)[0]!))])(
  'whoever may see an import or export with %s alone hears of it',
  async (scope) => {
    const tenant = await createTenant(api)
    const { token } = await tenant.createOperator('exports', [scope])
    const stream = await follow(tenant, token)
    await api.deps.pool.query('SELECT pg_notify($1, $2)', [changesChannel, `${tenant.id} tables`])
    await stream.hears('change tables')
    await stream.leave()
  },
)

test('many changes at once are told once', async () => {
  const tenant = await createTenant(api)
  const stream = await followAs(tenant, 'OWNER')
  await Promise.all(
    Array.from({ length: 30 }, () =>
      api.deps.pool.query('SELECT pg_notify($1, $2)', [changesChannel, `${tenant.id} videos`]),
    ),
  )
  await stream.hears('change videos')
  expect(stream.heard.length).toBeLessThan(10)
  await stream.leave()
})

test('a lost connection to the database is opened again, and tells that changes may have been missed', async () => {
  const tenant = await createTenant(api)
  const stream = await followAs(tenant, 'OWNER')
  const lost = await api.owner.execute(
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'marquee-changes' AND datname = current_database()`,
  )
  expect(lost.rowCount).toBeGreaterThan(0)
  await eventually(() => expect(stream.heard).toEqual(['ready', 'lost', 'ready']))
  await tenant.createMember().then(({ client }) => client.support.createInquiry(question))
  await stream.hears('change home')
  await stream.leave()
})

test('a stream does not begin while the database cannot be listened to', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createStaff('OWNER')
  // The second one finds that the first attempt to connect has ended.
  for (let each = 0; each < 2; each++) {
    const stream = await follow(tenant, token, { seconds: 1, begins: false, from: deaf })
    await stream.ended
    expect(stream.heard).toEqual([])
  }
})

test('the eleventh stream of a person ends the oldest one', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createStaff('OWNER')
  const colleague = await followAs(tenant, 'OWNER')
  const streams: Awaited<ReturnType<typeof follow>>[] = []
  for (let each = 0; each < 12; each++) streams.push(await follow(tenant, token))
  await Promise.all([streams[0]?.ended, streams[1]?.ended])
  expect(streams.map(({ heard }) => heard.includes('lost'))).toEqual([true, true, ...Array(10).fill(false)])
  expect(colleague.heard).toEqual(['ready'])
  await Promise.all([colleague, ...streams.slice(2)].map((stream) => stream.leave()))
})

test('a store with too many streams is refused another one, and no other store is', async () => {
  const [tenant, other] = await Promise.all([createTenant(api), createTenant(api)])
  const streams: Awaited<ReturnType<typeof follow>>[] = []
  for (let person = 0; person < 20; person++) {
    const { token } = await tenant.createStaff('ANALYST')
    streams.push(...(await Promise.all(Array.from({ length: 10 }, () => follow(tenant, token)))))
  }
  const { token } = await tenant.createStaff('OWNER')
  const refused = await follow(tenant, token)
  expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '60'])
  const elsewhere = await followAs(other, 'OWNER')
  await streams.pop()?.leave()
  const accepted = await follow(tenant, token)
  expect(accepted.response.status).toBe(200)
  await Promise.all([...streams, elsewhere, accepted].map((stream) => stream.leave()))
})

test('a caller without a topic is refused', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createOperator('a program', ['settings:read'])
  expect((await follow(tenant, token)).response.status).toBe(403)
})

test('an email that could not be sent changes the first screen, and one that was sent does not', async () => {
  const tenant = await createTenant(api)
  const stream = await followAs(tenant, 'OWNER')
  const customer = await resolveCustomer(api.deps, tenant.code)
  const deliver = async (delivery: Awaited<ReturnType<Mailer['send']>>) => {
    await queueGreetingOf(api)(tenant, 'someone@example.com')
    const mailer = { send: () => Promise.resolve(delivery), check: () => Promise.resolve(null), close: () => undefined }
    await sendMails({ ...api.deps, mailer }, customer!)
  }
  await deliver({ code: 'SENT' })
  await stream.hears('change mails')
  expect(stream.heard).not.toContain('change home')
  await deliver({ code: 'REFUSED', reason: 'No such mailbox', isForAddress: true })
  await stream.hears('change home')
  await stream.leave()
})

test('nobody else hears anything', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const { token } = await tenant.createStaff('OWNER')
  const other = await createTenant(api)
  const statuses = [
    await follow(tenant, 'nonsense'),
    await follow(tenant, member.token),
    await follow(other, token),
    await follow(tenant, token, { seconds: 0 }),
    await follow(tenant, token, { seconds: 301 }),
  ].map(({ response }) => response.status)
  expect(statuses).toEqual([401, 403, 403, 422, 422])
})

test('a stream that its reader leaves is logged as an ordinary end', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createStaff('OWNER')
  const handler = createRequestHandler({
    deps: api.deps,
    api,
    admission: createAdmission({ eventLoopDelay: () => 0, waitingForDatabase: () => 0 }, readConfig({}).overload),
    media: async () => false,
    storefront: { files: async () => false, routeOf: () => undefined, sharedDocumentKey: () => undefined } as never,
  })
  await using server = await listen(handler, { host: '127.0.0.1', port: 0 })
  const left = new AbortController()
  const url = `http://127.0.0.1:${server.port}${customerBase(tenant.code)}/admin/changes`
  const headers = { authorization: `Bearer ${token}` }
  const { status, body } = await fetch(url, { headers, signal: left.signal })
  expect(status).toBe(200)
  await body!.getReader().read()
  left.abort()
  await eventually(() =>
    expect(lines.filter(({ route }) => String(route).endsWith('/admin/changes'))).toMatchObject([
      { status: 200, ms: expect.any(Number), customer: tenant.code },
    ]),
  )
})

test('a stream ends after its time, and when the process stops', async () => {
  const tenant = await createTenant(api)
  const { token } = await tenant.createStaff('OWNER')
  const short = await follow(tenant, token, { seconds: 1 })
  await short.ended
  const long = await follow(tenant, token)
  api.deps.liveChanges.end()
  await long.ended
  const late = await api.fetch(
    new Request(`${api.origin}${customerBase(tenant.code)}/admin/changes`, {
      headers: { authorization: `Bearer ${token}` },
    }),
  )
  expect(await late.text()).toBe(':\n\n')
})
