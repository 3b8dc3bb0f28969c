import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runBulkJobs } from '#api/modules/admin/bulk-jobs.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { bulkJobId } from '#contract/ids.ts'
import { buy, keyed } from '#tests/support/buying.ts'
import { createFilm } from '#tests/support/media.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { columnsWith } from '#tests/support/stored-texts.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import { createTenant, password, type Tenant, type TestMember, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

/** In everything that staff and the member write below about the member. */
const mark = 'Zebedee'
const phone = '+12133734253'

const arrange = async () => {
  const tenant = await createPlanTenant(api)
  const plan = await createPlan(tenant)
  const { member } = await subscriber(api, tenant, plan)
  const staff = await tenant.createStaff()
  const [film, other] = await tenant.createProducts([{ price: 1200 }, { price: 1400 }])
  return { tenant, member, staff, film: film!, other: other!, name: `${mark} Quince` }
}

type Arranged = Awaited<ReturnType<typeof arrange>>

/** Every way in which staff write about a member, with the member's own texts. */
const writeAbout = async ({ tenant, member, staff, film, other, name }: Arranged) => {
  const { admin } = staff.client
  const { id, email } = member
  const reason = (text: string) => `${mark} ${text}`
  const write = (version?: string) =>
    api.client(tenant.code, {
      token: staff.token,
      idempotencyKey: randomUUID(),
      headers: version ? { 'if-match': `"${version}"` } : {},
    }).admin
  await member.client.identity.changeProfile({ name, phone })
  await admin.members.addNote({ id, text: reason('called, speaks of a divorce') })
  await admin.members.changeTags({ ids: [id], add: [`${mark} fan`] })
  await admin.members.block({ id, reason: reason('insulted others') })
  await admin.members.unblock({ id, reason: reason('apologised') })
  const { token } = await api.client(tenant.code).identity.login({ email, password })
  const again: TestMember = { ...member, token, client: api.client(tenant.code, { token }) }
  await admin.members.setPartnership({ id, until: '2999-01-31', name: `${mark} Ltd`, reason: reason('contract') })
  await admin.members.view({ id, reason: reason('misses a film') })
  await admin.members.exportData({ id, reason: reason('asked by letter') })
  await write().members.grantTitle({ id, productCode: other.code, reason: reason('birthday') })
  await admin.members.revokeTitle({ id, productCode: other.code, reason: reason('was a joke') })
  await write((await admin.members.subscription({ id })).current!.version).members.extendSubscription({
    id,
    days: 3,
    reason: reason('was ill'),
  })
  for (const q of [email.toUpperCase(), name]) await (await admin.members.export({ q })).text()
  await staff.client.staff.saveView({
    list: 'members',
    name: 'One member',
    search: { q: email },
    isShared: false,
  })
  await admin.mails.suppress({ address: email, reason: reason('bounces') })
  await admin.mails.release({ address: email })

  const order = await buy(api, tenant, again, film)
  const { code } = order
  await admin.orders.addNote({ code, text: reason('paid for his sister') })
  await keyed(api, tenant, again).billing.requestCancel({ code, reason: reason('no time') })
  const comment = await again.client.engagement.addComment({ id: film.id, body: reason('was here') })
  await admin.comments.hide({ id: comment.id, note: reason('names a neighbour') })
  const inquiry = await again.client.support.createInquiry({
    type: 'ETC',
    title: reason('asks'),
    body: reason('about it'),
    files: [],
  })
  const inquiryVersion = (await admin.inquiries.get({ code: inquiry.code })).version
  await staff.withVersion(inquiryVersion).admin.inquiries.close({ code: inquiry.code, reason: reason('rang him') })
  return { code, job: await bulkOf(tenant, staff, name) }
}

/** A change of many members, whose filter names one. */
const bulkOf = async (tenant: Tenant, staff: TestStaff, q: string) => {
  const id = bulkJobId.parse(randomUUID())
  await staff.client.admin.bulk.start({
    id,
    kind: 'PARTNERSHIPS',
    filters: { q },
    // Of a selection: it is about nobody alone.
    change: { until: '2999-06-30', name: 'Spring fair', reason: 'Contract of June' },
  })
  await runBulkJobs(api.deps, (await resolveCustomer(api.deps, tenant.code))!)
  return id
}

/** Where the last email to the member is, which is deleted a day after it was sent. */
const lastMail = ['mails.html', 'mails.text', 'mails.to']
const withoutLastMail = (columns: readonly string[]) => columns.filter((column) => !lastMail.includes(column))

const entriesOf = async (staff: TestStaff, subject: string) =>
  (await staff.client.admin.audit({ subject })).items.map(({ actor, action, changes, detail }) => ({
    actor,
    action,
    changes,
    detail,
  }))

