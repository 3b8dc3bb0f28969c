import { beforeAll, expect, test } from 'vitest'
import { pages } from '#api/modules/content/content.schema.ts'
import { recordMode } from '#api/modules/tenancy/store-states.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { startZoneServer } from '#tests/support/name-server.ts'
import { ownDatabase } from '#tests/support/own-database.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf, type TestApi } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
let tenant: Tenant
let owner: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  owner = await tenant.createStaff('OWNER')
})

/** Gives a store all that its checklist requires of its owner. */
const fillStore = async (
  testApi: TestApi,
  { code, id, within, createProduct }: Tenant,
  { client, token }: TestStaff,
) => {
  const { version } = await client.admin.settings.read()
  const names = ['company', 'representative', 'registrationNumber', 'address', 'phone'] as const
  await testApi.client(code, { token, headers: { 'if-match': version } }).admin.settings.update({
    business: { ...Object.fromEntries(names.map((name) => [name, 'given'])), email: 'help@example.com' },
  })
  await within((db) =>
    db
      .insert(pages)
      .values(['terms', 'privacy', 'refund'].map((type) => ({ customerId: id, type, title: type, body: type }))),
  )
  await createProduct()
}

test('a store is closed with its code, previewed, and opened once its checklist has nothing missing', async () => {
  const { store } = owner.client.admin
  expect(await failureOf(store.close({ code: 'another' }))).toMatchObject({
    code: 'VALIDATION_FAILED',
    problem: { errors: { code: ['Enter the code of the store.'] } },
  })
  expect((await tenant.guest.catalog.search({})).total).toBe(0)
  const closed = await store.close({ code: tenant.code })
  expect(closed).toMatchObject({
    state: 'COMING_SOON',
    origins: [expect.stringContaining(`${tenant.code}.test`)],
    history: [{ action: 'store.closed', changes: { opened: { from: true, to: false } } }],
  })
  expect((await failureOf(tenant.guest.catalog.search({}))).code).toBe('STORE_NOT_OPEN')
  // The second of two people changes nothing, and nothing is recorded twice.
  expect((await store.close({ code: tenant.code })).history).toHaveLength(1)

  const { url } = await store.createPreview()
  const preview = api.client(tenant.code, {
    headers: { 'x-preview-token': new URL(url).searchParams.get('preview') ?? '' },
  })
  expect((await preview.catalog.search({})).total).toBe(0)

  const refused = await failureOf(store.open())
  expect(refused).toMatchObject({ status: 409, code: 'CONFLICT' })
  expect(refused.problem.data).toEqual({
    missing: expect.arrayContaining(['COMPANY_FACT_MISSING', 'PAGE_MISSING', 'NO_PRODUCT']),
  })
  const { items } = await store.read()
  expect(items).toContainEqual({ code: 'PAGE_MISSING', state: 'MISSING', names: ['terms'], count: 1 })
  expect(items.map(({ code }) => code)).not.toContain('CLOSED')

  await fillStore(api, tenant, owner)
  const opened = await store.open()
  expect(opened.state).toBe('OPEN')
  expect(opened.items.every(({ state }) => state === 'ADVISED')).toBe(true)
  expect(opened.history[0]).toMatchObject({ action: 'store.opened', changes: { opened: { from: false, to: true } } })
  expect((await tenant.guest.catalog.search({})).total).toBe(1)
})

test('two people who close and open a store at once leave one entry each', async () => {
  const { store } = owner.client.admin
  await Promise.all([store.close({ code: tenant.code }), store.close({ code: tenant.code })])
  await Promise.all([store.open(), store.open()])
  const { history, state } = await store.read()
  expect(state).toBe('OPEN')
  expect(history.slice(0, 2).map(({ action }) => action)).toEqual(['store.opened', 'store.closed'])
  expect(history.filter(({ action }) => action === 'store.closed')).toHaveLength(2)
})

