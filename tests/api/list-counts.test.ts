import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { maxListCount } from '#contract/admin/lists.ts'
import { buy } from '#tests/support/buying.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

/** Adds entries to the audit log. */
const addEntries = (tenant: Tenant, count: number) =>
  tenant.within((db) =>
    db.$client.query(
      `INSERT INTO audit (customer_id, id, at, actor, action, subject, changes, detail)
       SELECT c.customer_id, new.id, now(), 'rule', 'many.' || n, 'many:' || n, '{}', '{}'
         FROM customers c CROSS JOIN unnest($2::uuid[]) WITH ORDINALITY AS new (id, n) WHERE c.customer_id = $1`,
      [tenant.id, Array.from({ length: count }, () => randomUUID())],
    ),
  )

test('a list of more entries than are counted says that there are more', async () => {
  const tenant = await createTenant(api)
  const { counts } = (await tenant.createStaff('OWNER')).client.admin
  const { count: others } = await counts.audit({})
  await addEntries(tenant, maxListCount - others)
  expect(await counts.audit({})).toEqual({ count: maxListCount, hasMore: false })
  await addEntries(tenant, 1)
  expect(await counts.audit({})).toEqual({ count: maxListCount, hasMore: true })
  expect(await counts.audit({ action: 'many.123' })).toEqual({ count: 1, hasMore: false })
})

test('each list is counted with the filters of its page', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('OWNER')
  const { admin, webhooks } = client
  const film = await tenant.createProduct({ title: 'Quiet harbour', price: 1250 })
  await tenant.createProduct({ title: 'Loud city', price: 900 })
  const [first, second] = [await tenant.createMember(), await tenant.createMember()]
  await buy(api, tenant, first, film)
  await buy(api, tenant, second, film)
  for (const [{ client: member }, title] of [
    [first, 'Sound'],
    [first, 'Picture'],
    [second, 'Sound again'],
  ] as const)
    await member.support.createInquiry({ type: 'ETC', title, body: 'Hm.' })
  await first.client.engagement.addComment({ id: film.id, body: 'Lovely.' })
  await admin.mails.suppress({ address: 'never@example.com', reason: 'Moved' })
  await admin.notices.create({ title: 'Harbour news', body: '<p>Hm.</p>', pinned: false, startsAt: null, endsAt: null })
  const { id } = await webhooks.create({ url: 'https://example.com/hook', eventTypes: ['order.paid'] })
  await webhooks.test({ id })
  const { counts } = admin
  const sizes = async (list: Promise<{ items: unknown[] }>, counted: Promise<{ count: number; hasMore: boolean }>) => [
    (await list).items.length,
    await counted,
  ]
  const some = { memberId: first.id }
  for (const [list, counted, expected] of [
    [admin.orders.list({}), counts.orders({}), 2],
    [admin.orders.list(some), counts.orders(some), 1],
    [admin.orders.list({ min: 1251 }), counts.orders({ min: 1251 }), 0],
    [admin.deposits.expected({}), counts.deposits({}), 0],
    [admin.deposits.received({}), counts.deposits({ list: 'RECEIVED' }), 0],
    [admin.subscriptions.list({}), counts.subscriptions({}), 0],
    [admin.members.list({}), counts.members({}), 2],
    [admin.members.list({ sort: 'SEEN' }), counts.members({ sort: 'SEEN' }), 2],
    [admin.products.list({}), counts.products({}), 2],
    [admin.products.list({ q: 'harbour' }), counts.products({ q: 'harbour' }), 1],
    [admin.comments.list({}), counts.comments({}), 1],
    [admin.comments.list({ q: 'dull' }), counts.comments({ q: 'dull' }), 0],
    [admin.inquiries.list({}), counts.inquiries({}), 3],
    [admin.inquiries.list(some), counts.inquiries(some), 2],
    [admin.cases.list({}), counts.cases({}), 3],
    [admin.cases.list({ status: 'COMPLETE' }), counts.cases({ status: 'COMPLETE' }), 0],
    [admin.mails.suppressed({ q: 'never' }), counts.suppressed({ q: 'never' }), 1],
    [admin.notices.list({ q: 'news' }), counts.notices({ q: 'news' }), 1],
    [admin.videos.list({}), counts.videos({}), 0],
    [webhooks.deliveries({ id }), webhooks.countDeliveries({ id }), 1],
    [webhooks.deliveries({ id, status: 'DELIVERED' }), webhooks.countDeliveries({ id, status: 'DELIVERED' }), 0],
    [admin.audit({ action: 'notice' }), counts.audit({ action: 'notice' }), 1],
  ] as const)
    expect(await sizes(list, counted)).toEqual([expected, { count: expected, hasMore: false }])
  const mails = await admin.mails.list({ size: 200 })
  expect(await counts.mails({})).toEqual({ count: mails.items.length, hasMore: false })
})

test('who may not read a list may not count it', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('CATALOG')
  expect(await failureOf(client.admin.counts.orders({}))).toMatchObject({ code: 'FORBIDDEN' })
  expect(await client.admin.counts.products({})).toEqual({ count: 0, hasMore: false })
})
