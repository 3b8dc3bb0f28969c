import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sendMails, startFreshMails, sweepMails } from '#api/modules/mail/mail.jobs.ts'
import { mailServers } from '#api/modules/mail/mail.schema.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { createSmtpMailer } from '#api/platform/mail/transport.ts'
import type { MailServerChange } from '#contract/admin/mail-servers.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { mailTo, queueGreetingOf } from '#tests/support/mails.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf, type TestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const minute = 60_000
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close()
})

const account = { username: 'films', password: 'geheim-7Q' }
let tenant: Tenant
let owner: TestStaff
beforeEach(async () => {
  tenant = await createTenant(api)
  owner = await tenant.createStaff('OWNER')
})

const serverFor = async (...args: Parameters<typeof startMailServer>) => {
  const server = await startMailServer(...args)
  cleanups.push(server.close)
  return server
}

/** The settings of a server on this machine. */
const at = (port: number, more: Partial<MailServerChange> = {}): MailServerChange => ({
  host: '127.0.0.1',
  port,
  security: 'NONE',
  username: '',
  senderName: '',
  senderAddress: 'post@store.example',
  ...more,
})

const save = async (change: MailServerChange, person: TestStaff = owner) => {
  const { version } = await person.client.admin.mailServer.read()
  return person.withVersion(version).admin.mailServer.save(change)
}

const installationServer = async () => {
  const server = await serverFor()
  const mailer = createSmtpMailer({ url: server.url, from: 'installation@marquee.example' })
  cleanups.push(mailer.close)
  return { ...server, mailer }
}

const customerOf = async (from: TestApi, { code }: Tenant) => (await resolveCustomer(from.deps, code))!
const send = async (mailer: Parameters<typeof sendMails>[0]['mailer'] = null) =>
  sendMails({ ...api.deps, mailer }, await customerOf(api, tenant))
const queue = queueGreetingOf(api)

test('a server is saved without showing its password, and recorded with what changed', async () => {
  const server = await serverFor([], { account })
  const before = await owner.client.admin.mailServer.read()
  expect((await owner.client.staff.me()).sendsMail).toBe(false)
  expect(before).toMatchObject({ server: null, outage: null, installationSender: null, allowsPlain: true })

  const saved = await save(at(server.port, account))
  expect(saved.server).toEqual({
    host: '127.0.0.1',
    port: server.port,
    security: 'NONE',
    username: 'films',
    hasPassword: true,
    senderName: null,
    senderAddress: 'post@store.example',
  })
  expect((await owner.client.staff.me()).sendsMail).toBe(true)
  const old = owner.withVersion(before.version).admin.mailServer
  expect((await failureOf(old.save(at(server.port, account)))).code).toBe('VERSION_CONFLICT')
  expect((await failureOf(owner.client.admin.mailServer.save(at(server.port, account)))).code).toBe('VERSION_MISSING')

  // What is left out stays.
  const named = await save(at(server.port, { username: 'films', senderName: 'Aurora Films' }))
  expect(named.server).toMatchObject({ hasPassword: true, senderName: 'Aurora Films' })
  expect(named.history).toMatchObject([
    { action: 'mail-server.set', changes: { senderName: { from: null, to: 'Aurora Films' } }, detail: {} },
    {
      actor: `staff:${owner.email}`,
      changes: { host: { from: null, to: '127.0.0.1' }, username: { from: null, to: 'films' } },
      detail: { changedSecrets: ['password'] },
    },
  ])
  const rows = await tenant.within((db) => db.select().from(mailServers))
  expect(JSON.stringify([named, rows])).not.toContain(account.password)
})

test('a stored password goes to no other server and no other account', async () => {
  const [server, other] = [await serverFor([], { account }), await serverFor([], { account })]
  await save(at(server.port, account))
  for (const change of [at(other.port, { host: 'localhost', username: 'films' }), at(server.port, { username: 'x' })]) {
    const { problem } = await failureOf(save(change))
    expect(Object.keys(problem.errors ?? {})).toEqual(['password'])
  }
  expect(other.connections()).toBe(0)
})

