import { describe, expect, test } from 'vitest'
import { plainSettings } from '#tests/support/settings.ts'
import { createTenant } from '#tests/support/tenant.ts'
import { createTestApi, failureOf } from '#tests/support/test-api.ts'

const api = createTestApi()

const stage = async (change: (settings: ReturnType<typeof plainSettings>) => void = () => {}) => {
  const settings = plainSettings()
  change(settings)
  const tenant = await createTenant(api, { settings })
  const product = await tenant.createProduct()
  return { tenant, product, author: await tenant.createMember(), other: await tenant.createMember() }
}

describe('Comments', () => {
  test('stand the latest first, with the author’s name, and are mine only to me', async () => {
    const { tenant, product, author, other } = await stage()
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

  test('page through without losing or repeating one', async () => {
    const { tenant, product, author } = await stage()
    for (let index = 0; index < 7; index++)
      await author.client.engagement.addComment({ id: product.id, body: `No. ${index}` })
    const pages = await Promise.all(
      [1, 2, 3].map((page) => tenant.guest.engagement.comments({ id: product.id, page, size: 3 })),
    )
    expect(pages.flatMap((page) => page.items.map((comment) => comment.body))).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((index) => `No. ${index}`),
    )
  })

  test('are answered one level deep, oldest reply first', async () => {
    const { tenant, product, author, other } = await stage()
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

  test('with a link are held: their author sees them, nobody else does', async () => {
    const { tenant, product, author, other } = await stage()
    const held = await author.client.engagement.addComment({ id: product.id, body: 'See https://spam.example/now' })
    expect(held.state).toBe('HELD')
    expect((await author.client.engagement.comments({ id: product.id })).total).toBe(1)
    expect((await other.client.engagement.comments({ id: product.id })).total).toBe(0)
    expect((await tenant.guest.catalog.product({ id: product.id })).countOfComments).toBe(0)
  })

  test('can be edited by their author for fifteen minutes, and by nobody else', async () => {
    const own = createTestApi()
    const tenant = await createTenant(own)
    const [author, other] = [await tenant.createMember(), await tenant.createMember()]
    const product = await tenant.createProduct()
    const { id: commentId } = await author.client.engagement.addComment({ id: product.id, body: 'Befor' })
    const edited = await author.client.engagement.editComment({ id: product.id, commentId, body: 'Before' })
    expect(edited).toMatchObject({ body: 'Before', editedAt: expect.any(String) })
    const others = other.client.engagement.editComment({ id: product.id, commentId, body: 'Mine' })
    expect(await failureOf(others)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    own.clock.advance(16 * 60 * 1000)
    const late = author.client.engagement.editComment({ id: product.id, commentId, body: 'Too late' })
    expect(await failureOf(late)).toMatchObject({ status: 403 })
  })

  test('lose their words when deleted, and keep their place while they have replies', async () => {
    const { tenant, product, author, other } = await stage()
    const asked = await author.client.engagement.addComment({ id: product.id, body: 'Question' })
    await other.client.engagement.addComment({ id: product.id, body: 'Answer', parentId: asked.id })
    const alone = await author.client.engagement.addComment({ id: product.id, body: 'Alone' })
    const others = other.client.engagement.deleteComment({ id: product.id, commentId: asked.id })
    expect(await failureOf(others)).toMatchObject({ status: 403 })
    for (const { id: commentId } of [asked, alone])
      await author.client.engagement.deleteComment({ id: product.id, commentId })
    const { items, total } = await tenant.guest.engagement.comments({ id: product.id })
    expect(total).toBe(1)
    expect(items[0]).toMatchObject({
      id: asked.id,
      state: 'DELETED',
      body: null,
      author: { name: '' },
      countOfReplies: 1,
    })
    expect((await tenant.guest.catalog.product({ id: product.id })).countOfComments).toBe(1)
    const again = author.client.engagement.deleteComment({ id: product.id, commentId: alone.id })
    expect(await failureOf(again)).toMatchObject({ status: 404 })
  })

  test('can be reported by others once, and not by their author', async () => {
    const { product, author, other } = await stage()
    const { id: commentId } = await author.client.engagement.addComment({ id: product.id, body: 'Rude' })
    const report = { id: product.id, commentId, reason: 'ABUSE' } as const
    await other.client.engagement.reportComment(report)
    await other.client.engagement.reportComment(report)
    expect(await failureOf(author.client.engagement.reportComment(report))).toMatchObject({ status: 403 })
  })

  test('are closed where the tenant says so, or open to buyers alone', async () => {
    const closed = await stage((settings) => {
      settings.operation.useComment = false
    })
    const refused = closed.author.client.engagement.addComment({ id: closed.product.id, body: 'Hello' })
    expect(await failureOf(refused)).toMatchObject({ status: 403, code: 'COMMENTS_CLOSED' })
    const buyers = await stage((settings) => {
      settings.operation.commentPolicy = 'BUYERS'
    })
    const notBought = buyers.author.client.engagement.addComment({ id: buyers.product.id, body: 'Hello' })
    expect(await failureOf(notBought)).toMatchObject({ status: 403, code: 'NOT_ENTITLED' })
  })

  test.each([
    ['nothing', ''],
    ['only spaces', '   '],
    ['more than a thousand characters', 'x'.repeat(1001)],
  ])('of %s are refused at the field', async (_, body) => {
    const { product, author } = await stage()
    const { status, problem } = await failureOf(author.client.engagement.addComment({ id: product.id, body }))
    expect(status).toBe(422)
    expect(problem.errors.body).toHaveLength(1)
  })
})

describe('Likes', () => {
  test('count once a member, however often they are said, and are taken back', async () => {
    const { tenant, product, author, other } = await stage()
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