test('erasing a member erases what staff wrote, and the log still says who did what', async () => {
  const arranged = await arrange()
  const { tenant, member, staff, name } = arranged
  const { code, job } = await writeAbout(arranged)
  const before = await staff.client.admin.audit({ size: 100 })
  for (const column of ['audit.changes', 'audit.detail', 'bulk_job_items.before', 'bulk_jobs.filters'])
    expect(await columnsWith(api, tenant, mark)).toContain(column)
  expect(await columnsWith(api, tenant, member.email)).toEqual(expect.arrayContaining(['saved_views.search']))

  const reason = `${name} asked by letter, and from ${member.email}`
  await staff.client.admin.members.erase({ id: member.id, email: member.email, reason })

  for (const text of [mark, name, member.email, phone])
    expect(withoutLastMail(await columnsWith(api, tenant, text)), text).toEqual([])
  // Every entry is there, with its actor, action and time.
  const after = await staff.client.admin.audit({ size: 100 })
  const facts = ({ items }: typeof before) => items.map(({ id, at, actor, action }) => ({ id, at, actor, action }))
  expect(facts(after).slice(1)).toEqual(facts(before))
  const by = `staff:${staff.email}`
  const entries = await entriesOf(staff, `member:${member.id}`)
  expect(entries[0]).toEqual({
    actor: by,
    action: 'member.erased',
    changes: {},
    detail: { retainedOrders: 1, reason: '… asked by letter, and from …' },
  })
  expect(entries).toContainEqual({ actor: by, action: 'note.added', changes: {}, detail: { erased: ['text'] } })
  expect(entries).toContainEqual({
    actor: by,
    action: 'member.blocked',
    changes: { blockedAt: { from: null, to: expect.any(String) } },
    detail: { erased: ['reason'] },
  })
  expect(entries).toContainEqual({ actor: by, action: 'member.tagged', changes: {}, detail: { erased: ['tags'] } })
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'subscription.extended', detail: { days: 3, erased: ['reason'] } }),
  )
  const [note, accepted] = (await entriesOf(staff, `order:${code}`)).toSorted((one, other) =>
    other.action < one.action ? -1 : 1,
  )
  expect(note).toMatchObject({ action: 'note.added', detail: { erased: ['text'] } })
  // What the accounts need.
  expect(accepted).toMatchObject({ action: 'cancel.accepted', detail: { items: 1, amount: 1200, currency: 'USD' } })
  const [exported] = await entriesOf(staff, 'export:members')
  expect(exported).toMatchObject({ detail: { rows: 1, filters: { q: '…' } } })
  expect(await entriesOf(staff, `bulk:${job}`)).toMatchObject([
    { changes: { name: { to: 'Spring fair' } }, detail: { filters: { q: '…' }, objects: 1 } },
  ])
})

test('a member who leaves is erased in the same way, also from refused requests and other accounts', async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff()
  const { admin } = staff.client
  // The log has no other name for an address that no member has.
  const email = `later-${randomUUID().slice(0, 8)}@example.com`
  await admin.mails.suppress({ address: email, reason: `${mark} refuses emails` })
  const [member, other] = [await tenant.createMember(email), await tenant.createMember()]
  const film = await createFilm(tenant)
  const { code } = await buy(api, tenant, member, film)
  await member.client.playback.startPlayback({ id: film.id, acceptsFulfillment: true })
  await keyed(api, tenant, member).billing.requestCancel({ code, reason: `${mark} has no time` })
  await admin.orders.rejectCancel({ code, reason: `${mark} has watched it` })
  await admin.members.addNote({ id: other.id, text: `${mark} has two accounts` })
  await admin.members.merge({ id: member.id, otherId: other.id, email: other.email, reason: `${mark} asked` })
  const [, merged] = await entriesOf(staff, `member:${other.id}`)
  // The person has an account still, so that nothing is erased yet.
  expect(merged).toMatchObject({ action: 'note.added', detail: { text: `${mark} has two accounts` } })
  await admin.orders.addNote({ code, text: `${mark} rang` })
  const near = { id: (await tenant.createMember()).id, text: `Wrote from x${member.email}` }
  await admin.members.addNote(near)

  await member.client.identity.withdraw({ password, reason: `I, ${member.email}, watch too much` })

  const left = async (text: string) => withoutLastMail(await columnsWith(api, tenant, text))
  expect(await left(other.email)).toEqual([])
  expect(await left(email)).toEqual(['audit.detail'])
  expect(await left(mark)).toEqual([])
  expect(await entriesOf(staff, `member:${other.id}`)).toMatchObject([
    { action: 'member.merged', detail: { into: member.id, erased: ['reason'] } },
    { action: 'note.added', detail: { erased: ['text'] } },
  ])
  const entries = await entriesOf(staff, `member:${member.id}`)
  expect(entries[0]).toMatchObject({ action: 'member.withdrew', detail: { reason: 'I, …, watch too much' } })
  expect(entries[1]?.detail).toEqual({ merged: other.id, erased: ['email', 'reason'] })
  expect(entries.at(-1)).toMatchObject({ action: 'mail.address-suppressed', detail: { erased: ['reason'] } })
  // Another address that ends in the same letters.
  expect(await entriesOf(staff, `member:${near.id}`)).toMatchObject([{ detail: { text: near.text } }])
})
