import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members, sessions } from '#api/modules/identity/identity.schema.ts'
import { memberId } from '#contract/ids.ts'
import { createPlan, createPlanTenant } from '#tests/support/plans.ts'
import { subscriber } from '#tests/support/subscribing.ts'
import { createTenant, type Tenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (names: readonly string[], tenant?: Tenant) => {
  tenant ??= await createTenant(api)
  const { client } = await tenant.createStaff('SUPPORT')
  const found = []
  for (const name of names) {
    const member = await tenant.createMember()
    await change(tenant, member.id, { name })
    found.push(member)
  }
  return { tenant, list: client.admin.members, found }
}

const change = (
  tenant: Tenant,
  id: (typeof members.$inferSelect)['id'],
  values: Partial<typeof members.$inferInsert>,
) => tenant.within((db) => db.update(members).set(values).where(eq(members.id, id)))

test('members are filtered by state, plan, partner, marketing and the days on which they joined', async () => {
  const { tenant, list, found } = await arrange(['One', 'Two', 'Three', 'Four'], await createPlanTenant(api))
  const [one, two, three, four] = found as [(typeof found)[0], (typeof found)[0], (typeof found)[0], (typeof found)[0]]
  const namesWith = async (query: Parameters<typeof list.list>[0]) =>
    (await list.list(query)).items.map(({ name }) => name).sort()
  await list.block({ id: one.id, reason: 'A test' })
  await list.erase({ id: two.id, email: two.email, reason: 'A test' })
  await change(tenant, three.id, { marketing: true, createdAt: '2026-03-05T12:00:00Z' })
  await list.setPartnership({ id: three.id, until: '2999-01-01', name: 'Harbour Ltd', reason: 'A contract' })
  await list.setPartnership({ id: four.id, until: '2999-01-01', name: 'Past Ltd', reason: 'A contract' })
  await list.setPartnership({ id: four.id, until: null, name: 'Past Ltd', reason: 'It ended' })
  const plan = await createPlan(tenant)
  const { member: five } = await subscriber(api, tenant, plan)
  await change(tenant, five.id, { name: 'Five' })

  expect(await namesWith({})).toEqual(['Five', 'Four', 'One', 'Three'])
  expect(await namesWith({ state: 'ACTIVE' })).toEqual(['Five', 'Four', 'Three'])
  expect(await namesWith({ state: 'BLOCKED' })).toEqual(['One'])
  const left = (await list.list({ state: 'LEFT' })).items
  expect(left).toMatchObject([{ id: two.id, email: '', name: '', withdrawnAt: expect.any(String) }])
  expect(await namesWith({ partner: 'Harbour Ltd' })).toEqual(['Three'])
  expect(await namesWith({ partner: 'Past Ltd' })).toEqual([])
  expect(await namesWith({ marketing: 'YES' })).toEqual(['Three'])
  expect(await namesWith({ marketing: 'NO', state: 'ACTIVE' })).toEqual(['Five', 'Four'])
  expect(await namesWith({ from: '2026-03-05', to: '2026-03-05' })).toEqual(['Three'])
  expect(await namesWith({ to: '2026-03-04' })).toEqual([])
  const { plans, partners } = await list.facets()
  expect(partners).toEqual([{ name: 'Harbour Ltd', members: 1 }])
  const [{ code } = { code: undefined }] = plans
  expect(plans).toHaveLength(1)
  expect(await namesWith({ plan: code })).toEqual(['Five'])
})

test.each(['NAME', 'SEEN', 'JOINED'] as const)('members in the order %s are read page by page', async (sort) => {
  const { tenant, list, found } = await arrange(['Cho', 'Adam', 'Adam', '김민지', 'Bea'])
  for (const [at, { id }] of found.entries())
    await tenant.within((db) =>
      db
        .update(sessions)
        .set({ lastSeenAt: `2026-0${[3, 5, 1, 4, 2][at]}-01T00:00:00Z` })
        .where(eq(sessions.memberId, id)),
    )
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list.list>> = await list.list({ sort, size: 2, ...(cursor && { cursor }) })
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor)
  expect(new Set(ids).size).toBe(5)
  const at = (place: number) => found.findIndex(({ id }) => id === ids[place])
  if (sort === 'SEEN') expect(ids.map((_, place) => at(place))).toEqual([1, 3, 0, 4, 2])
  if (sort === 'JOINED') expect(ids.map((_, place) => at(place))).toEqual([4, 3, 2, 1, 0])
  if (sort === 'NAME') expect([[1, 2].includes(at(0)), at(2), at(3), at(4)]).toEqual([true, 4, 0, 3])
  const file = await (await list.export({ sort, columns: 'name' })).text()
  const lines = file.trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',')[0])).toEqual(ids.map((id) => found.find((each) => each.id === id)?.email))
})