describe('a server that cannot be used is refused with the field to change', () => {
  const refusal = async (change: MailServerChange) => {
    const { code, problem } = await failureOf(save(change))
    expect(code).toBe('VALIDATION_FAILED')
    return Object.entries(problem.errors ?? {}).map(([field, [text]]) => `${field}: ${text}`)
  }

  test.each(['10.0.0.5', '169.254.169.254', '192.168.1.20', '::ffff:10.0.0.1', 'fd00::1'])('%s', async (host) => {
    const secure = { host, security: 'STARTTLS' } as const
    expect(await refusal(at(587, secure))).toEqual(['host: Enter the address of a server on the public internet.'])
  })

  test('a name of a private address, and this machine in production', async () => {
    const server = await serverFor()
    const before = { ...api.deps.publicRequests }
    const production = { allowsLoopback: false, resolveHost: async () => ['203.0.113.9', '10.1.2.3'] }
    cleanups.push(() => Object.assign(api.deps.publicRequests, before))
    Object.assign(api.deps.publicRequests, production)
    const isPrivate = 'host: Enter the address of a server on the public internet.'
    expect(await refusal(at(server.port, { host: 'mail.example.com', security: 'TLS' }))).toEqual([isPrivate])
    expect(await refusal(at(server.port, { security: 'TLS' }))).toEqual([isPrivate])
    expect(await refusal(at(server.port))).toEqual([
      'security: Choose TLS or STARTTLS, so that emails are encrypted on their way.',
    ])
    expect(server.connections()).toBe(0)
  })

  test('an unknown name, a closed port, a wrong password, an unknown certificate and no encryption', async () => {
    const before = api.deps.publicRequests.resolveHost
    cleanups.push(() => Object.assign(api.deps.publicRequests, { resolveHost: before }))
    const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    Object.assign(api.deps.publicRequests, { resolveHost: () => Promise.reject(missing) })
    expect(await refusal(at(25, { host: 'mail.example.com' }))).toEqual([
      'host: There is no server with this name. Check its spelling.',
    ])
    const closed = await startMailServer()
    await closed.close()
    const [refused] = await refusal(at(closed.port))
    expect(refused).toMatch(/^host: The server does not answer at this port: .*ECONNREFUSED/)
    const signIn = await serverFor([], { account })
    expect(await refusal(at(signIn.port, { ...account, password: 'wrong' }))).toEqual([
      'password: The server refuses the user name or the password: Invalid login: 535 5.7.8 Wrong user name or password',
    ])
    const encrypted = await serverFor([], { hasTls: true })
    expect((await refusal(at(encrypted.port, { security: 'TLS' })))[0]).toMatch(
      /^security: The encrypted connection failed: .*certificate/,
    )
    const plain = await serverFor()
    expect((await refusal(at(plain.port, { security: 'STARTTLS' })))[0]).toMatch(
      /^security: The encrypted connection failed: .*STARTTLS/,
    )
    expect((await refusal(at(plain.port, { security: 'TLS' })))[0]).toMatch(/^security: The encrypted connection/)
    expect((await owner.client.admin.mailServer.read()).server).toBeNull()
  })

  test('text that is no address of a server', async () => {
    for (const host of ['smtp://mail.example.com', 'mail.example.com:587', 'a b', ''])
      expect(Object.keys((await failureOf(save(at(587, { host })))).problem.errors ?? {})).toEqual(['host'])
  })
})

test('only staff with settings and a confirmed session set it, and a support role does not see it', async () => {
  const server = await serverFor()
  const manager = await tenant.createStaff('MANAGER')
  expect((await save(at(server.port), manager)).server).toMatchObject({ port: server.port })
  const support = await tenant.createStaff('SUPPORT')
  expect((await failureOf(support.client.admin.mailServer.read())).code).toBe('FORBIDDEN')
  const unconfirmed = await tenant.createStaff('OWNER', { isConfirmed: false })
  const { version } = await unconfirmed.client.admin.mailServer.read()
  const { mailServer } = unconfirmed.withVersion(version).admin
  const calls = [() => mailServer.save(at(server.port)), () => mailServer.remove(), () => mailServer.sendTest()]
  for (const call of calls) expect((await failureOf(call())).code).toBe('SECOND_FACTOR_REQUIRED')
})

