import { expect, test } from 'vitest'
import { audit } from '#api/platform/db/platform.schema.ts'
import { quickCommandOf } from '#tests/support/command.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()
const command = quickCommandOf(api)

const arrange = async () => {
  const tenant = await createTenant(api)
  const product = await tenant.createProduct()
  const [author, reader] = [await tenant.createMember(), await tenant.createMember()]
  const run = (...args: string[]) => command([...args, '-c', tenant.code, '--by', 'Jo'])
  const write = (body: string) => author.client.engagement.addComment({ id: product.id, body })
  const visibleTo = async (who: typeof author | null) =>
    (await (who?.client ?? tenant.guest).engagement.comments({ id: product.id })).items.map(({ body }) => body)
  const count = async () => (await tenant.guest.catalog.product({ id: product.id })).countOfComments
  return { tenant, product, author, reader, run, write, visibleTo, count }
}

test('a held comment is listed, counted in cases, and visible to all once approved', async () => {
  const { run, write, visibleTo, reader, count, tenant } = await arrange()
  expect((await run('comments')).out).toContain('No comment is held or reported.')
  const heldComment = await write('More on https://films.example/list')
  const listed = await run('comments')
  expect(listed.out).toMatch(new RegExp(`held .*${heldComment.id} +More on`))
  expect((await run('cases')).out).toContain('Comments to review: 1 held, 0 reported.')

  expect(await run('comment', 'approve', heldComment.id)).toMatchObject({ code: 0 })
  expect(await visibleTo(reader)).toEqual(['More on https://films.example/list'])
  expect(await count()).toBe(1)
  expect((await run('comments')).out).toContain('No comment is held or reported.')
  expect((await run('cases')).out).not.toContain('Comments to review')
  expect(await tenant.within((db) => db.select().from(audit))).toMatchObject([
    { actor: 'admin:Jo', action: 'comment.approved', changes: { state: { from: 'HELD', to: 'SHOWN' } } },
  ])
})

test('a reported comment is listed with its reasons, and visible only to its author once hidden', async () => {
  const { tenant, product, author, reader, run, write, visibleTo, count } = await arrange()
  const rude = await write('Rude')
  const path = { id: product.id, commentId: rude.id }
  await reader.client.engagement.reportComment({ ...path, reason: 'ABUSE' })
  await (await tenant.createMember()).client.engagement.reportComment({ ...path, reason: 'ABUSE' })
  expect((await run('comments')).out).toContain('2 × ABUSE')

  expect(await run('comment', 'hide', rude.id, '--note', 'insult')).toMatchObject({ code: 0 })
  expect(await visibleTo(reader)).toEqual([])
  const [ownComment] = (await author.client.engagement.comments({ id: product.id })).items
  expect(ownComment).toMatchObject({ body: 'Rude', state: 'HIDDEN', author: { mine: true } })
  expect(await count()).toBe(0)
  expect((await run('comments')).out).toContain('No comment is held or reported.')

  const edited = await author.client.engagement.editComment({ ...path, body: 'Kind' })
  expect(edited.state).toBe('HIDDEN')
  expect(await run('comment', 'approve', rude.id)).toMatchObject({ code: 0 })
  expect(await visibleTo(reader)).toEqual(['Kind'])
  expect(await count()).toBe(1)
})

test('approving a reported comment closes the report and keeps the comment visible', async () => {
  const { product, reader, run, write, visibleTo, count } = await arrange()
  const fine = await write('Fine')
  await reader.client.engagement.reportComment({ id: product.id, commentId: fine.id, reason: 'SPAM' })
  await run('comment', 'approve', fine.id)
  expect((await run('comments')).out).toContain('No comment is held or reported.')
  expect(await visibleTo(reader)).toEqual(['Fine'])
  expect(await count()).toBe(1)
})

test('a hidden comment with replies stays listed without its text and author', async () => {
  const { product, reader, run, write, tenant, author } = await arrange()
  const question = await write('Question')
  await reader.client.engagement.addComment({ id: product.id, body: 'Answer', parentId: question.id })
  await run('comment', 'hide', question.id)
  const { items } = await tenant.guest.engagement.comments({ id: product.id })
  expect(items).toMatchObject([{ body: null, author: { name: '' }, state: 'HIDDEN', countOfReplies: 1 }])
  const late = reader.client.engagement.addComment({ id: product.id, body: 'More', parentId: question.id })
  expect(await failureOf(late)).toMatchObject({ status: 404 })
  await author.client.engagement.deleteComment({ id: product.id, commentId: question.id })
  expect(await run('comment', 'approve', question.id)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Its author has deleted this comment.'),
  })
})

test('the store replies in its own name, under the comment and under a reply to it', async () => {
  const { tenant, product, reader, run, write, count } = await arrange()
  const question = await write('When is part two out?')
  const reply = await reader.client.engagement.addComment({ id: product.id, body: 'Soon?', parentId: question.id })
  await run('comment', 'reply', question.id, '--text', 'In March.')
  await run('comment', 'reply', reply.id, '--text', 'Promised.')
  const { items } = await tenant.guest.engagement.replies({ id: product.id, commentId: question.id })
  expect(items.map(({ body, author }) => [body, author.isStore])).toEqual([
    ['Soon?', false],
    ['In March.', true],
    ['Promised.', true],
  ])
  expect(items.at(-1)?.author).toEqual({ name: expect.any(String), mine: false, isStore: true })
  expect(await count()).toBe(4)
  expect(await run('comment', 'reply', question.id, '--text', ' ')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Write a reply of 1 to 1000 characters.'),
  })
})

test('a comment of another store is not found', async () => {
  const [first, theirs] = [await arrange(), await arrange()]
  const foreign = await theirs.write('Elsewhere')
  for (const decision of [['approve'], ['hide'], ['reply', '--text', 'Hello']])
    expect(await first.run('comment', decision[0]!, foreign.id, ...decision.slice(1))).toMatchObject({ code: 1 })
  expect(await theirs.visibleTo(null)).toEqual(['Elsewhere'])
  expect(await first.run('comment', 'approve', 'nonsense')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Enter the id of a comment'),
  })
})

test('a text that its author has changed since it was read is not published, with or without a reply', async () => {
  const { tenant, product, author, reader, write, visibleTo } = await arrange()
  const { comments } = (await tenant.createStaff('SUPPORT')).client.admin
  const { id } = await write('More on https://films.example/list')
  const [seen] = (await comments.queue()).items
  expect(seen).toMatchObject({ productCode: product.code, productTitle: 'A quiet tide', editedAt: null })
  expect(seen).toMatchObject({ memberId: author.id, hasLink: true })

  await author.client.engagement.editComment({ id: product.id, commentId: id, body: 'An insult' })
  const refusal = { code: 'CONFLICT', problem: { errors: { id: [expect.stringContaining('has changed')] } } }
  const { editedAt } = seen!
  expect(await failureOf(comments.approve({ id, editedAt }))).toMatchObject(refusal)
  expect(await failureOf(comments.reply({ id, editedAt, body: 'Thank you', approves: true }))).toMatchObject(refusal)
  expect(await visibleTo(reader)).toEqual([])

  const [changed] = (await comments.queue()).items
  expect(changed).toMatchObject({ body: 'An insult', hasLink: false, editedAt: expect.any(String) })
  await comments.approve({ id, editedAt: changed!.editedAt })
  expect(await visibleTo(reader)).toEqual(['An insult'])
})
