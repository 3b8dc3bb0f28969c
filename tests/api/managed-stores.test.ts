import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { NewStore } from '#contract/admin/stores.ts'
import { type CustomerCode, customerCode } from '#contract/ids.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createInstallation, createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
let installation: Tenant
let owner: TestStaff
let store: Tenant
let code: CustomerCode

const uniqueCode = (): CustomerCode => customerCode.parse(`s-${randomUUID().slice(0, 13)}`)

beforeAll(async () => {
  installation = await createInstallation(api)
  owner = await installation.createStaff('OWNER')
  store = await createTenant(api)
  code = customerCode.parse(store.code)
})

const stores = () => owner.client.admin.stores
const changing = async (code: CustomerCode) => owner.withVersion((await stores().get({ code })).version).admin.stores

const form = (given: Partial<NewStore> = {}): NewStore => {
  const code = uniqueCode()
  const base = { name: 'North Films', code, host: `${code}.example`, locale: 'ko', currency: 'KRW' } as const
  return { ...base, timeZone: 'Asia/Seoul', email: `owner-${code}@example.com`, ...given }
}

test('the installation creates a store, and its owner accepts the invitation and signs in there', async () => {
  const wanted = form()
  const { code, email, host } = wanted
  const { url } = await stores().create(wanted)
  const key = new URL(url).searchParams.get('key') ?? ''
  expect(new URL(url).hostname).toBe(host)
  const guest = api.client(code)
  expect(await guest.tenancy.contract()).toMatchObject({ useSite: true, opened: false })
  expect((await guest.tenancy.siteSettings()).base).toMatchObject({
    name: 'North Films',
    currency: 'KRW',
    locale: 'ko',
  })
  const accepted = await guest.staff.acceptInvitation({ key, name: 'Mina', password: 'a-long-pass-phrase-1' })
  const person = api.client(code, { token: accepted.token ?? '' })
  expect(await person.staff.me()).toMatchObject({ email, role: 'OWNER', isInstallation: false })

  const view = await stores().get({ code })
  expect(view).toMatchObject({
    state: 'COMING_SOON',
    neverOpened: true,
    hosts: [host],
    timeZone: 'Asia/Seoul',
    people: [{ email }],
  })
  expect(view.history).toMatchObject([{ action: 'store.created', actor: `installation:${owner.email}` }])
  const { items } = await owner.client.admin.audit({ subject: `store:${code}` })
  expect(items).toMatchObject([{ action: 'store.created', actor: `staff:${owner.email}`, detail: { owner: email } }])
})

test('a store is refused with a code or domain of another, a wrong currency or time zone, in Korean', async () => {
  const korean = owner.withVersion('', 'ko').admin.stores
  const refusals: [Partial<NewStore>, string][] = [
    [{ code }, 'code'],
    [{ code: customerCode.parse(installation.code) }, 'code'],
    [{ host: `${store.code}.test` }, 'host'],
    [{ host: 'https://192.0.2.1/' }, 'host'],
    [{ currency: 'ABC' }, 'currency'],
    [{ timeZone: 'Moon/Base' }, 'timeZone'],
  ]
  for (const [given, field] of refusals) {
    const { code, problem } = await failureOf(korean.create(form(given)))
    expect([code, problem.errors]).toEqual(['VALIDATION_FAILED', { [field]: [expect.stringMatching(/[가-힣]/)] }])
  }
})

test('of two who create one store at once, one does', async () => {
  const wanted = form()
  const created = [stores().create(wanted), stores().create(wanted)]
  const outcomes = await Promise.allSettled(created)
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const lost = created[outcomes.findIndex(({ status }) => status === 'rejected')]!
  // Also where both have looked before either was stored.
  expect(await failureOf(lost)).toMatchObject({
    status: 422,
    problem: { errors: { code: ['Another store has this code.'] } },
  })
  const refused = await failureOf(stores().create(wanted))
  expect(refused.status).toBe(422)
})

