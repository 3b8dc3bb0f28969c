import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { mails } from '#api/modules/mail/mail.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { dayAfter, dayAt, offsetAt, startOfDay } from '#api/platform/clock.ts'
import { newId } from '#api/platform/db/columns.ts'
import { homePermissions } from '#contract/admin/home.ts'
import { type OrderCode, type OrderId, orderCode, productCode } from '#contract/ids.ts'
import { rolePermissions, staffRole } from '#contract/permissions.ts'
import { buy } from '#tests/support/buying.ts'
import { mailTo } from '#tests/support/mails.ts'
import { asMember, createFilm, openMedia } from '#tests/support/media.ts'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant, type Tenant, type TestMember, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const media = await openMedia(api)
let tenant: Tenant
let member: TestMember
let owner: TestStaff

beforeAll(async () => {
  tenant = await createTenant(api)
  member = await tenant.createMember()
  owner = await tenant.createStaff('OWNER')
})

const paidOrder = async () => {
  const order = await buy(api, tenant, member, await tenant.createProduct())
  return owner.client.admin.orders.get({ code: order.code as OrderCode })
}

describe('orders', () => {
  test('are listed in pages that miss and repeat none, also where many have the same time', async () => {
    const store = await createTenant(api)
    const buyer = await store.createMember()
    const { client } = await store.createStaff('SUPPORT')
    const codes = Array.from({ length: 25 }, (_, at) => orderCode.parse(`20261101-${String(at).padStart(6, '0')}`))
    await store.within((db) =>
      db.insert(orders).values(
        codes.map((code, at) => ({
          customerId: store.id,
          id: newId<OrderId>(),
          code,
          memberId: buyer.id,
          status: at % 2 === 0 ? ('PAYMENT_COMPLETE' as const) : ('PAYMENT_FAIL' as const),
          method: 'CARD' as const,
          totalAmount: 900,
          currency: 'KRW',
          refundPolicyVersion: '1',
          // Microseconds, which JavaScript's times lack.
          createdAt: `2026-11-01T00:00:00.00000${Math.floor(at / 10)}Z`,
        })),
      ),
    )
    const readAll = async (filter: object) => {
      const codes: string[] = []
      let cursor: string | undefined
      do {
        const page = await client.admin.orders.list({ ...filter, size: 4, ...(cursor && { cursor }) })
        codes.push(...page.items.map(({ code }) => code))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      return codes
    }
    expect(await readAll({})).toEqual(codes.toReversed())
    expect(await readAll({ status: 'PAYMENT_FAIL' })).toHaveLength(12)
    expect(await readAll({ q: '20261101-000003' })).toEqual(['20261101-000003'])
    // A beginning is enough once it names a day.
    expect(await readAll({ q: '20261101-00000' })).toEqual(codes.slice(0, 10).toReversed())
    expect(await readAll({ q: '20261101' })).toHaveLength(25)
    expect(await readAll({ q: '20261102' })).toEqual([])
    expect(await readAll({ q: '2026110' })).toEqual([])
    expect(await readAll({ q: buyer.email.slice(0, 6).toUpperCase() })).toHaveLength(25)
    expect(await readAll({ q: 'nobody@' })).toEqual([])
    // A part of the member's name or address is enough, on each page and in the file.
    expect(await readAll({ q: 'a PARK' })).toEqual(codes.toReversed())
    expect(await readAll({ q: buyer.email.slice(3, 9), status: 'PAYMENT_FAIL' })).toHaveLength(12)
    expect((await (await client.admin.orders.export({ q: 'mina p' })).text()).trimEnd().split('\r\n')).toHaveLength(26)
    expect(await client.admin.counts.orders({ q: 'a park' })).toEqual({ count: 25, hasMore: false })
    expect(await readAll({ q: '#20261101-000003' })).toEqual(['20261101-000003'])
    const find = async (q: string) => (await client.admin.orders.search({ q })).items
    expect((await find('20261101')).map(({ code }) => code)).toEqual(codes.slice(-5).toReversed())
    expect(await find('000003')).toMatchObject([{ code: '20261101-000003' }])
    // The latest orders of a member are found by a part of the name or address.
    for (const q of [buyer.email.slice(3, 9).toUpperCase(), 'a park'])
      expect(
        (await find(q)).map(({ code }) => code),
        q,
      ).toEqual(codes.slice(-5).toReversed())
    expect(await find('nobody@')).toEqual([])
    // So are the last characters, in either case.
    expect(await readAll({ q: '000003' })).toEqual(['20261101-000003'])
    expect(await readAll({ q: '#000003' })).toEqual(['20261101-000003'])
    expect(await readAll({ q: '00000z' })).toEqual([])
    // A day or an end of a code may begin an email address as well.
    await store.within((db) => db.update(members).set({ emailLower: '20010203@example.com' }))
    expect(await readAll({ q: '20010203' })).toHaveLength(25)
    await store.within((db) => db.update(members).set({ emailLower: '000003@example.com' }))
    expect(await readAll({ q: '000003' })).toHaveLength(25)
    expect(await readAll({ q: '000003', status: 'PAYMENT_FAIL' })).toHaveLength(12)
    expect(await readAll({ from: '2026-11-02' })).toEqual([])
    expect(await readAll({ sort: 'OLDEST' })).toEqual(codes)
    // The first five cost something else, and two of them were given or sold outside of the store.
    await store.within(async (db) => {
      for (const [at, change] of [
        { totalAmount: 100 },
        { totalAmount: 5_000 },
        { totalAmount: 0, complimentary: true },
        { recordedAs: 'CASH' as const },
        { method: 'BANK' as const },
      ].entries())
        await db.update(orders).set(change).where(eq(orders.code, codes[at]!))
    })
    const byTotal = await readAll({ sort: 'TOTAL' })
    expect([byTotal[0], ...byTotal.slice(-2)]).toEqual([codes[1], codes[0], codes[2]])
    expect(new Set(byTotal).size).toBe(25)
    expect(await readAll({ min: 1_000 })).toEqual([codes[1]])
    expect(await readAll({ min: 1, max: 899 })).toEqual([codes[0]])
    expect(await readAll({ way: 'COMPLIMENTARY' })).toEqual([codes[2]])
    expect(await readAll({ way: 'RECORDED' })).toEqual([codes[3]])
    expect(await readAll({ way: 'BANK' })).toEqual([codes[4]])
    expect(await readAll({ way: 'CARD', max: 899 })).toEqual([codes[0]])
    const film = await store.createProduct({ price: 900 })
    const order = await buy(api, store, await store.createMember(), film)
    expect(await readAll({ product: film.code })).toEqual([order.code])
    expect(await readAll({ product: 'another-film' })).toEqual([])
    const { nextCursor } = await client.admin.orders.list({ sort: 'TOTAL', size: 4 })
    expect(await failureOf(client.admin.orders.list({ cursor: nextCursor! }))).toMatchObject({ status: 422 })
    expect(await failureOf(client.admin.orders.list({ cursor: 'x'.repeat(40) }))).toMatchObject({ status: 422 })
  })

  test('show their money, the rule’s refund and the history with notes', async () => {
    const order = await paidOrder()
    expect(order).toMatchObject({
      status: 'PAYMENT_COMPLETE',
      member: { email: member.email },
      rule: { action: 'REFUND', amount: order.total },
      payments: [{ status: 'PAID', amount: order.total }],
      history: [],
    })
    await owner.client.admin.orders.addNote({ code: order.code, text: 'Called back.' })
    const { history } = await owner.client.admin.orders.get({ code: order.code })
    expect(history).toMatchObject([
      { actor: `staff:${owner.email}`, action: 'note.added', detail: { text: 'Called back.' } },
    ])
    const entries = await owner.client.admin.audit({ subject: `order:${order.code}`, action: 'note' })
    expect(entries.items).toMatchObject(history)
  })

  test('are refunded once, by who saw their present state', async () => {
    const order = await paidOrder()
    const refund = { code: order.code, reason: 'Broken sound' }
    expect(await failureOf(owner.client.admin.orders.refund(refund))).toMatchObject({ code: 'VERSION_MISSING' })
    const both = await Promise.allSettled([
      owner.withVersion(order.version).admin.orders.refund(refund),
      owner.withVersion(order.version).admin.orders.refund(refund),
    ])
    const answered = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(answered).toMatchObject([{ step: 'REFUND', amount: order.total }])
    const now = await owner.client.admin.orders.get({ code: order.code })
    expect(now).toMatchObject({ status: 'CANCEL_COMPLETE', refunded: order.total })
    expect(await failureOf(owner.withVersion(order.version).admin.orders.refund(refund))).toMatchObject({
      status: 412,
      problem: {
        data: { version: now.version, changes: [{ action: 'order.refunded', actor: `staff:${owner.email}` }] },
      },
    })
  })

  test('past the rule are refunded only where it is overridden', async () => {
    const order = await paidOrder()
    api.clock.advance(30 * 24 * 3_600_000)
    const { client, token } = await tenant.createStaff('FINANCE')
    const now = await client.admin.orders.get({ code: order.code })
    expect(now.rule).toMatchObject({ action: 'NONE', why: 'TOO_LATE' })
    const seen = api.client(tenant.code, { token, headers: { 'if-match': now.version } })
    const refund = { code: order.code, reason: 'Goodwill', itemIds: [order.items[0]!.id] }
    expect(await failureOf(seen.admin.orders.refund(refund))).toMatchObject({ code: 'REFUND_AGAINST_RULE' })
    expect(await seen.admin.orders.refund({ ...refund, overridesRule: true })).toMatchObject({ step: 'REFUND' })
    const { items } = await client.admin.audit({ subject: `order:${order.code}` })
    expect(items).toMatchObject([{ action: 'order.refunded', detail: { againstRule: true, reason: 'Goodwill' } }])
  })
})

describe('members', () => {
  test('are found by part of their name or address, and shown with titles, sessions and notes', async () => {
    const store = await createTenant(api)
    const member = await store.createMember('mina@films.example.com')
    await store.createMember('else@example.com')
    const { client } = await store.createStaff('SUPPORT')
    expect((await client.admin.members.list({ q: 'FILMS' })).items).toMatchObject([{ id: member.id, orders: 0 }])
    const first = await client.admin.members.list({ size: 1 })
    const { items } = await client.admin.members.list({ size: 1, cursor: first.nextCursor! })
    expect(items).toMatchObject([{ id: member.id }])
    await client.admin.members.addNote({ id: member.id, text: 'Prefers Korean.' })
    expect(await client.admin.members.get({ id: member.id })).toMatchObject({
      email: member.email,
      sessions: [{ device: expect.any(String) }],
      history: [{ action: 'note.added' }],
    })
    await client.admin.members.signOut({ id: member.id })
    expect(await failureOf(member.client.identity.me())).toMatchObject({ status: 401 })
  })
})

describe('granted titles', () => {
  /** A client whose writes have a key. */
  const keyed = ({ token }: TestStaff) =>
    api.client(tenant.code, { token, headers: { 'idempotency-key': crypto.randomUUID() } }).admin.members

  test('open a title until they are taken away, which ends the stream at once, and both are in the history', async () => {
    const film = await createFilm(tenant)
    await media.write(`${film.video.asset}/master.m3u8`, '#EXTM3U')
    const fan = await tenant.createMember()
    const staff = await tenant.createStaff('SUPPORT')
    const { client, email } = staff
    const title = { id: fan.id, productCode: film.code }
    const start = () => fan.client.playback.startPlayback({ id: film.id })
    expect(await failureOf(start())).toMatchObject({ code: 'NOT_ENTITLED' })
    await keyed(staff).grantTitle({ ...title, reason: 'Won a prize' })
    const { manifestUrl } = await start()
    const watch = async () => (await media.get(manifestUrl, asMember(fan.token))).status
    expect(await watch()).toBe(200)
    expect(await client.admin.members.get({ id: fan.id })).toMatchObject({
      rights: [{ productCode: film.code, source: 'GRANT', expiresAt: null }],
    })
    await client.admin.members.revokeTitle({ ...title, reason: 'By mistake' })
    expect(await watch()).toBe(403)
    expect(await failureOf(start())).toMatchObject({ code: 'NOT_ENTITLED' })
    const { rights, history } = await client.admin.members.get({ id: fan.id })
    expect(rights).toEqual([])
    const actor = `staff:${email}`
    expect(history).toMatchObject([
      {
        action: 'title.revoked',
        actor,
        detail: { reason: 'By mistake' },
        changes: { title: { from: film.code, to: null } },
      },
      {
        action: 'title.granted',
        actor,
        detail: { reason: 'Won a prize' },
        changes: { title: { from: null, to: film.code } },
      },
    ])
    expect(await failureOf(client.admin.members.revokeTitle({ ...title, reason: 'Again' }))).toMatchObject({
      status: 404,
    })
  })

  test('end with their last day, after which the title can be granted again', async () => {
    const [film, fan] = [await tenant.createProduct(), await tenant.createMember()]
    const title = { id: fan.id, productCode: film.code, reason: 'Press' }
    let staff = await tenant.createStaff('SUPPORT')
    const grant = (until: string) => keyed(staff).grantTitle({ ...title, until })
    const rightsNow = async () => (await staff.client.admin.members.get({ id: fan.id })).rights
    const dayIn = (days: number) => new Date(api.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
    expect(await failureOf(grant(dayIn(-2)))).toMatchObject({ problem: { errors: { until: [expect.any(String)] } } })
    await grant(dayIn(2))
    expect(await rightsNow()).toMatchObject([{ expiresAt: expect.any(String) }])
    api.clock.advance(4 * 86_400_000)
    staff = await tenant.createStaff('SUPPORT')
    expect(await rightsNow()).toEqual([])
    await keyed(staff).grantTitle(title)
    expect(await rightsNow()).toMatchObject([{ expiresAt: null }])
  })

  test('are granted once, however often and by however many people it is sent', async () => {
    const staff = await tenant.createStaff('OWNER')
    const [film, fan] = [await tenant.createProduct(), await tenant.createMember()]
    const title = { id: fan.id, productCode: film.code, reason: 'Prize' }
    const sends = Array.from({ length: 4 }, () => keyed(staff).grantTitle(title))
    const outcomes = await Promise.allSettled(sends)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const sameKey = keyed(staff)
    await staff.client.admin.members.revokeTitle(title)
    await sameKey.grantTitle(title)
    await sameKey.grantTitle(title)
    const { rights, history } = await staff.client.admin.members.get({ id: fan.id })
    expect(rights).toHaveLength(1)
    expect(history.map(({ action }) => action)).toEqual(['title.granted', 'title.revoked', 'title.granted'])
  })

  test('are no drafts, and leave bought titles alone; who only reads members grants none', async () => {
    const staff = await tenant.createStaff('OWNER')
    const fan = await tenant.createMember()
    const bought = await tenant.createProduct()
    await buy(api, tenant, fan, bought)
    const title = { id: fan.id, productCode: bought.code, reason: 'Prize' }
    const field = { status: 422, problem: { errors: { productCode: [expect.any(String)] } } }
    expect(await failureOf(keyed(staff).grantTitle(title))).toMatchObject(field)
    expect(await failureOf(staff.client.admin.members.revokeTitle(title))).toMatchObject({ status: 404 })
    const unknown = { ...title, productCode: productCode.parse('no-such-product') }
    expect(await failureOf(keyed(staff).grantTitle(unknown))).toMatchObject(field)
    const draft = await staff.client.admin.products.create({
      code: productCode.parse('draft-1'),
      title: 'Draft',
      kind: 'VOD',
    })
    const ofDraft = { ...title, productCode: draft.code }
    expect(await failureOf(keyed(staff).grantTitle(ofDraft))).toMatchObject(field)
    const finance = await tenant.createStaff('FINANCE')
    expect(await failureOf(keyed(finance).grantTitle(title))).toMatchObject({ status: 403 })
    expect(await failureOf(finance.client.admin.members.revokeTitle(title))).toMatchObject({ status: 403 })
    expect((await staff.client.admin.members.get({ id: fan.id })).rights).toMatchObject([{ source: 'OWN' }])
  })
})

test('comments and inquiries are decided and answered in the name of the person', async () => {
  const product = await tenant.createProduct({ access: 'FREE', price: null })
  const late = await tenant.createMember()
  const { client, email, token } = await tenant.createStaff('SUPPORT')
  const heldComment = await late.client.engagement.addComment({ id: product.id, body: 'See https://example.com/offer' })
  expect(await client.admin.comments.queue()).toMatchObject({ held: 1, items: [{ id: heldComment.id, state: 'HELD' }] })
  await client.admin.comments.approve({ id: heldComment.id })
  await client.admin.comments.reply({ id: heldComment.id, body: 'Thank you.' })
  expect((await client.admin.comments.queue()).items).toEqual([])
  expect((await tenant.guest.engagement.comments({ id: product.id })).items).toMatchObject([{ id: heldComment.id }])

  const file = await late.client.support.sendFile({ file: new File(['no sound'], 'sound.html', { type: 'text/html' }) })
  const inquiry = await late.client.support.createInquiry({
    type: 'ETC',
    title: 'Sound',
    body: 'No sound.',
    files: [file.id],
  })
  const { items } = await client.admin.inquiries.list({})
  expect(items).toMatchObject([{ code: inquiry.code, status: 'WAIT' }])
  const answer = { code: inquiry.code, body: 'Fixed today.' }
  expect(await failureOf(client.admin.inquiries.answer(answer))).toMatchObject({ code: 'VERSION_MISSING' })
  const seen = await client.admin.inquiries.get({ code: inquiry.code })
  const [shown] = seen.messages[0]!.files
  expect(await (await client.admin.inquiries.file({ code: inquiry.code, id: shown!.id })).text()).toBe('no sound')
  const versioned = api.client(tenant.code, { token, headers: { 'if-match': `"${seen.version}"` } }).admin.inquiries
  const both = await Promise.allSettled([versioned.answer(answer), versioned.answer(answer)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await failureOf(versioned.answer(answer))).toMatchObject({
    code: 'VERSION_CONFLICT',
    problem: {
      data: {
        changes: [
          {
            action: 'inquiry.answered',
            changes: { status: { from: 'WAIT', to: 'COMPLETE' }, assignee: { from: null, to: 'Jo Kim' } },
          },
        ],
      },
    },
  })
  expect((await mailTo(tenant, late.email)).text).toContain('Fixed today.')
  expect(await client.admin.inquiries.get({ code: inquiry.code })).toMatchObject({
    status: 'COMPLETE',
    messages: [{ author: 'MEMBER' }, { author: 'ADMIN', body: 'Fixed today.' }],
  })
  const { client: manager } = await tenant.createStaff('MANAGER')
  const audited = await manager.admin.audit({ actor: `staff:${email}` })
  expect(audited.items.map(({ action }) => action)).toEqual([
    'inquiry.answered',
    'comment.answered',
    'comment.approved',
  ])
})

test('home compares today with a week ago and counts what waits', async () => {
  const store = await createTenant(api)
  const { client } = await store.createStaff('MANAGER')
  const buyer = await store.createMember()
  const order = await buy(api, store, buyer, await store.createProduct({ price: 700 }))
  await buyer.client.support.createInquiry({ type: 'ETC', title: 'Sound', body: 'No sound.' })
  const first = await client.admin.home()
  expect(first.today).toEqual({ orders: 1, revenue: order.total, members: expect.any(Number) })
  expect(first.weekAgo).toMatchObject({ orders: 0, members: 0 })
  expect(first.waiting).toMatchObject({ inquiries: 1, refundRequests: 0, deposits: 0, failedMails: 0, heldComments: 0 })
  api.clock.advance(7 * 24 * 3_600_000)
  const next = await client.admin.home()
  expect(next.today?.orders).toBe(0)
  expect(next.weekAgo).toMatchObject({ orders: 1, revenue: order.total })

  // Each role sees what it may read, and null in place of the rest.
  const { waiting } = await client.admin.home()
  for (const role of staffRole.options) {
    const shown = await (await store.createStaff(role)).client.admin.home()
    const may = (part: keyof typeof homePermissions) => rolePermissions[role].includes(homePermissions[part])
    expect(shown.today, role).toEqual(may('figures') ? next.today : null)
    expect(shown.weekAgo, role).toEqual(may('figures') ? next.weekAgo : null)
    const visible = Object.entries(waiting).map(([part, value]) => [
      part,
      may(part as keyof typeof waiting) ? value : null,
    ])
    expect(shown.waiting, role).toEqual(Object.fromEntries(visible))
  }
  const catalog = await (await store.createStaff('CATALOG')).client.admin.home()
  expect(catalog).toMatchObject({ today: null, waiting: { failedVideos: 0, inquiries: null, deposits: null } })
  const support = await (await store.createStaff('SUPPORT')).client.admin.home()
  expect(support.waiting).toMatchObject({ inquiries: 1, failedVideos: null, disabledWebhooks: null })
})

test('emails are listed by recipient, and one that failed is sent again', async () => {
  const store = await createTenant(api)
  const buyer = await store.createMember()
  await buy(api, store, buyer, await store.createProduct())
  const { client } = await store.createStaff('SUPPORT')
  await store.within((db) => db.update(mails).set({ status: 'FAILED', failure: 'mailbox full' }))
  const { items } = await client.admin.mails.list({ to: buyer.email, status: 'FAILED' })
  expect(items).toMatchObject([{ template: 'receipt', failure: 'mailbox full' }])
  expect(await client.admin.mails.resend({ id: items[0]!.id })).toEqual({ id: items[0]!.id })
  expect((await client.admin.mails.list({ to: buyer.email })).items).toMatchObject([{ status: 'QUEUED', attempts: 0 }])
  expect((await client.admin.mails.list({ to: 'nobody@example.com' })).items).toEqual([])
})

test('the receipt of a paid order is sent again, once a minute and not for an order that is not paid', async () => {
  const store = await createTenant(api)
  const buyer = await store.createMember()
  const order = await buy(api, store, buyer, await store.createProduct())
  const { client, withVersion } = await store.createStaff('MANAGER')
  await client.admin.orders.sendReceipt({ code: order.code })
  expect(await failureOf(client.admin.orders.sendReceipt({ code: order.code }))).toMatchObject({
    problem: { errors: { code: ['It was sent a moment ago. Wait a minute.'] } },
  })
  const sent = async () => (await client.admin.mails.list({ to: buyer.email })).items.map(({ template }) => template)
  expect(await sent()).toEqual(['receipt', 'receipt'])
  api.clock.advance(60_000)
  await client.admin.orders.sendReceipt({ code: order.code })
  expect(await sent()).toEqual(['receipt', 'receipt', 'receipt'])
  const { items } = await client.admin.audit({ subject: `order:${order.code}` })
  expect(items.filter(({ action }) => action === 'order.receipt-sent')).toHaveLength(2)

  const { version } = await client.admin.orders.get({ code: order.code })
  await withVersion(version).admin.orders.refund({ code: order.code, reason: 'Asked by phone' })
  expect(await failureOf(client.admin.orders.sendReceipt({ code: order.code }))).toMatchObject({
    problem: { errors: { code: ['Everything in this order was refunded.'] } },
  })
  await store.within((db) => db.update(orders).set({ paidAt: null }))
  expect(await failureOf(client.admin.orders.sendReceipt({ code: order.code }))).toMatchObject({
    code: 'VALIDATION_FAILED',
    problem: { errors: { code: ['This order is not paid, so it has no receipt.'] } },
  })
})

test('a test email is queued once a minute for an address, in the store’s language', async () => {
  const store = await createTenant(api)
  const { client } = await store.createStaff('SUPPORT')
  await client.admin.mails.sendTest({ email: 'support@example.com' })
  expect(await failureOf(client.admin.mails.sendTest({ email: 'support@example.com' }))).toMatchObject({
    problem: { errors: { email: ['A test email was sent a moment ago. Wait a minute.'] } },
  })
  const { items } = await client.admin.mails.list({ to: 'support@example.com' })
  expect(items).toMatchObject([{ template: 'test', status: 'QUEUED' }])
  expect(await failureOf(client.admin.mails.sendTest({ email: 'support' }))).toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  const { client: reader } = await store.createStaff('ANALYST')
  expect(await failureOf(reader.admin.mails.sendTest({ email: 'support@example.com' }))).toMatchObject({ status: 403 })
})

test('home compares the same part of the day where summer time begins or ends in between', async () => {
  const settings = plainSettings()
  settings.base.timeZone = 'Europe/Lisbon'
  const { timeZone } = settings.base
  const store = await createTenant(api, { settings })
  const products = await store.createProducts([{ price: 700 }, { price: 800 }, { price: 900 }])
  const hour = 3_600_000
  let day = dayAt(api.clock.now(), timeZone)
  const lengthOf = (each: string) =>
    startOfDay(dayAfter(each), timeZone).getTime() - startOfDay(each, timeZone).getTime()
  while (lengthOf(day) === 24 * hour) day = dayAfter(day)
  const before = new Date(Date.parse(day) - 24 * hour).toISOString().slice(0, 10)
  const advanceTo = (time: Date) => api.clock.advance(time.getTime() - api.clock.now().getTime())
  advanceTo(startOfDay(before, timeZone))
  const member = await store.createMember()
  for (const [at, minutes] of [30, 11.5 * 60, 12.5 * 60].entries()) {
    advanceTo(new Date(startOfDay(before, timeZone).getTime() + minutes * 60_000))
    await buy(api, store, member, products[at]!)
  }
  const noon = new Date(Date.parse(`${before}T12:00:00Z`) + 7 * 24 * hour)
  advanceTo(new Date(noon.getTime() - offsetAt(noon, timeZone)))
  const { client } = await store.createStaff('FINANCE')
  expect((await client.admin.home()).weekAgo).toMatchObject({ orders: 2, revenue: { amount: 1500 } })
})
