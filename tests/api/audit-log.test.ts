import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { auditNames } from '#api/modules/admin/admin.queries.ts'
import { audit } from '#api/platform/audit.ts'
import { planCode } from '#contract/ids.ts'
import { buy } from '#tests/support/buying.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { passDays, subscriber } from '#tests/support/subscribing.ts'
import { programOf, versionOf } from '#tests/support/subscriptions-by-staff.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { type Client, createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

/** What a caller sees of the objects of the log, by their subjects. */
const objectsOf = async (client: Client) => {
  const { items } = await client.admin.audit({ size: 100 })
  return Object.fromEntries(items.map(({ subject, about }) => [subject, about]))
}

const record = (tenant: Tenant, subjects: readonly string[]) =>
  tenant.within(async (db) => {
    for (const subject of subjects)
      await audit({ db, customer: tenant, clock: api.clock }, { actor: 'rule', action: 'note.added', subject })
  })

test('the audit log is filtered by the email address that it shows of a person', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER', { email: 'helper@kino.example' })
  const member = await tenant.createMember()
  await owner.client.admin.members.addNote({ id: member.id, text: 'A regular' })
  await record(tenant, ['store'])
  for (const actor of ['helper@kino.example', 'staff:helper@kino.example']) {
    const { items } = await owner.client.admin.audit({ actor })
    expect(items.map(({ action, subject }) => [action, subject])).toEqual([['note.added', `member:${member.id}`]])
  }
  expect((await owner.client.admin.audit({ actor: 'rule' })).items).toMatchObject([{ subject: 'store' }])
})

test('the audit log names what staff have changed, and the page of each', async () => {
  const tenant = await createPlanTenant(api)
  const owner = await tenant.createStaff()
  const member = await tenant.createMember()
  const product = await tenant.createProduct({ title: 'Loud tide', price: 900 })
  const { admin } = owner.client
  await admin.members.addNote({ id: member.id, text: 'A regular' })
  const { code } = await buy(api, tenant, member, product)
  await admin.orders.addNote({ code: code as never, text: 'Asked for a receipt' })
  const { version } = await admin.products.get({ code: product.code })
  await owner.withVersion(version).admin.products.change({ code: product.code, title: 'Quiet tide' })
  const plan = await admin.plans.create({ code: planCode.parse('all'), name: 'All access', cycle: 'MONTH', price: 900 })
  const { id: commentId } = await member.client.engagement.addComment({ id: product.id, body: 'Lovely' })
  await admin.comments.hide({ id: commentId, note: 'Twice' })
  const notice = await admin.notices.create({
    title: 'Opening',
    body: '<p>Soon</p>',
    pinned: false,
    startsAt: null,
    endsAt: null,
  })
  await owner.withVersion(notice.version).admin.notices.delete({ id: notice.id })
  const { id: endpoint } = await owner.client.webhooks.create({
    url: 'http://127.0.0.1:9/hook',
    eventTypes: ['order.paid'],
  })
  const of = (name: string | null, page: string | null, isDeleted = false) => ({ name, page, isDeleted })
  expect(await objectsOf(owner.client)).toEqual({
    [`member:${member.id}`]: of('Mina Park', `member:${member.id}`),
    [`order:${code}`]: of(null, `order:${code}`),
    [`product:${product.code}`]: of('Quiet tide', `product:${product.code}`),
    [`plan:${plan.id}`]: of('All access', `plan:${plan.id}`),
    [`comment:${commentId}`]: of('Quiet tide', `product-comments:${product.code}`),
    [`notice:${notice.id}`]: of(null, null, true),
    [`webhook:${endpoint}`]: of('http://127.0.0.1:9/hook', `webhook:${endpoint}`),
  })

  // The file has the names of the list beside what it records, as far as its reader may know them.
  const fileOf = async (client: Client) => {
    const text = await (await client.admin.auditExport({ columns: 'actor,subject' })).text()
    return text.split('\r\n').map((line) => line.split(',').slice(1).join(','))
  }
  const staffName = `staff:${owner.email},${owner.email}`
  expect(await fileOf(owner.client)).toEqual(
    expect.arrayContaining([
      'actor,actor name,object,object name',
      `${staffName},member:${member.id},Mina Park`,
      `${staffName},product:${product.code},Quiet tide`,
      `${staffName},order:${code},Order ${code}`,
      `${staffName},notice:${notice.id},notice:${notice.id} (was deleted)`,
    ]),
  )

  // A person of the staff is found by the email address, together with the other filters.
  const { items } = await admin.audit({ actor: owner.email, action: 'note', subject: `order:${code}` })
  expect(items).toMatchObject([{ actor: `staff:${owner.email}`, action: 'note.added' }])
  expect((await admin.audit({ actor: owner.email, to: '2020-01-01' })).items).toEqual([])

  await member.client.identity.withdraw({ password: 'correct horse battery' })
  const gone = of(null, null, true)
  expect((await objectsOf(owner.client))[`member:${member.id}`]).toEqual(gone)
  const [left] = (await admin.audit({ action: 'member.withdrew' })).items
  expect(left).toMatchObject({ actor: `member:${member.id}`, by: gone, about: gone })
})

