import { randomUUID } from 'node:crypto'
import { and, count, eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runBulkJobs } from '#api/modules/admin/bulk-jobs.ts'
import { products as productRows } from '#api/modules/catalog/catalog.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { mails } from '#api/modules/mail/mail.schema.ts'
import { purge } from '#api/modules/privacy/retention.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { audit, bulkJobItems } from '#api/platform/db/platform.schema.ts'
import type { BulkStartInput } from '#contract/admin/bulk.ts'
import { bulkJobId, memberId } from '#contract/ids.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const newJob = () => bulkJobId.parse(randomUUID())

const run = async (tenant: Tenant, signal?: AbortSignal) =>
  runBulkJobs(api.deps, (await resolveCustomer(api.deps, tenant.code))!, signal)

const addMembers = async (tenant: Tenant, number: number) => {
  const ids = Array.from({ length: number }, () => memberId.parse(randomUUID()))
  await tenant.within((db) =>
    db.insert(members).values(
      ids.map((id, at) => ({
        customerId: tenant.id,
        id,
        passwordHash: 'x',
        name: `Guest ${at}`,
        email: `guest-${at}@example.com`,
        emailLower: `guest-${at}@example.com`,
      })),
    ),
  )
  return ids
}

/** Stops a run after the first part of its job. */
const afterOnePart = () => {
  let reads = 0
  return {
    get aborted() {
      return reads++ > 0
    },
  } as AbortSignal
}

test('a job changes all that fit its filters, of which there are more than a page, and is undone', async () => {
  const tenant = await createTenant(api)
  const { client, email } = await tenant.createStaff('SUPPORT')
  const { bulk, members: list } = client.admin
  const ids = await addMembers(tenant, 130)
  const other = await tenant.createMember()
  const many = Array.from({ length: 10 }, (_, at) => `tag ${at}`)
  for (const round of [0, 1, 2]) await list.changeTags({ ids: [ids[7]!], add: many.map((tag) => `${tag} ${round}`) })
  await list.changeTags({ ids: [ids[3]!], add: ['fair'] })

  const filters = { q: 'guest-' }
  expect(await bulk.count({ kind: 'MEMBER_TAGS', filters })).toEqual({ count: 130 })
  const input = { id: newJob(), kind: 'MEMBER_TAGS' as const, filters, change: { add: ['fair'] } }
  expect(await bulk.start(input)).toMatchObject({ status: 'QUEUED', total: 130, done: 0, by: `staff:${email}` })
  // What fits later is not changed.
  await tenant.within((db) => db.update(members).set({ name: 'guest-late' }).where(eq(members.id, other.id)))
  await run(tenant)
  const { job, failures, history } = await bulk.get({ id: input.id })
  const changes = { add: { from: null, to: ['fair'] } }
  expect(history).toMatchObject([{ action: 'bulk.started', actor: `staff:${email}`, changes }])
  expect(job).toMatchObject({ status: 'DONE', done: 130, changed: 128, failed: 1, canUndo: true })
  expect(failures).toEqual([{ key: ids[7], email: 'guest-7@example.com', reason: 'TOO_MANY' }])
  expect((await list.tags()).items.find(({ tag }) => tag === 'fair')).toMatchObject({ members: 129 })
  expect((await list.get({ id: ids[0]! })).history[0]).toMatchObject({
    actor: `staff:${email}`,
    action: 'member.tagged',
  })
  const [entry] = await tenant.within((db) =>
    db
      .select()
      .from(audit)
      .where(eq(audit.subject, `bulk:${input.id}`)),
  )
  expect(entry).toMatchObject({ action: 'bulk.started', detail: { kind: 'MEMBER_TAGS', objects: 130 } })

  const undo = await bulk.undo({ id: input.id })
  expect(undo).toMatchObject({ undoOf: input.id, total: 128 })
  await run(tenant)
  expect((await bulk.get({ id: undo.id })).job).toMatchObject({ status: 'DONE', changed: 128, canUndo: false })
  expect((await list.tags()).items.find(({ tag }) => tag === 'fair')).toMatchObject({ members: 1 })
  expect((await failureOf(bulk.undo({ id: input.id }))).code).toBe('CONFLICT')
  expect((await bulk.list()).items.map(({ id }) => id)).toEqual([undo.id, input.id])
})

