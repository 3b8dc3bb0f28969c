import { expect, test } from 'vitest'
import type { ModeratedState } from '#contract/admin/queues.ts'
import { type CommentId, commentId } from '#contract/ids.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async () => {
  const tenant = await createTenant(api)
  const [film, course] = [await tenant.createProduct(), await tenant.createProduct()]
  const [author, reader] = [await tenant.createMember(), await tenant.createMember()]
  const staff = await tenant.createStaff('SUPPORT')
  const { comments } = staff.client.admin
  const write = async (who: typeof author, body: string, product = film) =>
    (await who.client.engagement.addComment({ id: product.id, body })).id
  const idsOf = async (filter: Parameters<typeof comments.list>[0] = {}) =>
    (await comments.list(filter)).items.map(({ id }) => id)
  const count = async (product = film) => (await tenant.guest.catalog.product({ id: product.id })).countOfComments
  return { tenant, film, course, author, reader, staff, comments, write, idsOf, count }
}

test('a comment that nobody reported is found, hidden and brought back', async () => {
  const { comments, write, author, count, staff, tenant, film } = await arrange()
  await write(author, 'Lovely')
  const rude = await write(author, 'You utter FOOL, the ending is bad')
  expect((await comments.queue()).items).toEqual([])
  const found = await comments.list({ q: 'bad fool' })
  expect(found).toMatchObject({
    nextCursor: null,
    items: [{ id: rude, state: 'SHOWN', memberId: author.id, product: { code: film.code, title: film.title } }],
  })

  await comments.hide({ id: rude, note: 'insult' })
  expect(await count()).toBe(1)
  expect((await comments.list({ state: 'HIDDEN' })).items).toMatchObject([{ id: rude }])
  expect(await comments.changeMany({ ids: [rude], state: 'SHOWN' })).toEqual({
    items: [{ id: rude, result: 'CHANGED', before: { id: rude, state: 'HIDDEN', version: expect.any(String) } }],
  })
  expect(await count()).toBe(2)
  const owner = await tenant.createStaff('OWNER')
  const history = (await owner.client.admin.audit({ subject: `comment:${rude}` })).items
  expect(history).toMatchObject([
    { action: 'comment.approved', actor: `staff:${staff.email}`, changes: { state: { from: 'HIDDEN', to: 'SHOWN' } } },
    { action: 'comment.hidden', changes: { state: { from: 'SHOWN', to: 'HIDDEN' } }, detail: { note: 'insult' } },
  ])
})

test('comments are filtered by state, reports, product, member, words and day', async () => {
  const { comments, write, author, reader, film, course, idsOf } = await arrange()
  const shown = await write(author, '100% great_film')
  const held = await write(author, 'See https://example.com')
  const other = await write(reader, '정말 좋은 영화예요', course)
  const deleted = await write(author, 'Regretted')
  await author.client.engagement.deleteComment({ id: film.id, commentId: deleted })
  await reader.client.engagement.reportComment({ id: film.id, commentId: shown, reason: 'SPAM' })

  expect(await idsOf()).toEqual([deleted, other, held, shown])
  expect(await idsOf({ state: 'HELD' })).toEqual([held])
  expect(await idsOf({ state: 'DELETED' })).toEqual([deleted])
  expect((await comments.list({ state: 'DELETED' })).items).toMatchObject([{ body: null }])
  expect(await idsOf({ product: course.code })).toEqual([other])
  expect(await idsOf({ memberId: author.id })).toEqual([deleted, held, shown])
  expect(await idsOf({ q: '영화' })).toEqual([other])
  expect(await idsOf({ q: '0% t_f' })).toEqual([shown])
  for (const q of ['%', '_', '\\', '100_', 'regretted'])
    expect(await idsOf({ q }), q).toEqual(q.length === 1 && q !== '\\' ? [shown] : [])
  expect(await idsOf({ from: '2000-01-01', to: '2000-12-31' })).toEqual([])
  expect(await idsOf({ from: '2000-01-01', state: 'SHOWN' })).toEqual([other, shown])

  expect(await idsOf({ reported: 'OPEN' })).toEqual([shown])
  expect((await comments.list({ reported: 'OPEN' })).items).toMatchObject([
    { reports: [{ reason: 'SPAM', count: 1, open: 1 }] },
  ])
  await comments.approve({ id: shown })
  expect(await idsOf({ reported: 'OPEN' })).toEqual([])
  expect((await comments.list({ reported: 'ANY' })).items).toMatchObject([
    { id: shown, reports: [{ reason: 'SPAM', count: 1, open: 0 }] },
  ])
})