test('a charge is named by its member, and a member who acted by name', async () => {
  const tenant = await createPlanTenant(api)
  const { member } = await subscriber(api, tenant, await createPlan(tenant))
  await passDays(api, tenant, 1)
  const staff = await programOf(api, tenant)
  const versioned = staff.withVersion(await versionOf(staff, member)).admin.members
  await versioned.endSubscription({ id: member.id, reason: 'Asked by telephone' })
  const { charges } = await staff.client.admin.members.subscription({ id: member.id })
  const charge = `charge:${charges[0]?.id}`
  await record(tenant, [charge])
  await tenant.within((db) =>
    audit(
      { db, customer: tenant, clock: api.clock },
      { actor: `member:${member.id}`, action: 'member.exported', subject: `member:${member.id}` },
    ),
  )
  const mina = { name: 'Mina Park', page: `member:${member.id}`, isDeleted: false }
  expect((await objectsOf(staff.client))[charge]).toEqual(mina)
  expect((await staff.client.admin.audit({ action: 'member.exported' })).items).toMatchObject([
    { about: mina, by: mina },
  ])
})

test('the audit log names what the permissions of the caller allow alone', async () => {
  const tenant = await createTenant(api)
  const member = await tenant.createMember()
  const product = await tenant.createProduct()
  const subjects = [`member:${member.id}`, `product:${product.code}`, `product:${product.code} lesson:${randomUUID()}`]
  await record(tenant, [...subjects, 'settings'])
  const finance = await tenant.createStaff('FINANCE')
  const unknown = { name: null, page: null, isDeleted: false }
  expect(await objectsOf(finance.client)).toEqual({
    [subjects[0]!]: { name: 'Mina Park', page: subjects[0], isDeleted: false },
    [subjects[1]!]: unknown,
    [subjects[2]!]: unknown,
    settings: unknown,
  })
  const program = await tenant.createOperator('reader', ['audit:read', 'products:read'])
  const titled = { name: 'A quiet tide', page: `product:${product.code}`, isDeleted: false }
  expect(await objectsOf(program.client)).toMatchObject({
    [subjects[0]!]: unknown,
    [subjects[1]!]: titled,
    [subjects[2]!]: titled,
  })
})

test('a page of the audit log reads the names of each kind at once, however many it has', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff()
  const kinds = Object.keys(auditNames)
  const recordAll = async () => {
    const members = [await tenant.createMember(), await tenant.createMember()].map(({ id }) => `member:${id}`)
    const products = (await tenant.createProducts([{}, {}])).map(({ code }) => `product:${code}`)
    await record(tenant, [...members, ...products, ...kinds.map((kind) => `${kind}:${randomUUID()}`)])
  }
  const statements = async () => {
    await expect.poll(() => api.deps.pool.totalCount - api.deps.pool.idleCount).toBe(0)
    const queries = vi.spyOn(pg.Client.prototype, 'query')
    const { items } = await owner.client.admin.audit({ size: 200 })
    const sent = queries.mock.calls.map(([first]) => String((first as { text?: string }).text ?? first))
    queries.mockRestore()
    return { items, count: sent.length, names: sent.filter((text) => text.includes(' AS page FROM ')).length }
  }
  await recordAll()
  const few = await statements()
  expect(few.items.filter(({ about }) => about.isDeleted)).toHaveLength(kinds.length)
  expect(few.items.filter(({ about }) => about.name !== null)).toHaveLength(4)
  expect(few.names).toBe(kinds.length)
  for (let round = 0; round < 3; round++) await recordAll()
  const many = await statements()
  expect(many.items.length).toBe(4 * few.items.length)
  expect([many.count, many.names]).toEqual([few.count, few.names])
})