test('an export has the columns that are shown, and the first one always', async () => {
  const { list, found } = await arrange(['One'])
  const text = await (await list.export({ columns: 'tags,joined' })).text()
  expect(text.replace('\ufeff', '').split('\r\n')[0]).toBe('email,joined (Asia/Seoul),tags')
  expect(text).toContain(found[0]!.email)
  expect(await (await list.export({ columns: 'unknown' })).text()).toMatch(/^\ufeff?email,name,joined \(Asia\/Seoul\),/)
})

test('many members get a partnership at once; who is missing is told, and the change is undone', async () => {
  const { list, found } = await arrange(['One', 'Two', 'Three'])
  const [one, two, three] = found.map(({ id }) => id)
  await list.setPartnership({ id: one!, until: '2990-01-01', name: 'Earlier', reason: 'A contract' })
  const missing = memberId.parse(randomUUID())
  const contractOf = { until: '2999-12-31', name: 'Harbour Ltd', reason: 'A contract for many' }
  const past = await failureOf(list.changePartnerships({ ids: [one!], ...contractOf, until: '2020-01-01' }))
  expect(Object.keys(past.problem.errors ?? {})).toEqual(['until'])
  const { items } = await list.changePartnerships({ ids: [one!, missing, two!, three!], ...contractOf })
  expect(items.map(({ result, reason }) => [result, reason])).toEqual([
    ['CHANGED', null],
    ['FAILED', 'NOT_FOUND'],
    ['CHANGED', null],
    ['CHANGED', null],
  ])
  expect((await list.list({ partner: 'Harbour Ltd' })).items).toHaveLength(3)
  expect((await list.get({ id: two! })).history[0]).toMatchObject({
    action: 'partnership.granted',
    changes: { name: { from: null, to: 'Harbour Ltd' } },
    detail: { reason: 'A contract for many' },
  })
  expect((await list.changePartnerships({ ids: [two!], ...contractOf })).items[0]).toMatchObject({
    result: 'UNCHANGED',
  })

  await list.setPartnership({ id: three!, until: null, name: null, reason: 'It has ended' })
  const restored = await list.restorePartnerships({ items: items.flatMap(({ change: each }) => each ?? []) })
  expect(restored.items.map(({ result, reason }) => [result, reason])).toEqual([
    ['CHANGED', null],
    ['CHANGED', null],
    ['FAILED', 'VERSION_CONFLICT'],
  ])
  expect(await list.get({ id: one! })).toMatchObject({ partnershipName: 'Earlier' })
  expect(await list.get({ id: two! })).toMatchObject({ partnershipName: null, partnershipUntil: null })

  const ended = await list.changePartnerships({ ids: [one!, two!], until: null, name: null, reason: 'It has ended' })
  expect(ended.items.map(({ result }) => result)).toEqual(['CHANGED', 'UNCHANGED'])
  expect((await list.list({ partner: 'Earlier' })).items).toEqual([])
})

test('members are found by their phone number in any notation, and by a part of it', async () => {
  const { tenant, list, found } = await arrange(['Kim', 'Lee', 'No phone'])
  const [kim, lee] = found as [(typeof found)[0], (typeof found)[0]]
  for (const { id } of found) await change(tenant, id, { emailLower: `${id.replace(/\d/g, 'x')}@example.com` })
  await change(tenant, kim.id, { phone: '+821012345678' })
  await change(tenant, lee.id, { phone: '+82212345679' })
  const namesWith = async (q: string) => (await list.list({ q })).items.map(({ name }) => name).sort()
  for (const q of ['+82 10-1234-5678', '010-1234-5678', '01012345678', '010 1234 5678', '+82 (0)10 1234 5678'])
    expect(await namesWith(q), q).toEqual(['Kim'])
  expect(await namesWith('(02) 1234-5679')).toEqual(['Lee'])
  expect(await namesWith('1234')).toEqual(['Kim', 'Lee'])
  expect(await namesWith('5678')).toEqual(['Kim'])
  // Three digits are too few, and a name is no number.
  expect(await namesWith('999-8')).toEqual([])
  expect(await namesWith('678')).not.toContain('Lee')
  await change(tenant, lee.id, { name: 'Lee 5678' })
  expect(await namesWith('5678')).toEqual(['Kim', 'Lee 5678'])
  expect(await namesWith('lee 5678')).toEqual(['Lee 5678'])
})