test('a job that is sent again is begun once, and an id is not used for another one', async () => {
  const tenant = await createTenant(api)
  const { bulk } = (await tenant.createStaff('SUPPORT')).client.admin
  await addMembers(tenant, 3)
  const input = { id: newJob(), kind: 'MEMBER_TAGS' as const, filters: { q: 'guest' }, change: { add: ['a'] } }
  const [first, second] = [await bulk.start(input), await bulk.start(input)]
  expect(second).toEqual(first)
  expect((await failureOf(bulk.start({ ...input, change: { add: ['b'] } }))).code).toBe('CONFLICT')
  await Promise.all([run(tenant), run(tenant), run(tenant)])
  await run(tenant)
  expect((await bulk.get({ id: input.id })).job).toMatchObject({ status: 'DONE', done: 3, changed: 3 })
  const rows = await tenant.within((db) =>
    db
      .select({ total: count() })
      .from(audit)
      .where(and(eq(audit.customerId, tenant.id), eq(audit.action, 'member.tagged'))),
  )
  expect(rows).toEqual([{ total: 3 }])
})

test('a job goes on where the process before ended, and stops when it is cancelled', async () => {
  const tenant = await createTenant(api)
  const { bulk } = (await tenant.createStaff('SUPPORT')).client.admin
  await addMembers(tenant, 60)
  const input = { id: newJob(), kind: 'MEMBER_TAGS' as const, filters: {}, change: { add: ['a'] } }
  await bulk.start(input)
  await run(tenant, afterOnePart())
  api.clock.advance(10_000)
  expect((await bulk.get({ id: input.id })).job).toMatchObject({ status: 'RUNNING', done: 25, changed: 25 })
  // 35 more at the pace of the first 25.
  const { secondsLeft } = (await bulk.get({ id: input.id })).job
  expect(secondsLeft).toBeGreaterThanOrEqual(14)
  expect(secondsLeft).toBeLessThan(60)
  await run(tenant, afterOnePart())
  const cancelled = await bulk.cancel({ id: input.id })
  expect(cancelled).toMatchObject({ status: 'CANCELLED', done: 50, changed: 50, canUndo: true })
  await run(tenant)
  expect((await bulk.get({ id: input.id })).job).toMatchObject({ done: 50 })
  expect((await failureOf(bulk.cancel({ id: input.id }))).code).toBe('CONFLICT')
  await bulk.undo({ id: input.id })
  await run(tenant)
  expect((await bulk.list()).items[0]).toMatchObject({ status: 'DONE', changed: 50 })
})

test('an object that fails by itself is passed over, and the others of its part are changed', async () => {
  const tenant = await createTenant(api)
  const { bulk } = (await tenant.createStaff('SUPPORT')).client.admin
  await addMembers(tenant, 5)
  const input = { id: newJob(), kind: 'MEMBER_TAGS' as const, filters: { q: 'guest' }, change: { add: ['a'] } }
  await bulk.start(input)
  await tenant.within((db) =>
    db
      .update(bulkJobItems)
      .set({ key: 'no id' })
      .where(and(eq(bulkJobItems.jobId, input.id), eq(bulkJobItems.position, 2))),
  )
  await run(tenant)
  const [job] = (await bulk.list()).items
  expect(job).toMatchObject({ status: 'DONE', done: 5, changed: 4, failed: 1 })
})

