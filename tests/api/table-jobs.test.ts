import { expect, test } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { purge } from '#api/modules/privacy/retention.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { newId } from '#api/platform/db/columns.ts'
import { customerBase } from '#contract/http.ts'
import type { MemberId } from '#contract/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const request = (tenant: Tenant, token: string, path: string) =>
  api.fetch(
    new Request(`${api.origin}${customerBase(tenant.code)}/admin/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    }),
  )

const addMembers = (tenant: Tenant, count: number) => {
  const rows = Array.from({ length: count }, (_, at) => {
    const email = `many-${at}@example.com`
    return {
      customerId: tenant.id,
      id: newId<MemberId>(),
      email,
      emailLower: email,
      passwordHash: 'x',
      name: `Many ${at}`,
    }
  })
  return tenant.within((db) => db.insert(members).values(rows))
}

test('an export is listed with its progress and its end', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  const jobs = async () => (await owner.client.admin.tableJobs.list()).items
  await addMembers(tenant, 3_000)
  const response = await request(tenant, owner.token, 'members.csv')
  const reader = response.body!.getReader()
  await reader.read()
  await eventually(async () =>
    expect(await jobs()).toMatchObject([
      { kind: 'EXPORT', table: 'members', file: null, status: 'RUNNING', finishedAt: null, by: expect.any(String) },
    ]),
  )
  while (!(await reader.read()).done);
  expect(await jobs()).toMatchObject([{ status: 'DONE', rows: 3_000, finishedAt: expect.any(String) }])

  // Who leaves the download ends it.
  const left = await request(tenant, owner.token, 'members.csv')
  await left.body!.cancel()
  await eventually(async () => expect((await jobs())[0]).toMatchObject({ status: 'CANCELLED' }))
  await (await owner.client.admin.imports.exportTable({ table: 'products' })).text()
  expect((await jobs())[0]).toMatchObject({ kind: 'EXPORT', table: 'products', status: 'DONE', rows: 0 })
})

test('an import, its check and its undo are listed with their results', async () => {
  const tenant = await createTenant(api)
  await tenant.createProducts([{ title: 'A quiet tide', price: 3000 }])
  const { client } = await tenant.createStaff('MANAGER')
  const { imports } = client.admin
  const before = await (await imports.exportTable({ table: 'products' })).text()
  const send = (text: string, dryRun = false) =>
    imports.create({ table: 'products', file: new File([text], 'products.csv'), dryRun })
  const text = before.replace('A quiet tide', 'A loud tide')
  await send(text, true)
  const { id } = await send(text)
  await imports.undo({ id: id! })
  await send(before.replace(/,[A-Z_]+,/, ',NOTHING,'))
  const { items } = await client.admin.tableJobs.list()
  expect(items.map(({ kind, status, rows, file }) => ({ kind, status, rows, file }))).toEqual([
    { kind: 'IMPORT', status: 'REFUSED', rows: 1, file: 'products.csv' },
    { kind: 'UNDO', status: 'DONE', rows: 1, file: 'products.csv' },
    { kind: 'IMPORT', status: 'DONE', rows: 1, file: 'products.csv' },
    { kind: 'CHECK', status: 'DONE', rows: 1, file: 'products.csv' },
    { kind: 'EXPORT', status: 'DONE', rows: 1, file: null },
  ])
  expect(items[0]?.problems).toBeGreaterThan(0)
})

test('each is listed for those who may read its table, and one without a heartbeat has failed', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  for (const list of ['members.csv', 'orders.csv', 'audit.csv']) await (await request(tenant, owner.token, list)).text()
  for (const table of ['products', 'notices'] as const)
    await (await owner.client.admin.imports.exportTable({ table })).text()
  const tablesOf = async (client: typeof owner.client) =>
    (await client.admin.tableJobs.list()).items.map(({ table }) => table).sort()
  expect(await tablesOf(owner.client)).toEqual(['audit', 'members', 'notices', 'orders', 'products'])
  expect(await tablesOf((await tenant.createStaff('CATALOG')).client)).toEqual(['notices', 'products'])
  expect(await tablesOf((await tenant.createStaff('ANALYST')).client)).toEqual(['orders', 'products'])
  expect(await tablesOf((await tenant.createStaff('SUPPORT')).client)).toEqual(['members', 'orders', 'products'])

  await tenant.within((db) =>
    db.$client.query(`UPDATE table_jobs SET status = 'RUNNING', seen_at = now() - interval '2 minutes'`),
  )
  const { items } = await owner.client.admin.tableJobs.list()
  expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['FAILED']))
  api.clock.advance(31 * 86_400_000)
  const customer = await resolveCustomer(api.deps, tenant.code)
  await tenant.within((db) => purge({ db, customer: customer!, clock: api.deps.clock }, 100))
  const left = await tenant.within((db) => db.$client.query('SELECT FROM table_jobs'))
  expect(left.rowCount).toBe(0)
})