test('comments are listed in pages, with the replies of the store', async () => {
  const { comments, write, author } = await arrange()
  const question = await write(author, 'When?')
  await comments.reply({ id: question, body: 'In March.' })
  const first = await comments.list({ size: 1 })
  expect(first.items).toMatchObject([{ body: 'In March.', memberId: null, author: '', isReply: true }])
  const second = await comments.list({ size: 1, cursor: first.nextCursor! })
  expect(second).toMatchObject({ items: [{ id: question, isReply: false }], nextCursor: null })
  expect(await failureOf(comments.list({ cursor: 'x'.repeat(30) }))).toMatchObject({ status: 422 })
})

test('a reply to a held comment publishes both at once, and neither if it is refused', async () => {
  const { comments, write, author, film, count, idsOf, tenant } = await arrange()
  const [first, second] = [await write(author, 'See https://one.example.com'), await write(author, 'www.two.example')]
  const refusalOf = async (id: string) =>
    (await failureOf(comments.reply({ id, body: 'Hello', approves: true }))).problem.errors?.id?.[0]
  expect(await failureOf(comments.reply({ id: first, body: 'Thank you' }))).toMatchObject({ status: 409 })
  await comments.reply({ id: first, body: 'Thank you', approves: true })
  expect((await comments.queue()).items).toMatchObject([{ id: second }])
  expect((await comments.list({ state: 'SHOWN' })).items).toMatchObject([{ body: 'Thank you' }, { id: first }])
  expect(await count()).toBe(2)
  const owner = await tenant.createStaff('OWNER')
  const history = (await owner.client.admin.audit({ subject: `comment:${first}` })).items
  expect(history.map(({ action }) => action)).toEqual(['comment.answered', 'comment.approved'])

  const reply = { id: film.id, body: 'www.three.example', parentId: second }
  const third = (await author.client.engagement.addComment(reply)).id
  expect(await refusalOf(third)).toContain('a reply to one that visitors cannot see')
  expect(await idsOf({ state: 'HELD' })).toEqual([third, second])
  await comments.hide({ id: second })
  expect(await refusalOf(second)).toContain('Approve it first')
  expect(await idsOf({ state: 'HIDDEN' })).toEqual([second])
})

test('a reply to a published comment leaves its reports open', async () => {
  const { comments, write, author, reader, film, idsOf } = await arrange()
  const shown = await write(author, 'When?')
  await reader.client.engagement.reportComment({ id: film.id, commentId: shown, reason: 'SPAM' })
  await comments.reply({ id: shown, body: 'In March.', approves: true })
  expect(await idsOf({ reported: 'OPEN' })).toEqual([shown])
})

test('many comments are changed at once, each with its result', async () => {
  const { comments, write, author, reader, film, course, count, idsOf } = await arrange()
  const [one, two, three] = [
    await write(author, 'One'),
    await write(author, 'Two', course),
    await write(author, 'https://example.com'),
  ]
  const gone = await write(author, 'Gone')
  await author.client.engagement.deleteComment({ id: film.id, commentId: gone })
  await reader.client.engagement.reportComment({ id: film.id, commentId: one, reason: 'ABUSE' })
  const missing = commentId.parse(crypto.randomUUID())
  const change = async (state: ModeratedState, ids = [one, two, three, gone, missing]) =>
    (await comments.changeMany({ ids, state })).items.map(({ result }) => result)

  expect(await change('HIDDEN')).toEqual(['CHANGED', 'CHANGED', 'CHANGED', 'DELETED', 'NOT_FOUND'])
  expect([await count(), await count(course)]).toEqual([0, 0])
  expect(await idsOf({ reported: 'OPEN' })).toEqual([])
  expect(await change('HIDDEN')).toEqual(['UNCHANGED', 'UNCHANGED', 'UNCHANGED', 'DELETED', 'NOT_FOUND'])
  expect(await change('SHOWN', [one, two])).toEqual(['CHANGED', 'CHANGED'])
  expect(await change('HELD', [three])).toEqual(['CHANGED'])
  expect([await count(), await count(course)]).toEqual([1, 1])
  expect((await comments.queue()).items).toMatchObject([{ id: three, state: 'HELD' }])
  const tooMany = comments.changeMany({ ids: Array(101).fill(one), state: 'HIDDEN' })
  expect(await failureOf(tooMany)).toMatchObject({ status: 422 })
})