test('what failed in a job is tried again once, by whoever may, as it is now', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('SUPPORT')
  const second = await tenant.createStaff('OWNER')
  const { bulk, members: list } = client.admin
  const ids = await addMembers(tenant, 30)
  const tags = Array.from({ length: 30 }, (_, at) => `tag ${at}`)
  for (const from of [0, 10, 20])
    for (const id of [ids[4]!, ids[9]!]) await list.changeTags({ ids: [id], add: tags.slice(from, from + 10) })
  const filters = { q: 'guest-' }
  const input = { id: newJob(), kind: 'MEMBER_TAGS' as const, filters, change: { add: ['fair'] } }
  expect(await bulk.start(input)).toMatchObject({ canRetry: false, retryOf: null })
  expect((await failureOf(bulk.retry({ id: input.id }))).code).toBe('CONFLICT')
  await run(tenant)
  expect((await bulk.get({ id: input.id })).job).toMatchObject({ changed: 28, failed: 2, canRetry: true })
  expect(await failureOf((await tenant.createStaff('CATALOG')).client.admin.bulk.retry(input))).toMatchObject({
    status: 403,
  })

  // One of the two has room by now.
  await list.changeTags({ ids: [ids[4]!], remove: ['tag 0'] })
  const retry = await second.client.admin.bulk.retry({ id: input.id })
  expect(retry).toMatchObject({ status: 'QUEUED', total: 2, retryOf: input.id, by: `staff:${second.email}` })
  expect((await failureOf(bulk.retry({ id: input.id }))).code).toBe('CONFLICT')
  await run(tenant)
  const done = await bulk.get({ id: retry.id })
  expect(done.job).toMatchObject({ status: 'DONE', changed: 1, failed: 1, canUndo: true, canRetry: true })
  expect(done.failures).toMatchObject([{ key: ids[9], reason: 'TOO_MANY' }])
  const changes = { add: { from: null, to: ['fair'] } }
  expect(done.history).toMatchObject([{ action: 'bulk.started', actor: `staff:${second.email}`, changes }])
  const before = await bulk.get({ id: input.id })
  expect(before.job).toMatchObject({ canRetry: false })
  expect(before.history[0]).toMatchObject({ action: 'bulk.retried', detail: { objects: 2 } })

  // Each is undone by itself.
  await bulk.undo({ id: retry.id })
  await run(tenant)
  expect((await list.get({ id: ids[4]! })).tags).not.toContain('fair')
  expect((await list.get({ id: ids[0]! })).tags).toContain('fair')
})

test('a retry that is cancelled can be begun again, and one that no object can have is refused', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  const support = await tenant.createStaff('SUPPORT')
  const { bulk, products } = owner.client.admin
  await tenant.createProduct({ status: 'DRAFT', file: false })
  const until = new Date(api.clock.now().getTime() + dayMilliseconds).toISOString()
  const change = { status: 'ON_SALE' as const, discount: { percent: 10, from: null, until } }
  const { id } = await bulk.start({ id: newJob(), kind: 'PRODUCTS', filters: { state: 'DRAFT' }, change })
  await run(tenant)
  const retry = await bulk.retry({ id })
  await bulk.cancel({ id: retry.id })
  expect((await bulk.get({ id })).job).toMatchObject({ failed: 1, canRetry: true })
  expect(await failureOf(support.client.admin.bulk.retry({ id }))).toMatchObject({ status: 403 })
  api.clock.advance(2 * dayMilliseconds)
  expect(await failureOf(bulk.retry({ id }))).toMatchObject({ code: 'VALIDATION_FAILED' })
  expect((await products.list({ state: 'DRAFT' })).items).toHaveLength(1)
})

test('the undo of a retry that was cancelled is no retry: what is left can be tried again', async () => {
  const tenant = await createTenant(api)
  const { bulk, members: list } = (await tenant.createStaff('SUPPORT')).client.admin
  const ids = await addMembers(tenant, 30)
  const tags = Array.from({ length: 30 }, (_, at) => `tag ${at}`)
  for (const from of [0, 10, 20]) await list.changeTags({ ids, add: tags.slice(from, from + 10) })
  const { id } = await bulk.start({ id: newJob(), kind: 'MEMBER_TAGS', filters: {}, change: { add: ['fair'] } })
  await run(tenant)
  expect((await bulk.get({ id })).job).toMatchObject({ failed: 30, canRetry: true })
  await list.changeTags({ ids, remove: ['tag 0'] })
  const retry = await bulk.retry({ id })
  await run(tenant, afterOnePart())
  expect(await bulk.cancel({ id: retry.id })).toMatchObject({ changed: 25, canUndo: true })
  expect(await bulk.undo({ id: retry.id })).toMatchObject({ total: 25, undoOf: retry.id, retryOf: null })
  await run(tenant)
  expect((await bulk.get({ id })).job).toMatchObject({ canRetry: true })
})

