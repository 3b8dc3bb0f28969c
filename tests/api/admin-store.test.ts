import { beforeAll, expect, test } from 'vitest'
import { pages } from '#api/modules/content/content.schema.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createTenant, type Tenant, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const run = quickCommandOf(api)
let tenant: Tenant
let owner: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  owner = await tenant.createStaff('OWNER')
})

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

  const { settings } = owner.client.admin
  const { version } = await settings.read()
  const names = ['company', 'representative', 'registrationNumber', 'address', 'phone'] as const
  await api.client(tenant.code, { token: owner.token, headers: { 'if-match': version } }).admin.settings.update({
    business: { ...Object.fromEntries(names.map((name) => [name, 'given'])), email: 'help@example.com' },
  })
  await tenant.within((db) =>
    db
      .insert(pages)
      .values(['terms', 'privacy', 'refund'].map((type) => ({ customerId: tenant.id, type, title: type, body: type }))),
  )
  await tenant.createProduct()
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
