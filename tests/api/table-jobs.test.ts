import { expect, test } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { purge } from '#api/modules/privacy/retention.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { newId } from '#api/platform/db/columns.ts'
import { customerBase } from '#contract/http.ts'
import type { MemberId } from '#contract/ids.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

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

/** Keeps an import before its first change, as an edit of the catalogue does, until `free`. */
const holdCatalog = async (tenant: Tenant) => {
  const { promise, resolve: free } = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const ended = tenant.within(async (db) => {
    await db.$client.query('SELECT FROM customers WHERE customer_id = $1 FOR UPDATE', [tenant.id])
    held.resolve()
    await promise
  })
  await held.promise
  return async () => {
    free()
    await ended
  }
}

test('an import that is canceled changes nothing and says so, whoever cancels it first', async () => {
  const tenant = await createTenant(api)
  await tenant.createProducts([{ title: 'A quiet tide', price: 3000 }])
  const [manager, other] = [await tenant.createStaff('MANAGER'), await tenant.createStaff('OWNER')]
  const { imports, products, tableJobs } = manager.client.admin
  const text = await (await imports.exportTable({ table: 'products' })).text()
  const file = new File([text.replace('A quiet tide', 'A loud tide')], 'products.csv')
  const free = await holdCatalog(tenant)
  const sent = failureOf(imports.create({ table: 'products', file }))
  const running = await eventually(async () => {
    const [job] = (await tableJobs.list()).items
    expect(job).toMatchObject({ kind: 'IMPORT', status: 'RUNNING' })
    return job!
  })
  const answers = await Promise.allSettled([manager, other].map(({ client }) => client.admin.tableJobs.cancel(running)))
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await free()
  expect((await sent).problem).toMatchObject({
    code: 'CONFLICT',
    message: 'The import was canceled. Nothing was changed.',
  })
  expect((await products.list({})).items).toMatchObject([{ title: 'A quiet tide' }])
  expect((await imports.list()).items).toEqual([])
  expect((await tableJobs.list()).items[0]).toMatchObject({ id: running.id, status: 'CANCELLED' })
  expect((await failureOf(tableJobs.cancel(running))).problem.message).toBe('It is already canceled.')

  // The next one runs, and has ended when it is canceled too late.
  await imports.create({ table: 'products', file })
  const [done] = (await tableJobs.list()).items
  const { code, problem } = await failureOf(tableJobs.cancel(done!))
  expect(code).toBe('CONFLICT')
  expect(problem.message).toBe('It has ended already, so it cannot be canceled.')
  expect((await products.list({})).items).toMatchObject([{ title: 'A loud tide' }])
})

test('an import and a cancel in the same instant agree', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('MANAGER')
  const { imports, faq, tableJobs } = client.admin
  for (const round of [0, 1, 2, 3]) {
    const before = (await faq.list()).items.length
    const text = `group,question,answer,sort\r\nhelp,${round}?,${round}.,0\r\n`
    let isSettled = false
    const sent = imports.create({ table: 'faq', file: new File([text], 'faq.csv') }).finally(() => {
      isSettled = true
    })
    const cancel = async () => {
      while (!isSettled)
        for (const job of (await tableJobs.list()).items)
          if (job.status === 'RUNNING') await tableJobs.cancel(job).catch(() => {})
    }
    const [answer] = await Promise.allSettled([sent, cancel()])
    const [job] = (await tableJobs.list()).items
    expect(job?.status).toBe(answer.status === 'fulfilled' ? 'DONE' : 'CANCELLED')
    expect((await faq.list()).items.length - before).toBe(answer.status === 'fulfilled' ? 1 : 0)
  }
})