test.each([
  ['MEMBER_TAGS', { add: ['fair'] }],
  ['PARTNERSHIPS', { until: '2999-12-31', name: 'Harbour Ltd', reason: 'A contract' }],
] as const)('%s: a member who is erased before the undo is reported, and not tried again', async (kind, change) => {
  const tenant = await createTenant(api)
  const { bulk, members: list } = (await tenant.createStaff('OWNER')).client.admin
  const [first, second] = await addMembers(tenant, 3)
  const { id } = await bulk.start({ id: newJob(), kind, filters: { q: 'guest-' }, change } as BulkStartInput)
  await run(tenant)
  const undo = await bulk.undo({ id })
  expect(undo).toMatchObject({ total: 3 })
  await list.erase({ id: first!, email: 'guest-0@example.com', reason: 'A letter' })
  await run(tenant)
  const done = await bulk.get({ id: undo.id })
  expect(done.job).toMatchObject({ status: 'DONE', changed: 2, failed: 1 })
  expect(done.failures).toEqual([{ key: first, email: null, reason: 'NOT_FOUND' }])
  expect(await list.get({ id: second! })).toMatchObject({ tags: [], partnershipName: null })

  const retry = await bulk.retry({ id: undo.id })
  expect(retry).toMatchObject({ total: 0, retryOf: undo.id, undoOf: id })
  await run(tenant)
  expect((await bulk.get({ id: retry.id })).job).toMatchObject({ status: 'DONE', failed: 0 })
})

test('whoever begins a job needs its permission, then and while it runs', async () => {
  const tenant = await createTenant(api)
  const catalog = await tenant.createStaff('CATALOG')
  const support = await tenant.createStaff('SUPPORT')
  const owner = await tenant.createStaff('OWNER')
  await addMembers(tenant, 3)
  const input = { id: newJob(), kind: 'MEMBER_TAGS' as const, filters: {}, change: { add: ['a'] } }
  const { bulk } = catalog.client.admin
  expect(await failureOf(bulk.count({ kind: 'MEMBER_TAGS', filters: {} }))).toMatchObject({ status: 403 })
  expect(await failureOf(bulk.start(input))).toMatchObject({ status: 403 })
  await support.client.admin.bulk.start(input)
  expect(await bulk.list()).toEqual({ items: [] })
  for (const call of [bulk.get, bulk.cancel, bulk.undo])
    expect(await failureOf(call({ id: input.id }))).toMatchObject({ status: 403 })
  const { items: people } = await owner.client.staff.people()
  await owner.client.staff.remove({ id: people.find(({ email }) => email === support.email)!.id })
  await run(tenant)
  expect((await owner.client.admin.bulk.get({ id: input.id })).job).toMatchObject({ status: 'REFUSED', done: 0 })
})