describe('the mails of a store with a server of its own', () => {
  test('go through it with its sender, those about staff accounts through the installation', async () => {
    const [own, installation] = [await serverFor([], { account }), await installationServer()]
    await save(at(own.port, { ...account, senderName: 'Aurora Films' }))
    const other = await createTenant(api)
    await queue(tenant, 'one@example.com')
    await queue(other, 'two@example.com')
    await tenant.guest.staff.requestReset({ email: owner.email })
    await send(installation.mailer)
    await sendMails({ ...api.deps, mailer: installation.mailer }, await customerOf(api, other))
    expect(own.received.map(({ to, from, headers }) => [to[0], from, headers.from])).toEqual([
      ['one@example.com', 'post@store.example', 'Aurora Films <post@store.example>'],
    ])
    expect(installation.received.map(({ to }) => to[0])).toEqual([owner.email, 'two@example.com'])
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'SENT', attempts: 1 })
  })

  test('wait while it is away with growing pauses, which the first screen says, and are sent afterwards', async () => {
    const installation = await installationServer()
    const server = await startMailServer()
    await save(at(server.port))
    await server.close()
    for (const to of ['a@example.com', 'b@example.com']) await queue(tenant, to)
    await send(installation.mailer)
    expect(await mailTo(tenant, 'a@example.com')).toMatchObject({ status: 'QUEUED', attempts: 1 })
    expect(await mailTo(tenant, 'b@example.com')).toMatchObject({ status: 'QUEUED', attempts: 0 })
    const failing = await owner.client.admin.mailServer.read()
    expect(failing.outage?.reason).toContain('ECONNREFUSED')
    expect((await owner.client.admin.home()).waiting.mailServer).toEqual({
      since: failing.outage?.since,
      reason: failing.outage?.reason,
    })

    // Within the pause nothing connects, also for a new mail.
    const back = await startMailServer()
    cleanups.push(back.close)
    await tenant.within((db) => db.update(mailServers).set({ port: back.port }))
    await queue(tenant, 'c@example.com')
    await send(installation.mailer)
    expect(back.connections()).toBe(0)
    expect(await mailTo(tenant, 'c@example.com')).toMatchObject({ status: 'QUEUED', attempts: 0 })
    api.clock.advance(5 * minute)
    await send(installation.mailer)
    expect(back.received.map(({ to }) => to[0]).sort()).toEqual(['a@example.com', 'b@example.com', 'c@example.com'])
    expect((await owner.client.admin.mailServer.read()).outage).toBeNull()
    expect((await owner.client.admin.home()).waiting.mailServer).toBeNull()
    expect(installation.received).toEqual([])
  })

  test('go through the installation again once it is removed, also those that wait', async () => {
    const installation = await installationServer()
    const server = await startMailServer()
    await save(at(server.port))
    await server.close()
    await queue(tenant, 'late@example.com')
    for (const pause of [0, minute, 5 * minute, 15 * minute]) {
      api.clock.advance(pause)
      await send(installation.mailer)
    }
    expect(await mailTo(tenant, 'late@example.com')).toMatchObject({ status: 'QUEUED', attempts: 4 })
    const { version } = await owner.client.admin.mailServer.read()
    const removed = await owner.withVersion(version).admin.mailServer.remove()
    expect(removed).toMatchObject({ server: null, outage: null, history: [{ action: 'mail-server.removed' }, {}] })
    await send(installation.mailer)
    expect(installation.received.map(({ to }) => to[0])).toEqual(['late@example.com'])
  })

  test('fail at once where it refuses one for good, and that is no failure of the server', async () => {
    const server = await serverFor([{ code: 550, message: 'No such mailbox' }])
    await save(at(server.port))
    await queue(tenant, 'gone@example.com')
    await send()
    expect(await mailTo(tenant, 'gone@example.com')).toMatchObject({ status: 'FAILED' })
    expect((await owner.client.admin.mailServer.read()).outage).toBeNull()
  })

  test('are sent without a server of the installation, but those about staff accounts are not', async () => {
    const server = await serverFor()
    await save(at(server.port))
    await queue(tenant, 'one@example.com')
    await tenant.guest.staff.requestReset({ email: owner.email })
    await send()
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'SENT' })
    expect(await mailTo(tenant, owner.email)).toMatchObject({ status: 'NOT_SENT' })
  })
})