test('an export that is canceled breaks its file, also while nobody reads it', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  const { tableJobs } = owner.client.admin
  await addMembers(tenant, 3_000)
  const response = await request(tenant, owner.token, 'members.csv')
  const reader = response.body!.getReader()
  await reader.read()
  const [job] = (await tableJobs.list()).items
  const analyst = await tenant.createStaff('CATALOG')
  expect((await failureOf(analyst.client.admin.tableJobs.cancel(job!))).code).toBe('FORBIDDEN')
  expect(await tableJobs.cancel(job!)).toMatchObject({ status: 'CANCELLED', finishedAt: expect.any(String) })
  await expect(reader.closed).rejects.toThrow('canceled')
  expect((await tableJobs.list()).items).toMatchObject([{ status: 'CANCELLED' }])
  const { items } = await owner.client.admin.audit({ subject: 'export:members' })
  expect(items.map(({ action }) => action)).toEqual(['export.cancelled', 'members.exported'])
})

test('an export says how long it will take, and one that was canceled is begun again as it was', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  const { tableJobs } = owner.client.admin
  await addMembers(tenant, 3_000)
  await tenant.createMember()
  const csv = async (query: string) =>
    (await (await request(tenant, owner.token, `members.csv?${query}`)).text()).trim()
  const query = 'q=many-&sort=NAME&columns=name'
  const response = await request(tenant, owner.token, `members.csv?${query}`)
  const reader = response.body!.getReader()
  await reader.read()
  const { id, ...running } = await eventually(async () => {
    const [job] = (await tableJobs.list()).items
    expect(job?.rows).toBeGreaterThan(0)
    return job!
  })
  expect(running).toMatchObject({ status: 'RUNNING', total: 3_000, filters: null })
  api.clock.advance(60_000)
  const [{ rows, secondsLeft } = running] = (await tableJobs.list()).items
  const expected = (60 / rows) * (3_000 - rows)
  expect(secondsLeft).toBeGreaterThanOrEqual(expected)
  expect(secondsLeft).toBeLessThan(expected * 1.5)
  await tableJobs.cancel({ id })
  await expect(reader.closed).rejects.toThrow('canceled')
  const [{ filters, ...canceled } = running] = (await tableJobs.list()).items
  expect(canceled).toMatchObject({ status: 'CANCELLED', total: 3_000, secondsLeft: null })
  const again = await csv(
    String(new URLSearchParams(Object.entries(filters!).map(([name, value]) => [name, `${value}`]))),
  )
  expect(again.split('\r\n')).toHaveLength(3_001)
  expect(again).toBe(await csv(query))
  expect((await tableJobs.list()).items[0]).toMatchObject({ status: 'DONE', secondsLeft: null, filters: null })
})

test.each([
  'orders.csv',
  'movements.csv?from=2026-01-01&to=2026-01-31',
  'deposits.csv?list=EXPECTED',
  'deposits.csv?list=RECEIVED&min=1',
  'subscriptions.csv',
  'members.csv?sort=SEEN',
  'inquiries.csv?words=sound',
  'mails.csv?status=SENT',
  'audit.csv?action=members',
  'comments.csv?state=SHOWN',
  'suppressed-addresses.csv?q=never',
])('the rows of %s are counted before they are exported', async (path) => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  const member = await tenant.createMember()
  await tenant.createMember()
  const film = await tenant.createProduct()
  await member.client.engagement.addComment({ id: film.id, body: 'Hm.' })
  await owner.client.admin.mails.suppress({ address: 'never@example.com', reason: 'Moved' })
  for (const title of ['Sound', 'No sound', 'Picture'])
    await member.client.support.createInquiry({ type: 'ETC', title, body: 'Hm.' })
  await (await request(tenant, owner.token, 'members.csv')).text()
  const left = await request(tenant, owner.token, path)
  await left.body!.cancel()
  const job = await eventually(async () => {
    const [latest] = (await owner.client.admin.tableJobs.list()).items
    expect(latest?.status).toBe('CANCELLED')
    return latest!
  })
  const lines = (await (await request(tenant, owner.token, path)).text()).trim().split('\r\n')
  expect(job.total).toBe(lines.length - 1)
})