test('many comments are published with the texts that were read, and others are left as they are', async () => {
  const { comments, write, author, film } = await arrange()
  const [same, edited, before] = [await write(author, 'One'), await write(author, 'Two'), await write(author, 'Three')]
  const edit = (id: CommentId, body: string) =>
    author.client.engagement.editComment({ id: film.id, commentId: id, body })
  await edit(before, 'Three, read')
  await comments.changeMany({ ids: [same, edited, before], state: 'HELD' })
  const read = (await comments.list({ state: 'HELD' })).items
  const editedAt = Object.fromEntries(read.map((comment) => [comment.id, comment.editedAt]))
  api.clock.advance(1000)
  await edit(edited, 'Something else')
  const ids = [same, edited, before]
  const publish = async () => (await comments.changeMany({ ids, state: 'SHOWN', editedAt })).items
  expect((await publish()).map(({ result }) => result)).toEqual(['CHANGED', 'VERSION_CONFLICT', 'CHANGED'])
  const state = (await comments.list({ q: 'Something' })).items
  expect(state).toMatchObject([{ id: edited, state: 'HELD' }])
  // A comment that is named without its text may have any.
  expect((await comments.changeMany({ ids, state: 'SHOWN' })).items.map(({ result }) => result)).toEqual([
    'UNCHANGED',
    'CHANGED',
    'UNCHANGED',
  ])
})

test('a change of many is undone, but not of comments that were changed since', async () => {
  const { tenant, comments, write, author, film, count } = await arrange()
  const bodies = ['Kept', 'Decided again', 'Decided twice', 'Edited', 'Deleted', 'Held']
  const ids = await Promise.all(bodies.map((body) => write(author, body)))
  const [same, decided, twice, edited, deleted, held] = ids
  await comments.changeMany({ ids: [held!], state: 'HELD' })
  const { items } = await comments.changeMany({ ids, state: 'HIDDEN' })
  const other = (await tenant.createStaff('SUPPORT')).client.admin.comments
  await other.approve({ id: decided! })
  await other.approve({ id: twice! })
  await other.hide({ id: twice! })
  await author.client.engagement.editComment({ id: film.id, commentId: edited!, body: 'Rude again' })
  await author.client.engagement.deleteComment({ id: film.id, commentId: deleted! })

  const befores = items.flatMap(({ before }) => before ?? [])
  expect(befores).toHaveLength(6)
  const restored = await comments.restoreMany({ items: befores })
  expect(restored.items.map(({ result }) => result)).toEqual([
    'CHANGED',
    'VERSION_CONFLICT',
    'VERSION_CONFLICT',
    'VERSION_CONFLICT',
    'DELETED',
    'CHANGED',
  ])
  const states = new Map((await comments.list({})).items.map(({ id, state }) => [id, state]))
  expect(ids.map((id) => states.get(id))).toEqual(['SHOWN', 'SHOWN', 'HIDDEN', 'HIDDEN', 'DELETED', 'HELD'])
  expect(await count()).toBe(2)
  // Undone once, it is not undone again.
  const again = await comments.restoreMany({ items: befores.filter(({ id }) => id === same) })
  expect(again.items).toMatchObject([{ result: 'VERSION_CONFLICT' }])
})

test('two who change the same comments at once count each once', async () => {
  const { comments, write, author, course, count } = await arrange()
  const ids = await Promise.all([write(author, 'One'), write(author, 'Two', course), write(author, 'Three')])
  await Promise.all([
    comments.changeMany({ ids, state: 'HIDDEN' }),
    comments.changeMany({ ids: ids.toReversed(), state: 'HIDDEN' }),
  ])
  expect([await count(), await count(course)]).toEqual([0, 0])
})

test('refusals are in the language of the reader', async () => {
  const { tenant, comments, write, author, staff } = await arrange()
  const hidden = await write(author, 'Rude')
  await comments.hide({ id: hidden })
  const refusalIn = async (language: string) => {
    const client = api.client(tenant.code, { token: staff.token, headers: { 'accept-language': language } })
    return (await failureOf(client.admin.comments.reply({ id: hidden, body: 'Hello' }))).problem.errors?.id?.[0]
  }
  expect(await refusalIn('en')).toBe('Visitors cannot see this comment. Approve it first, then reply to it.')
  expect(await refusalIn('ko')).toBe('방문자에게 보이지 않는 댓글이에요. 먼저 승인한 다음 답글을 남겨 주세요.')

  const member = api.client(tenant.code, { token: author.token, headers: { 'accept-language': 'ko' } })
  const unknownType = member.support.createInquiry({ type: 'NONE', title: 'Sound', body: 'No sound.' })
  expect((await failureOf(unknownType)).problem.errors?.type).toEqual(['문의 유형을 선택해 주세요.'])
})
