import { describe, expect, test } from 'vitest'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const arrange = async (change: (settings: ReturnType<typeof plainSettings>) => void = () => {}) => {
  const settings = plainSettings()
  change(settings)
  const tenant = await createTenant(api, { settings })
  const product = await tenant.createProduct()
  return { tenant, product, author: await tenant.createMember(), other: await tenant.createMember() }
}

describe('Comments', () => {
  test('comments are listed latest first and marked as own only for their author', async () => {
    const { tenant, product, author, other } = await arrange()
    await author.client.engagement.addComment({ id: product.id, body: 'First' })
    await other.client.engagement.addComment({ id: product.id, body: 'Second' })
    const list = await author.client.engagement.comments({ id: product.id })
    expect(list).toMatchObject({ total: 2, page: 1 })
    expect(list.items.map(({ body, author: by }) => [body, by.mine])).toEqual([
      ['Second', false],
      ['First', true],
    ])
    const guests = await tenant.guest.engagement.comments({ id: product.id })
    expect(guests.items.some((comment) => comment.author.mine || comment.editableUntil)).toBe(false)
    expect((await tenant.guest.catalog.product({ id: product.id })).countOfComments).toBe(2)
  })

  test('the pages of comments contain each comment once', async () => {
    const { tenant, product, author } = await arrange()
    for (let index = 0; index < 7; index++)
      await author.client.engagement.addComment({ id: product.id, body: `No. ${index}` })
    const pages = await Promise.all(
      [1, 2, 3].map((page) => tenant.guest.engagement.comments({ id: product.id, page, size: 3 })),
    )
    expect(pages.flatMap((page) => page.items.map((comment) => comment.body))).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((index) => `No. ${index}`),
    )
  })

  test('replies to comments are one level deep and listed oldest first', async () => {
    const { tenant, product, author, other } = await arrange()
    const comment = await author.client.engagement.addComment({ id: product.id, body: 'Question' })
    for (const body of ['One', 'Two'])
      await other.client.engagement.addComment({ id: product.id, body, parentId: comment.id })
    const { items } = await tenant.guest.engagement.replies({ id: product.id, commentId: comment.id })
    expect(items.map((reply) => reply.body)).toEqual(['One', 'Two'])
    const deeper = author.client.engagement.addComment({ id: product.id, body: 'No', parentId: items[0]!.id })
    expect((await failureOf(deeper)).problem).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: { parentId: [expect.any(String)] },
    })
    const [shown] = (await tenant.guest.engagement.comments({ id: product.id })).items
    expect(shown?.countOfReplies).toBe(2)
  })

  test('a comment with a link is held and visible only to its author', async () => {
    const { tenant, product, author, other } = await arrange()
    const heldComment = await author.client.engagement.addComment({
      id: product.id,
      body: 'See https://spam.example/now',
    })
    expect(heldComment.state).toBe('HELD')
    expect((await author.client.engagement.comments({ id: product.id })).total).toBe(1)
    expect((await other.client.engagement.comments({ id: product.id })).total).toBe(0)
    expect((await tenant.guest.catalog.product({ id: product.id })).countOfComments).toBe(0)
  })

  test('a comment can be edited for fifteen minutes, and only by its author', async () => {
    const separateApi = createTestApi()
    const tenant = await createTenant(separateApi)
    const [author, other] = [await tenant.createMember(), await tenant.createMember()]
    const product = await tenant.createProduct()
    const { id: commentId } = await author.client.engagement.addComment({ id: product.id, body: 'Befor' })
    const edited = await author.client.engagement.editComment({ id: product.id, commentId, body: 'Before' })
    expect(edited).toMatchObject({ body: 'Before', editedAt: expect.any(String) })
    const others = other.client.engagement.editComment({ id: product.id, commentId, body: 'Mine' })
    expect(await failureOf(others)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    separateApi.clock.advance(16 * 60 * 1000)
    const late = author.client.engagement.editComment({ id: product.id, commentId, body: 'Too late' })
    expect(await failureOf(late)).toMatchObject({ status: 403 })
  })

  test('a deleted comment loses its text, and stays listed while it has replies', async () => {
    const { tenant, product, author, other } = await arrange()
    const question = await author.client.engagement.addComment({ id: product.id, body: 'Question' })
    await other.client.engagement.addComment({ id: product.id, body: 'Answer', parentId: question.id })
    const alone = await author.client.engagement.addComment({ id: product.id, body: 'Alone' })
    const others = other.client.engagement.deleteComment({ id: product.id, commentId: question.id })
    expect(await failureOf(others)).toMatchObject({ status: 403 })
    for (const { id: commentId } of [question, alone])
      await author.client.engagement.deleteComment({ id: product.id, commentId })
    const { items, total } = await tenant.guest.engagement.comments({ id: product.id })
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({
      id: question.id,
      state: 'DELETED',
      body: null,
      author: { name: '' },
      countOfReplies: 1,
    })
    expect((await tenant.guest.catalog.product({ id: product.id })).countOfComments).toBe(1)
    const again = author.client.engagement.deleteComment({ id: product.id, commentId: alone.id })
    expect(await failureOf(again)).toMatchObject({ status: 404 })
  })

  test('a comment can be reported by other members and not by its author', async () => {
    const { product, author, other } = await arrange()
    const { id: commentId } = await author.client.engagement.addComment({ id: product.id, body: 'Rude' })
    const report = { id: product.id, commentId, reason: 'ABUSE' } as const
    await other.client.engagement.reportComment(report)
    await other.client.engagement.reportComment(report)
    expect(await failureOf(author.client.engagement.reportComment(report))).toMatchObject({ status: 403 })
  })

  test('comments can be disabled or limited to buyers by settings', async () => {
    const closed = await arrange((settings) => {
      settings.operation.useComment = false
    })
    const refused = closed.author.client.engagement.addComment({ id: closed.product.id, body: 'Hello' })
    expect(await failureOf(refused)).toMatchObject({ status: 403, code: 'COMMENTS_CLOSED' })
    const buyers = await arrange((settings) => {
      settings.operation.commentPolicy = 'BUYERS'
    })
    const notBought = buyers.author.client.engagement.addComment({ id: buyers.product.id, body: 'Hello' })
    expect(await failureOf(notBought)).toMatchObject({ status: 403, code: 'NOT_ENTITLED' })
  })

  test.each([
    ['nothing', ''],
    ['only spaces', '   '],
    ['more than a thousand characters', 'x'.repeat(1001)],
  ])('a comment of %s is refused with an error at its field', async (_, body) => {
    const { product, author } = await arrange()
    const { status, problem } = await failureOf(author.client.engagement.addComment({ id: product.id, body }))
    expect(status).toBe(422)
    expect(problem.errors.body).toHaveLength(1)
  })
})

describe('Likes', () => {
  test('a like counts once for each member and can be removed', async () => {
    const { tenant, product, author, other } = await arrange()
    const like = (liked: boolean) => author.client.engagement.like({ id: product.id, liked })
    await Promise.all([like(true), like(true), like(true)])
    await other.client.engagement.like({ id: product.id, liked: true })
    expect((await tenant.guest.catalog.product({ id: product.id })).countOfLikes).toBe(2)
    expect(await like(false)).toEqual({ liked: false, countOfLikes: 1 })
    expect(await like(false)).toEqual({ liked: false, countOfLikes: 1 })
    expect((await author.client.engagement.liked({})).total).toBe(0)
    expect((await other.client.engagement.liked({})).items.map((card) => card.id)).toEqual([product.id])
  })
})
