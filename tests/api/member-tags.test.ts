import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '#api/modules/identity/identity.schema.ts'
import { memberId } from '#contract/ids.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (count = 2) => {
  const tenant = await createTenant(api)
  const staff = await tenant.createStaff('SUPPORT')
  const found = []
  for (let at = 0; at < count; at++) found.push(await tenant.createMember())
  return { tenant, staff, list: staff.client.admin.members, members: found }
}

test('tags are added and removed with an entry of the history each, and filter the list and its export', async () => {
  const {
    list,
    staff,
    members: [first, second],
  } = await arrange()
  const ids = [first!.id, second!.id]
  expect((await list.changeTags({ ids, add: ['  VIP ', 'press', 'vip'] })).items).toEqual(
    ids.map((id) => ({ id, result: 'CHANGED', reason: null, added: ['vip', 'press'], removed: [] })),
  )
  expect((await list.get({ id: first!.id })).tags).toEqual(['press', 'vip'])
  expect((await list.changeTags({ ids, add: ['vip'] })).items.map(({ result }) => result)).toEqual([
    'UNCHANGED',
    'UNCHANGED',
  ])
  await list.changeTags({ ids: [second!.id], add: ['student'], remove: ['Press', 'none'] })
  const { tags, history } = await list.get({ id: second!.id })
  expect(tags).toEqual(['student', 'vip'])
  expect(history).toHaveLength(2)
  expect(history[0]).toMatchObject({
    actor: `staff:${staff.email}`,
    action: 'member.tagged',
    changes: { tags: { from: 'press, vip', to: 'student, vip' } },
  })
  expect((await list.tags()).items).toEqual([
    { tag: 'vip', members: 2 },
    { tag: 'press', members: 1 },
    { tag: 'student', members: 1 },
  ])
  const emailsWith = async (query: Parameters<typeof list.list>[0]) =>
    (await list.list(query)).items.map(({ email }) => email)
  expect(await emailsWith({ tag: 'PRESS' })).toEqual([first!.email])
  expect((await emailsWith({ tag: 'vip' })).sort()).toEqual([first!.email, second!.email].sort())
  expect(await emailsWith({ tag: 'vip', q: second!.email })).toEqual([second!.email])
  expect(await emailsWith({ tag: 'nobody' })).toEqual([])
  const page = await list.list({ tag: 'vip', size: 1 })
  expect((await list.list({ tag: 'vip', size: 1, cursor: page.nextCursor! })).items).toHaveLength(1)
  const file = await (await list.export({ tag: 'student' })).text()
  expect(file).toContain(`${second!.email},`)
  expect(file).toMatch(/"student, vip"\r\n$/)
  expect(file).not.toContain(first!.email)
})

test('of many members those that are missing or have too many tags fail, and the others are tagged', async () => {
  const {
    list,
    members: [first, second],
  } = await arrange()
  const many = (from: number) => Array.from({ length: 10 }, (_, at) => `tag ${from + at}`)
  for (const from of [0, 10, 20]) await list.changeTags({ ids: [first!.id], add: many(from) })
  const missing = memberId.parse(randomUUID())
  expect((await list.changeTags({ ids: [first!.id, missing, second!.id], add: ['one more'] })).items).toEqual([
    { id: first!.id, result: 'FAILED', reason: 'TOO_MANY' },
    { id: missing, result: 'FAILED', reason: 'NOT_FOUND' },
    { id: second!.id, result: 'CHANGED', reason: null, added: ['one more'], removed: [] },
  ])
  for (const tag of ['', '   ', 'a,b', 'x'.repeat(41), 'line\nbreak']) {
    const { code, problem } = await failureOf(list.changeTags({ ids: [second!.id], add: [tag] }))
    expect([tag, code, Object.keys(problem.errors)[0]]).toEqual([tag, 'VALIDATION_FAILED', 'add.0'])
  }
})

test('two people who tag a member at once lose neither tag, and only those who may write do', async () => {
  const {
    tenant,
    list,
    members: [member],
  } = await arrange(1)
  await Promise.all(['a', 'b', 'a'].map((tag) => list.changeTags({ ids: [member!.id], add: [tag] })))
  expect((await list.get({ id: member!.id })).tags).toEqual(['a', 'b'])
  const finance = (await tenant.createStaff('FINANCE')).client.admin.members
  expect((await finance.tags()).items).toHaveLength(2)
  expect((await failureOf(finance.changeTags({ ids: [member!.id], add: ['c'] }))).status).toBe(403)
})

test('a deleted account has no tags', async () => {
  const {
    tenant,
    list,
    members: [member],
  } = await arrange(1)
  await list.changeTags({ ids: [member!.id], add: ['vip'] })
  const owner = await tenant.createStaff('OWNER')
  await owner.client.admin.members.erase({ id: member!.id, email: member!.email, reason: 'Asked' })
  expect((await list.tags()).items).toEqual([])
})

test('members are found by any part of their address or name, in any case', async () => {
  const {
    tenant,
    list,
    members: [member],
  } = await arrange(1)
  const name = async (text: string) =>
    tenant.within((db) => db.update(members).set({ name: text }).where(eq(members.id, member!.id)))
  const isFound = async (q: string) => (await list.list({ q })).items.some(({ id }) => id === member!.id)
  await name('김Ann Park')
  for (const q of ['김', 'ann', 'N PARK', member!.email.slice(3, 12).toUpperCase(), '@'])
    expect([q, await isFound(q)]).toEqual([q, true])
  expect(await isFound(`${member!.email.slice(-3)}김`)).toBe(false)
  await name('Somebody else')
  expect(await isFound('김')).toBe(false)
})
