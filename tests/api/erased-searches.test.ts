import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { runBulkJobs } from '#api/modules/admin/bulk-jobs.ts'
import { resolveCustomer } from '#api/modules/tenancy/stores.ts'
import { bulkJobId } from '#contract/ids.ts'
import { buy, keyed } from '#tests/support/buying.ts'
import { columnsWith } from '#tests/support/stored-texts.ts'
import { createTenant, password, type TestStaff } from '#tests/support/tenant.ts'
import { createTestApi } from '#tests/support/test-api.ts'

const api = createTestApi()

const phone = '+12133734253'

/** The entries about an object, latest first. */
const entriesOf = async (staff: TestStaff, subject: string) => (await staff.client.admin.audit({ subject })).items

const viewsOf = async ({ client }: TestStaff) =>
  Object.fromEntries((await client.staff.views()).items.map(({ id, name, search }) => [id, { name, search }]))

test.each(['DEPOSIT_WAITING', 'USD'])(
  'a member who is called %s takes the word from searches for people alone',
  async (name) => {
    const tenant = await createTenant(api)
    const staff = await tenant.createStaff()
    const { admin } = staff.client
    const [film] = await tenant.createProducts([{ price: 1200 }])
    const [member, other] = [await tenant.createMember(), await tenant.createMember()]
    await member.client.identity.changeProfile({ name })
    const view = { name, isShared: true }
    const people = await staff.client.staff.saveView({
      ...view,
      list: 'orders',
      search: { status: 'DEPOSIT_WAITING', q: name },
    })
    const things = await staff.client.staff.saveView({ ...view, list: 'products', search: { q: name } })
    await (await admin.orders.export({ status: 'DEPOSIT_WAITING', q: name })).text()
    await (await admin.products.export({ q: name })).text()
    const { code } = await buy(api, tenant, member, film!)
    await keyed(api, tenant, member).billing.requestCancel({ code, reason: 'No time' })
    const job = bulkJobId.parse(randomUUID())
    const selection = { kind: 'MEMBER_TAGS' as const, filters: { q: other.email } }
    await admin.bulk.start({ id: job, ...selection, change: { add: [name] } })

    await member.client.identity.withdraw({ password, reason: 'Enough' })

    expect(await viewsOf(staff)).toEqual({
      [people.id]: { name, search: { status: 'DEPOSIT_WAITING', q: '…' } },
      [things.id]: { name, search: { q: name } },
    })
    expect(await entriesOf(staff, 'export:orders')).toMatchObject([
      { detail: { filters: { status: 'DEPOSIT_WAITING', q: '…' } } },
    ])
    expect(await entriesOf(staff, 'export:product-list')).toMatchObject([{ detail: { filters: { q: name } } }])
    const accepted = (await entriesOf(staff, `order:${code}`)).find(({ action }) => action === 'cancel.accepted')
    expect(accepted?.detail).toMatchObject({ amount: 1200, currency: 'USD' })
    // What was chosen before is done to the others.
    await runBulkJobs(api.deps, (await resolveCustomer(api.deps, tenant.code))!)
    expect((await admin.bulk.get({ id: job })).job).toMatchObject({ status: 'DONE', changed: 1, failed: 0 })
    expect(await admin.members.get({ id: other.id })).toMatchObject({ tags: [name.toLowerCase()] })
  },
)

test('entries about staff and the store keep an address that a member had too', async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('OWNER')
  const { admin } = staff.client
  const email = `owner-${randomUUID().slice(0, 8)}@example.com`
  await staff.client.staff.invite({ email, grant: { role: 'SUPPORT' } })
  await staff.withVersion((await admin.settings.read()).version).admin.settings.update({ business: { email } })
  const [member, other] = [await tenant.createMember(email), await tenant.createMember()]
  await admin.members.addNote({ id: other.id, text: `Shares a screen with ${email}` })

  await member.client.identity.withdraw({ password, reason: 'Enough' })

  const { items } = await admin.audit({ size: 100 })
  const changesBy = (action: string) => items.find((entry) => entry.action === action)?.changes
  expect(changesBy('staff.invited')).toMatchObject({ email: { to: email } })
  expect(changesBy('settings.changed')).toMatchObject({ 'business.email': { to: email } })
  expect(await entriesOf(staff, `member:${other.id}`)).toMatchObject([{ detail: { text: 'Shares a screen with …' } }])
})

test('searches for a phone number are erased in any notation, with names of views, other numbers are not', async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff()
  const { admin } = staff.client
  const member = await tenant.createMember()
  await member.client.identity.changeProfile({ phone })
  for (const q of ['213-373-9999', '(213) 373-4253', '4253']) await (await admin.members.export({ q })).text()
  const save = async (list: 'members' | 'orders' | 'products', name: string, q: string) =>
    (await staff.client.staff.saveView({ list, name, search: { q }, isShared: false })).id
  const views = [
    await save('members', member.email, '213 373 4253'),
    await save('members', phone, '+1 (213) 373 4253'),
    await save('members', `Calls of ${member.email}`, '373-9999'),
    // The start of a code, and of a title.
    await save('orders', 'Codes', '2133'),
    await save('products', 'Titles', '3734'),
  ]
  const job = bulkJobId.parse(randomUUID())
  const selection = { kind: 'MEMBER_TAGS' as const, filters: { q: '213.373.4253' } }
  await admin.bulk.start({ id: job, ...selection, change: { add: ['press'] } })

  await member.client.identity.withdraw({ password, reason: 'Enough' })

  const exports = (await entriesOf(staff, 'export:members')).map(({ detail }) => detail.filters)
  expect(exports).toMatchObject([{ q: '…' }, { q: '…' }, { q: '213-373-9999' }])
  expect(await entriesOf(staff, `bulk:${job}`)).toMatchObject([{ detail: { filters: { q: '…' } } }])
  expect(await columnsWith(api, tenant, '213.373.4253')).toEqual([])
  const left = await viewsOf(staff)
  expect(views.map((id) => [left[id]?.name, left[id]?.search.q])).toEqual([
    ['…', '…'],
    ['… 2', '…'],
    ['Calls of …', '373-9999'],
    ['Codes', '2133'],
    ['Titles', '3734'],
  ])
  const [first] = (await entriesOf(staff, `view:${views[0]}`)).map(({ changes }) => changes)
  expect(first).toMatchObject({ name: { to: '…' }, search: { to: { q: '…' } } })
})

test('searches for a merged account are erased with it, those for the one that stays later', async () => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff()
  const { admin } = staff.client
  const [member, merged] = [await tenant.createMember(), await tenant.createMember()]
  await member.client.identity.changeProfile({ name: 'Quillon Vane' })
  await merged.client.identity.changeProfile({ name: 'Quillon Ashby', phone })
  for (const q of ['Quillon Vane', 'quillon ashby', '213-373-4253']) await (await admin.members.export({ q })).text()
  const filters = async () => (await entriesOf(staff, 'export:members')).map(({ detail }) => detail.filters)

  await admin.members.merge({ id: member.id, otherId: merged.id, email: merged.email, reason: 'Signed up twice' })
  expect(await filters()).toMatchObject([{ q: '…' }, { q: '…' }, { q: 'Quillon Vane' }])

  await member.client.identity.withdraw({ password, reason: 'Enough' })
  expect(await filters()).toMatchObject([{ q: '…' }, { q: '…' }, { q: '…' }])
  for (const text of ['Ashby', '373-4253']) expect(await columnsWith(api, tenant, text), text).toEqual([])
})
