import { expect, test } from 'vitest'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const form = { list: 'orders', name: 'Waiting', search: { status: 'DEPOSIT_WAITING' }, isShared: false } as const

test('staff save, change and delete views, and see those that others share', async () => {
  const tenant = await createTenant(api)
  const [owner, support] = [await tenant.createStaff('OWNER'), await tenant.createStaff('SUPPORT')]
  const own = await support.client.staff.saveView(form)
  expect(own).toEqual({ ...form, id: own.id, owner: 'Jo Kim', isOwn: true, isEditable: true })
  const team = await support.client.staff.saveView({ ...form, name: 'a team’s', isShared: true })
  expect((await support.client.staff.views()).items).toEqual([team, own])
  expect((await owner.client.staff.views()).items).toEqual([{ ...team, isOwn: false }])

  const renamed = await support.client.staff.changeView({ id: own.id, name: 'Paid', search: { columns: 'total' } })
  expect(renamed).toEqual({ ...own, name: 'Paid', search: { columns: 'total' } })
  await support.client.staff.deleteView({ id: own.id })
  expect(await failureOf(support.client.staff.changeView({ id: own.id, name: 'Again' }))).toMatchObject({ status: 404 })
  const { items } = await owner.client.admin.audit({ subject: `view:${own.id}` })
  expect(items.map(({ action, actor }) => [action, actor])).toEqual(
    ['view.deleted', 'view.changed', 'view.saved'].map((action) => [action, `staff:${support.email}`]),
  )
  expect(items[1]?.changes).toEqual({
    name: { from: 'Waiting', to: 'Paid' },
    search: { from: form.search, to: { columns: 'total' } },
  })
})

test('a view of one’s own is hidden from others, and a shared one is changed by its owner and by managers of staff', async () => {
  const tenant = await createTenant(api)
  const [owner, support, other] = [
    await tenant.createStaff('OWNER'),
    await tenant.createStaff('SUPPORT'),
    await tenant.createStaff('SUPPORT'),
  ]
  const own = await support.client.staff.saveView(form)
  for (const { client } of [owner, other])
    for (const attempt of [
      () => client.staff.changeView({ id: own.id, isShared: true }),
      () => client.staff.deleteView({ id: own.id }),
    ])
      expect(await failureOf(attempt())).toMatchObject({ status: 404 })
  const shared = await support.client.staff.changeView({ id: own.id, isShared: true })
  expect((await other.client.staff.views()).items).toEqual([{ ...shared, isOwn: false, isEditable: false }])
  expect(await failureOf(other.client.staff.deleteView({ id: own.id }))).toMatchObject({ code: 'FORBIDDEN' })
  await owner.client.staff.changeView({ id: own.id, name: 'Deposits' })
  expect(await failureOf(owner.client.staff.changeView({ id: own.id, isShared: false }))).toMatchObject({
    code: 'FORBIDDEN',
  })
  expect((await support.client.staff.views()).items).toMatchObject([{ name: 'Deposits', isEditable: true }])
})

test('names are unique for a person and a list, also for two requests at the same time', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('SUPPORT')
  const other = await tenant.createStaff('SUPPORT')
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => client.staff.saveView(form)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const taken = { problem: { errors: { name: [expect.stringContaining('Choose another name.')] } } }
  expect(await failureOf(client.staff.saveView({ ...form, name: ' WAITING ' }))).toMatchObject(taken)
  const second = await client.staff.saveView({ ...form, name: 'Second' })
  expect(await failureOf(client.staff.changeView({ id: second.id, name: 'waiting' }))).toMatchObject(taken)
  await client.staff.changeView({ id: second.id, name: 'SECOND' })
  await client.staff.saveView({ ...form, list: 'members' })
  await client.staff.saveView({ ...form, list: 'received-deposits', search: { min: '1000' } })
  await other.client.staff.saveView(form)
})

test('a view has at most 12 short parameters, and a person 100 views', async () => {
  const tenant = await createTenant(api)
  const { client } = await tenant.createStaff('SUPPORT')
  const many = Object.fromEntries([...'abcdefghijklm'].map((name) => [name, 'x']))
  for (const search of [many, { q: 'x'.repeat(201) }, { 'not a name': 'x' }, { q: '' }])
    expect(await failureOf(client.staff.saveView({ ...form, search }))).toMatchObject({ code: 'VALIDATION_FAILED' })
  await Promise.all(Array.from({ length: 100 }, (_, at) => client.staff.saveView({ ...form, name: `View ${at}` })))
  expect(await failureOf(client.staff.saveView(form))).toMatchObject({
    problem: { errors: { name: ['You have 100 views. Delete one first.'] } },
  })
})

test('the shared views of a person who leaves the store stay', async () => {
  const tenant = await createTenant(api)
  const [owner, support] = [await tenant.createStaff('OWNER'), await tenant.createStaff('SUPPORT')]
  await support.client.staff.saveView(form)
  const team = await support.client.staff.saveView({ ...form, name: 'Team', isShared: true })
  await owner.client.staff.remove({ id: support.id })
  expect((await owner.client.staff.views()).items).toEqual([{ ...team, owner: null, isOwn: false, isEditable: true }])
  await owner.client.staff.changeView({ id: team.id, name: 'Ours' })
  await owner.client.staff.deleteView({ id: team.id })
  expect((await owner.client.staff.views()).items).toEqual([])
})