test('a suspended store cannot be opened by its owner', async () => {
  const suspended = await createTenant(api)
  const { client } = await suspended.createStaff('OWNER')
  await run(['customer', 'suspend', suspended.code])
  expect((await client.admin.store.read()).state).toBe('CLOSED')
  expect(await failureOf(client.admin.store.open())).toMatchObject({ code: 'SITE_DISABLED' })
})

test('visitors of a closed store read what staff wrote and until when, and a text that is forgotten on opening', async () => {
  const closed = await createTenant(api)
  const { client } = await closed.createStaff('OWNER')
  const { store } = client.admin
  const contract = () => closed.guest.tenancy.contract()
  const inHours = (hours: number) => new Date(api.clock.now().getTime() + hours * 3_600_000).toISOString()
  expect((await contract()).maintenance).toBeUndefined()
  expect((await store.read()).maintenance).toBeNull()
  expect((await failureOf(store.setMaintenance({ texts: {}, backAt: null }))).code).toBe('CONFLICT')
  expect((await failureOf(store.close({ code: closed.code, backAt: inHours(-1) }))).problem.errors.backAt).toEqual([
    'Enter a time that is still to come.',
  ])

  const backAt = inHours(2)
  const texts = { en: ' We are moving. ', ko: '' }
  const status = await store.close({ code: closed.code, texts, backAt })
  expect(status).toMatchObject({
    state: 'COMING_SOON',
    maintenance: { texts: { en: 'We are moving.' }, backAt },
    history: [{ changes: { 'text.en': { from: null, to: 'We are moving.' }, backAt: { from: null, to: backAt } } }],
  })
  expect((await contract()).maintenance).toEqual({ texts: { en: 'We are moving.' }, backAt })

  const later = { texts: { en: 'We moved.', ko: '이사했어요.' }, backAt: inHours(3) }
  const changed = await store.setMaintenance(later)
  expect(changed.maintenance?.texts).toEqual({ en: 'We moved.', ko: '이사했어요.' })
  expect(changed.history[0]).toMatchObject({
    action: 'store.maintenance-changed',
    changes: { 'text.en': { from: 'We are moving.', to: 'We moved.' }, 'text.ko': { from: null, to: '이사했어요.' } },
  })
  const same = await store.setMaintenance(later)
  expect(same.history).toHaveLength(2)
  expect((await contract()).maintenance?.texts.en).toBe('We moved.')

  // A store that is offline or open says nothing of it.
  await run(['customer', 'open', closed.code, '--force'])
  expect((await contract()).maintenance).toBeUndefined()
  await run(['customer', 'close', closed.code])
  expect((await contract()).maintenance).toEqual({ texts: {}, backAt: null })
})

test('a time that has passed is no promise to visitors, and a store that was never open has no text', async () => {
  const closed = await createTenant(api)
  const { client } = await closed.createStaff('OWNER')
  const backAt = new Date(api.clock.now().getTime() + 3_600_000).toISOString()
  await client.admin.store.close({ code: closed.code, backAt })
  api.clock.advance(2 * 3_600_000)
  expect((await closed.guest.tenancy.contract()).maintenance).toEqual({ texts: {}, backAt: null })

  const code = `t-${crypto.randomUUID().slice(0, 13)}`
  await run(['customer', 'create', '--code', code, '--name', 'Acme', '--currency', 'USD', '--timezone', 'UTC'])
  await run(['customer', 'close', code])
  expect((await api.client(code).tenancy.contract()).maintenance).toBeUndefined()
})