describe('a test mail', () => {
  test('is sent at once to the signed-in person, with the answer of the server', async () => {
    const server = await serverFor([null, { code: 554, message: '5.7.1 Sender not allowed' }])
    expect((await failureOf(owner.client.admin.mailServer.sendTest())).code).toBe('NOT_FOUND')
    await save(at(server.port))
    const { mailServer } = owner.client.admin
    expect(await mailServer.sendTest()).toMatchObject({ to: owner.email, result: 'SENT', answer: /^250 / })
    expect(server.received[0]).toMatchObject({ to: [owner.email], from: 'post@store.example' })
    expect(server.received[0]?.text).not.toContain('store-origin')
    const refused = await mailServer.sendTest()
    expect(refused).toMatchObject({ result: 'REFUSED' })
    expect(refused.answer).toContain('5.7.1 Sender not allowed')
    await server.close()
    expect(await mailServer.sendTest()).toMatchObject({ result: 'UNAVAILABLE' })
    const { outage, history } = await mailServer.read()
    expect(outage?.reason).toContain('ECONNREFUSED')
    expect(history.map(({ action, detail }) => [action, detail.result])).toEqual([
      ['mail.tested', 'UNAVAILABLE'],
      ['mail.tested', 'REFUSED'],
      ['mail.tested', 'SENT'],
      ['mail-server.set', undefined],
    ])
  })

  test('that the server takes ends its failure', async () => {
    const server = await serverFor()
    await save(at(server.port))
    const since = api.clock.now().toISOString()
    const retryAt = new Date(Date.parse(since) + 15 * minute).toISOString()
    await tenant.within((db) => db.update(mailServers).set({ failingSince: since, failure: 'away', retryAt }))
    await queue(tenant, 'one@example.com')
    await send()
    expect(server.received).toEqual([])
    await owner.client.admin.mailServer.sendTest()
    expect((await owner.client.admin.mailServer.read()).outage).toBeNull()
    await send()
    expect(await mailTo(tenant, 'one@example.com')).toMatchObject({ status: 'SENT' })
  })
})

describe('a silent server of one store', () => {
  let separateApi: TestApi
  beforeAll(async () => {
    separateApi = createTestApi({ database: await ownDatabase() })
  })

  /** Accepts connections and says nothing. */
  const silentServer = async () => {
    const server = createServer((socket) => cleanups.push(() => socket.destroy()))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    cleanups.push(() => server.close())
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }

  test('delays neither a sweep nor the mails of other stores', async () => {
    const port = await silentServer()
    const slow = await createTenant(separateApi)
    const other = await createTenant(separateApi)
    const updatedAt = separateApi.clock.now().toISOString()
    await slow.within((db) =>
      db.insert(mailServers).values({
        customerId: slow.id,
        host: '127.0.0.1',
        port,
        security: 'NONE',
        updatedAt,
        senderAddress: 'post@store.example',
      }),
    )
    const installation = await installationServer()
    const deps = { ...separateApi.deps, mailer: installation.mailer }
    const fresh = startFreshMails(deps)
    cleanups.push(() => fresh[Symbol.asyncDispose]())
    await vi.waitFor(async () => {
      const { rows } = await separateApi.owner.execute<{ listening: number }>(
        `SELECT count(*)::int AS listening FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'marquee-mails' AND query LIKE 'LISTEN%' AND state = 'idle'`,
      )
      expect(rows[0]?.listening).toBeGreaterThan(0)
    }, 10_000)
    const queueThere = queueGreetingOf(separateApi)
    await queueThere(slow, 'slow@example.com')
    await eventually(async () => expect(await mailTo(slow, 'slow@example.com')).toMatchObject({ attempts: 1 }))
    const isFirst = async (work: Promise<unknown>) => Promise.race([work.then(() => true), wait(5000, false)])
    expect(await isFirst(customerOf(separateApi, slow).then((customer) => sweepMails(deps, customer)))).toBe(true)
    await queueThere(other, 'quick@example.com')
    await eventually(() => expect(installation.received.map(({ to }) => to[0])).toEqual(['quick@example.com']))
    expect(await mailTo(slow, 'slow@example.com')).toMatchObject({ status: 'QUEUED' })
    // A process that stops does not wait for it either, and leaves the mail to another one.
    expect(await isFirst(Promise.resolve(fresh[Symbol.asyncDispose]()))).toBe(true)
    expect(await mailTo(slow, 'slow@example.com')).toMatchObject({ status: 'QUEUED', failure: null })
  })
})