test('a store is taken offline and brought back, as the caller saw it', async () => {
  const seen = await changing(code)
  expect(await failureOf(seen.suspend({ code, confirmation: 'another', reason: 'PAUSED', note: '' }))).toMatchObject({
    status: 422,
    problem: { errors: { confirmation: [expect.any(String)] } },
  })
  expect(await failureOf(stores().resume({ code }))).toMatchObject({ code: 'VERSION_MISSING' })
  expect(await failureOf((await changing(code)).resume({ code }))).toMatchObject({
    code: 'CONFLICT',
    problem: { errors: { code: ['The store is not offline.'] } },
  })

  const suspend = { code, confirmation: code, reason: 'PAUSED', note: 'Invoice 12 is not paid.' } as const
  expect(await seen.suspend(suspend)).toMatchObject({
    state: 'CLOSED',
    history: [
      {
        action: 'store.closed',
        actor: `installation:${owner.email}`,
        changes: { state: { from: expect.any(String), to: 'CLOSED' } },
        detail: { note: 'Invoice 12 is not paid.' },
      },
    ],
  })
  expect((await failureOf(store.guest.catalog.search({}))).code).toBe('SITE_DISABLED')
  // The second of two people sees what the first has done.
  expect(await failureOf(seen.suspend(suspend))).toMatchObject({ code: 'VERSION_CONFLICT' })
  expect(await failureOf((await changing(code)).suspend(suspend))).toMatchObject({
    code: 'CONFLICT',
    problem: { errors: { reason: ['The store is offline already.'] } },
  })
  expect(await (await changing(code)).resume({ code })).toMatchObject({ state: 'OPEN' })
  expect((await store.guest.catalog.search({})).total).toBe(0)

  // The contract of a store that is offline for a while can end without a visitor seeing it again.
  await (await changing(code)).suspend(suspend)
  expect(await (await changing(code)).suspend({ ...suspend, reason: 'CONTRACT_ENDED' })).toMatchObject({
    state: 'ENDED',
  })
  const staff = await failureOf(store.guest.staff.signIn({ email: 'x@example.com', password: 'a-long-pass-phrase-1' }))
  expect(staff.code).toBe('CONTRACT_EXPIRED')
  await (await changing(code)).resume({ code })
})

test('a store that was never open stays closed when it is brought back', async () => {
  const { code } = await stores().create(form())
  await (await changing(code)).suspend({ code, confirmation: code, reason: 'CONTRACT_ENDED', note: '' })
  expect(await (await changing(code)).resume({ code })).toMatchObject({ state: 'COMING_SOON' })
})

test('a store that staff have closed was open before, unlike a new one', async () => {
  const closed = await createTenant(api)
  const stateOf = () => stores().get({ code: customerCode.parse(closed.code) })
  expect(await stateOf()).toMatchObject({ state: 'OPEN', neverOpened: false })
  await (await closed.createStaff('OWNER')).client.admin.store.close({ code: closed.code })
  expect(await stateOf()).toMatchObject({ state: 'COMING_SOON', neverOpened: false })
  const { code } = await stores().create(form())
  const { items } = await stores().list({ q: code })
  expect(items).toMatchObject([{ code, state: 'COMING_SOON', neverOpened: true }])
})

test('hosts of a store are replaced, and never taken from another', async () => {
  const { code } = await stores().create(form())
  const { hosts: before } = await stores().get({ code })
  const wanted = [`${code}-2.example`, `영화-${code}.example`]
  const after = await (await changing(code)).setHosts({ code, hosts: wanted })
  expect(after.hosts).toHaveLength(2)
  expect(after.hosts.some((host) => host.startsWith('xn--'))).toBe(true)
  expect(after.hosts).not.toContain(before[0])
  expect(await failureOf((await changing(code)).setHosts({ code, hosts: [`${store.code}.test`] }))).toMatchObject({
    status: 422,
    problem: { errors: { hosts: [expect.stringContaining(`${store.code}.test`)] } },
  })
})