test('products, partnerships, inquiries and failed emails are changed as jobs too', async () => {
  const tenant = await createTenant(api)
  const owner = await tenant.createStaff('OWNER')
  const support = await tenant.createStaff('SUPPORT')
  const { bulk, products, members: list, mails: log } = owner.client.admin
  const [film, empty] = [await tenant.createProduct(), await tenant.createProduct({ status: 'DRAFT', file: false })]
  const [first] = await addMembers(tenant, 2)
  const start = async (input: object) => {
    const { id } = await bulk.start({ ...input, id: newJob() } as unknown as BulkStartInput)
    await run(tenant)
    return bulk.get({ id })
  }
  const hidden = await start({ kind: 'PRODUCTS', filters: { state: 'ON_SALE' }, change: { status: 'HIDDEN' } })
  expect(hidden.job).toMatchObject({ total: 1, changed: 1 })
  expect(await products.get({ code: film.code })).toMatchObject({ status: 'HIDDEN' })
  await bulk.undo({ id: hidden.job.id })
  await run(tenant)
  expect(await products.get({ code: film.code })).toMatchObject({ status: 'ON_SALE' })
  const unready = await start({ kind: 'PRODUCTS', filters: { state: 'DRAFT' }, change: { status: 'ON_SALE' } })
  expect(unready.failures).toEqual([{ key: empty.code, email: null, reason: 'NOT_READY' }])

  const contractOf = { until: '2999-12-31', name: 'Harbour Ltd', reason: 'A contract' }
  const past = await failureOf(
    start({ kind: 'PARTNERSHIPS', filters: {}, change: { ...contractOf, until: '2020-01-01' } }),
  )
  expect(Object.keys(past.problem.errors ?? {})).toEqual(['change.until'])
  const given = await start({ kind: 'PARTNERSHIPS', filters: { q: 'guest' }, change: contractOf })
  expect(given.job).toMatchObject({ changed: 2 })
  await bulk.undo({ id: given.job.id })
  await run(tenant)
  expect(await list.get({ id: first! })).toMatchObject({ partnershipUntil: null, partnershipName: null })

  const member = await tenant.createMember()
  for (const title of ['One', 'Two'])
    await member.client.support.createInquiry({ type: 'ETC', title, body: 'How do I watch it?' })
  const { assignees } = await support.client.admin.inquiries.facets()
  const { items: people } = await owner.client.staff.people()
  const assigneeId = people.find(({ email }) => email === support.email)!.id
  expect(assignees.map(({ id }) => id)).toContain(assigneeId)
  const assigned = await start({ kind: 'INQUIRIES', filters: { words: 'WATCH' }, change: { assigneeId } })
  expect(assigned.job).toMatchObject({ total: 2, changed: 2 })
  const notices = await tenant.within((db) =>
    db
      .select()
      .from(mails)
      .where(and(eq(mails.customerId, tenant.id), like(mails.template, '%assigned%'))),
  )
  expect(notices).toMatchObject([{ to: support.email }])
  const { items: theirs } = await support.client.admin.inquiries.list({ assignee: assigneeId })
  const taken = theirs[0]!.code
  const ownerId = people.find(({ email }) => email === owner.email)!.id
  await owner.client.admin.inquiries.assignMany({ codes: [taken], assigneeId: ownerId })
  const { id: undoId } = await bulk.undo({ id: assigned.job.id })
  await run(tenant)
  expect(await bulk.get({ id: undoId })).toMatchObject({
    job: { changed: 1, failed: 1 },
    failures: [{ key: taken, reason: 'VERSION_CONFLICT' }],
  })
  expect((await support.client.admin.inquiries.list({ assignee: 'NONE' })).items).toHaveLength(1)
  expect((await support.client.admin.inquiries.list({ assignee: ownerId })).items).toMatchObject([{ code: taken }])

  await log.sendTest({ email: 'kim@example.com' })
  await tenant.within((db) =>
    db
      .update(mails)
      .set({ status: 'FAILED', failure: 'Outage' })
      .where(and(eq(mails.customerId, tenant.id), eq(mails.to, 'kim@example.com'))),
  )
  const resent = await start({ kind: 'MAILS', filters: { template: 'test' }, change: {} })
  expect(resent.job).toMatchObject({ total: 1, changed: 1, canUndo: false })
  expect((await log.list({ to: 'kim@example.com' })).items[0]).toMatchObject({ status: 'QUEUED' })
})