test('in production a store under localhost is opened for a try without a domain, a provider and mail, no other', async () => {
  const database = await ownDatabase()
  const installed = createTestApi({ database })
  const local = await createTenant(installed)
  const person = await local.createStaff('OWNER')
  const { store } = person.client.admin
  await recordMode(database.ownerUrl, 'production')
  await store.close({ code: local.code })
  expect(await store.read()).toMatchObject({ canTry: false })
  const refused = await failureOf(store.open({ isTry: true }))
  expect(refused.problem.data).toMatchObject({ missing: expect.arrayContaining(['NO_PAYMENT_PROVIDER', 'NO_PRODUCT']) })

  const hosts = ['--add', `${local.code}.localhost`, '--remove', `${local.code}.test`]
  await quickCommandOf(installed, { database })(['customer', 'domains', local.code, ...hosts])
  await fillStore(installed, local, person)
  expect(await store.read()).toMatchObject({ canTry: true })
  expect((await failureOf(store.open())).problem.data).toEqual({
    missing: ['LOCAL_HOSTS', 'NO_PAYMENT_PROVIDER', 'NO_MAIL_SERVER'],
  })
  const opened = await store.open({ isTry: true })
  expect(opened).toMatchObject({
    state: 'OPEN',
    canTry: false,
  })
  expect(opened.history[0]).toMatchObject({
    action: 'store.opened',
    changes: { opened: { from: false, to: true } },
    detail: { missing: [expect.stringContaining('under localhost'), expect.any(String), expect.any(String)] },
  })
})

test('a store that is open for a try closes when visitors reach it at a first domain, and opens once it lacks nothing', async () => {
  const database = await ownDatabase()
  const dns = await startZoneServer()
  await using _ = dns
  const installed = createTestApi({ database, nameServers: [dns.address] })
  const local = await createTenant(installed)
  const person = await local.createStaff('OWNER')
  const { store, domains } = person.client.admin
  const setHosts = (...options: string[]) =>
    quickCommandOf(installed, { database })(['customer', 'domains', local.code, ...options])
  await recordMode(database.ownerUrl, 'production')
  await store.close({ code: local.code })
  await setHosts('--add', `${local.code}.localhost`, '--remove', `${local.code}.test`)
  await fillStore(installed, local, person)
  expect((await store.open({ isTry: true })).tryState).toBe('RUNNING')

  // Neither another address of the machine nor a domain that is not verified ends it.
  await setHosts('--add', `films.${local.code}.localhost`)
  const host = `${local.code}.example.com`
  const { items } = await domains.add({ host })
  expect(await store.read()).toMatchObject({ state: 'OPEN', tryState: 'RUNNING' })
  const { name, value } = items.find((each) => each.host === host)!.records.find(({ type }) => type === 'TXT')!
  dns.set(name, { texts: [value] })
  await domains.check({ host })
  const ended = await store.read()
  expect(ended).toMatchObject({ state: 'COMING_SOON', tryState: 'ENDED', maintenance: null, canTry: false })
  expect(ended.history[0]).toMatchObject({
    actor: `staff:${person.email}`,
    action: 'store.closed',
    changes: { opened: { from: true, to: false } },
    detail: { host, endsTry: true },
  })
  expect((await failureOf(local.guest.catalog.search({}))).code).toBe('STORE_NOT_OPEN')
  // The checklist says what is true now: there is an address, and nobody can pay.
  const missing = ['NO_PAYMENT_PROVIDER', 'NO_MAIL_SERVER']
  expect(ended.items.filter(({ state }) => state === 'MISSING').map(({ code }) => code)).toEqual(missing)
  for (const input of [{}, { isTry: true }])
    expect((await failureOf(store.open(input))).problem.data).toEqual({ missing })

  // Without a domain it is tried again. A domain of the administrator ends it too, but does not
  // close a store whose opening was forced.
  await domains.remove({ host })
  expect((await store.open({ isTry: true })).tryState).toBe('RUNNING')
  await setHosts('--add', `${local.code}.test`)
  expect(await store.read()).toMatchObject({ state: 'COMING_SOON', tryState: 'ENDED' })
  await setHosts('--remove', `${local.code}.test`)
  await quickCommandOf(installed, { database })(['customer', 'open', local.code, '--force'])
  await setHosts('--add', `${local.code}.test`)
  expect(await store.read()).toMatchObject({ state: 'OPEN', tryState: null })
})