test('an owner is invited to a store whose owners have lost their access', async () => {
  const email = `new-${randomUUID().slice(0, 8)}@example.com`
  const { url } = await stores().inviteOwner({ code, email })
  expect(new URL(url).searchParams.get('store')).toBe(store.code)
  expect((await stores().get({ code })).invitations).toMatchObject([{ email, role: 'OWNER' }])
  const { items } = await owner.client.admin.audit({ subject: `store:${store.code}` })
  expect(items[0]).toMatchObject({ action: 'staff.invited', detail: { owner: email } })
})

test('stores are listed, found by name, code and host, and filtered by state, without the installation', async () => {
  const name = `Zebra ${randomUUID().slice(0, 8)}`
  const older = form({ name: `${name} older` })
  await stores().create(older)
  const wanted = form({ name: `${name} unseen` })
  await stores().create(wanted)
  const found = async (q: string) => (await stores().list({ q })).items.map(({ code }) => code)
  expect(await found(`${name} UNSEEN`)).toEqual([wanted.code])
  expect(await found(wanted.code)).toEqual([wanted.code])
  expect(await found(`${wanted.code}.EXAMPLE`)).toEqual([wanted.code])
  expect(await found(installation.code)).toEqual([])
  expect(await failureOf(stores().get({ code: customerCode.parse(installation.code) }))).toMatchObject({ status: 404 })
  const open = await stores().list({ q: wanted.code, state: 'OPEN' })
  expect(open.items).toEqual([])
  const first = await stores().list({ q: name, size: 1 })
  const second = await stores().list({ q: name, size: 1, cursor: first.nextCursor ?? undefined })
  expect([first, second].map(({ items }) => items.map(({ code }) => code))).toEqual([[wanted.code], [older.code]])
})

test('staff of the installation decide nothing within a store, and staff of a store see no stores', async () => {
  const { permissions, isInstallation } = await owner.client.staff.me()
  expect(isInstallation).toBe(true)
  expect(permissions).toContain('stores:write')
  expect(permissions).not.toContain('orders:read')
  expect(await failureOf(owner.client.admin.orders.list({}))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  expect(await failureOf(api.client(store.code, { token: owner.token }).admin.orders.list({}))).toMatchObject({
    code: 'TENANT_MISMATCH',
  })
  const analyst = await installation.createStaff('ANALYST')
  const { items } = await analyst.client.admin.stores.list({ size: 200 })
  expect(items.length).toBeGreaterThan(0)
  const [{ code: known } = { code: '' }] = items
  expect(await analyst.client.admin.stores.count({ q: known })).toEqual({ count: 1, hasMore: false })
  expect((await analyst.client.admin.stores.count({})).count).toBeGreaterThanOrEqual(items.length)
  expect(await failureOf(analyst.client.admin.stores.create(form()))).toMatchObject({ code: 'FORBIDDEN' })
  const unconfirmed = await installation.createStaff('OWNER', { isConfirmed: false })
  expect(await failureOf(unconfirmed.client.admin.stores.create(form()))).toMatchObject({
    code: 'SECOND_FACTOR_REQUIRED',
  })
  // Not even a token with all scopes, which the command line can make.
  const program = await store.createOperator('all-scopes')
  expect((await program.client.identity.operator()).scopes).not.toContain('stores:read')
  expect(await failureOf(program.client.admin.stores.list({}))).toMatchObject({ code: 'FORBIDDEN' })
  const ofStore = await store.createStaff('OWNER')
  expect(await failureOf(ofStore.client.admin.stores.list({}))).toMatchObject({ code: 'FORBIDDEN' })
  const role = { name: 'All', permissions: ['stores:write'] as const }
  expect(
    await failureOf(ofStore.client.staff.createRole({ ...role, permissions: [...role.permissions] })),
  ).toMatchObject({
    code: 'FORBIDDEN',
  })
})

test('the command creates the console once', async () => {
  const create = ['installation', 'create', '--host', 'admin.example.org', '--email', 'mina@example.com']
  const again = await run(create)
  expect(again.code).toBe(1)
  expect(again.err).toContain(`The installation has a console already.`)
  expect((await run(['installation', 'create', '--host', 'https://x', '--email', 'mina@example.com'])).code).toBe(1)
  const { out } = await run(['customer', 'list'])
  expect(out).not.toContain(installation.code)
})