test('discounts, access and tags of all products that fit filters are changed, previewed and undone', async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('CATALOG')
  const { bulk, products } = staff.client.admin
  const made = await tenant.createProducts([
    { title: 'Sea one', price: 1000, tags: ['sea'] },
    { title: 'Sea two', price: 333, tags: ['sea', 'old'] },
    { title: 'Sea free', price: null, kind: 'FREE', access: 'MEMBER' },
    { title: 'Land', price: 5000 },
  ])
  const [one, two, free] = made.map(({ code }) => code)
  const inHours = (hours: number) => new Date(api.clock.now().getTime() + hours * 3_600_000).toISOString()
  const filters = { q: 'sea' }
  const discount = { percent: 25, from: null, until: inHours(24) }
  expect(await products.previewMany({ filters, discount })).toEqual({
    products: 3,
    priced: 2,
    lowest: { amount: 250, currency: 'USD' },
    highest: { amount: 750, currency: 'USD' },
  })
  expect(await products.previewMany({ codes: [one!] })).toMatchObject({ products: 1, priced: null, lowest: null })
  const start = async (change: Extract<BulkStartInput, { kind: 'PRODUCTS' }>['change']) => {
    const job = await bulk.start({ id: newJob(), kind: 'PRODUCTS', filters, change })
    await run(tenant)
    return bulk.get({ id: job.id })
  }
  const ended = await failureOf(start({ discount: { ...discount, until: '2020-01-01T00:00:00Z' } }))
  expect(Object.keys(ended.problem.errors)).toEqual(['change.discount.until'])

  const translated = { ko: { tags: ['바다', '오래된'] } }
  const ofTwo = eq(productRows.id, made[1]!.id)
  await tenant.within((db) => db.update(productRows).set({ translations: translated }).where(ofTwo))
  const withoutOld = await start({ removeTags: ['sea', 'old'] })
  await bulk.undo({ id: withoutOld.job.id })
  await run(tenant)
  expect((await tenant.within((db) => db.select().from(productRows).where(ofTwo)))[0]).toMatchObject({
    tags: ['sea', 'old'],
    translations: translated,
  })

  const changed = await start({ discount, addTags: ['new'], removeTags: ['old'], access: 'PURCHASE_OR_PLAN' })
  expect(changed).toMatchObject({
    job: { total: 3, changed: 2, failed: 1, canUndo: true },
    failures: [{ key: free, reason: 'VALIDATION_FAILED' }],
  })
  const after = await products.get({ code: two! })
  expect(after).toMatchObject({
    access: 'PURCHASE_OR_PLAN',
    tags: ['sea', 'new'],
    price: { amount: 250 },
    options: [
      {
        price: { amount: 250 },
        listPrice: { amount: 333 },
        priceChanges: [{ at: discount.until, price: { amount: 333 }, listPrice: null }],
      },
    ],
  })
  expect(after.history[0]).toMatchObject({ actor: `staff:${staff.email}`, action: 'product.changed' })
  expect(Object.keys(after.history[0]!.changes)).toEqual(expect.arrayContaining(['access', 'tags']))
  const page = await tenant.guest.catalog.productOptions({ id: made[0]!.id })
  expect(page.items).toMatchObject([{ price: { amount: 750 }, listPrice: { amount: 1000 } }])

  // Another discount replaces the one before, and a later one begins by itself.
  const later = { percent: 10, from: inHours(2), until: inHours(4) }
  await start({ discount: later })
  expect((await products.get({ code: one! })).options).toMatchObject([
    {
      price: { amount: 1000 },
      listPrice: null,
      priceChanges: [
        { at: later.from, price: { amount: 900 }, listPrice: { amount: 1000 } },
        { at: later.until, price: { amount: 1000 }, listPrice: null },
      ],
    },
  ])
  const away = await start({ discount: null })
  expect(away.job).toMatchObject({ changed: 2, failed: 0 })
  expect((await products.get({ code: one! })).options).toMatchObject([{ price: { amount: 1000 }, priceChanges: [] }])
  await bulk.undo({ id: away.job.id })
  await run(tenant)
  expect((await products.get({ code: one! })).options[0]?.priceChanges).toHaveLength(2)

  const { items } = await products.changeMany({ codes: [one!], discount, removeTags: ['new'] })
  await products.restoreMany({ items: items.flatMap(({ before }) => before ?? []) })
  expect(await products.get({ code: one! })).toMatchObject({ tags: ['sea', 'new'], price: { amount: 1000 } })
})

test('jobs are deleted with their objects after thirty days', async () => {
  const tenant = await createTenant(api)
  const { bulk } = (await tenant.createStaff('SUPPORT')).client.admin
  await addMembers(tenant, 2)
  const { id } = await bulk.start({ id: newJob(), kind: 'MEMBER_TAGS' as const, filters: {}, change: { add: ['a'] } })
  await run(tenant)
  const customer = (await resolveCustomer(api.deps, tenant.code))!
  const clock = { now: () => new Date(api.clock.now().getTime() + 31 * dayMilliseconds) }
  await tenant.within((db) => purge({ customer, db, clock }, 100))
  expect((await failureOf(bulk.get({ id }))).status).toBe(404)
  expect(await tenant.within((db) => db.select().from(bulkJobItems).where(eq(bulkJobItems.jobId, id)))).toEqual([])
})

test.each([
  ['MEMBER_TAGS', { add: ['fair'] }, 'from', 'to'],
  ['PARTNERSHIPS', { name: null, until: null, reason: 'Ended' }, 'from', 'to'],
  ['MAILS', {}, 'since', 'until'],
] as const)('a range of %s that ends before it starts is refused at its end', async (kind, change, start, end) => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('OWNER')
  const { bulk } = client.admin
  const filters = { [start]: '2026-02-02', [end]: '2026-02-01' }
  const refused = { status: 422, problem: { errors: { [`filters.${end}`]: ['Enter 2026-02-02 or a later day.'] } } }
  expect(await failureOf(bulk.count({ kind, filters } as never))).toMatchObject(refused)
  expect(await failureOf(bulk.start({ id: newJob(), kind, filters, change } as never))).toMatchObject(refused)
  expect((await bulk.list()).items).toEqual([])
  const right = { [start]: '2026-02-02', [end]: '2026-02-02' }
  expect(await bulk.count({ kind, filters: right } as never)).toEqual({ count: 0 })
})
