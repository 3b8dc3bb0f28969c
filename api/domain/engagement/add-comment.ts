import type { MemberCtx } from '#api/context.ts'
import { readComment } from '#api/db/queries/comments.ts'
import { moveProductCount } from '#api/db/queries/product-state.ts'
import { comments } from '#api/db/schema/engagement.ts'
import { newId } from '#api/db/uuid.ts'
import { visibleProduct } from '#api/domain/catalog/visible-product.ts'
import { rightOf } from '#api/domain/entitlements/rights.ts'
import { failure } from '#api/domain/failure.ts'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { commentViewer, viewComment } from './view-comment.ts'

/** Anything a reader's browser might be led away by. */
const link = /https?:\/\/|www\.|\b[a-z0-9-]+\.(?:com|net|org|io|kr|jp|ru|cn|xyz|top|shop|site|info)\b/i

/** The state of a new text: one with links is held until a moderator has seen it. */
export const stateOf = (body: string) => (link.test(body) ? 'HELD' : 'SHOWN')

export interface NewComment {
  productId: ProductId
  body: string
  parentId?: CommentId | undefined
}

/** Comments a product, or replies to a comment that is itself no reply. One with links is held. */
export const addComment = async (ctx: MemberCtx, { productId, body, parentId }: NewComment) => {
  const { customer, actor, db, clock } = ctx
  const product = await visibleProduct(ctx, productId)
  if (!product) return failure('NOT_FOUND')
  const { useComment, commentPolicy } = customer.settings.operation
  if (!useComment) return failure('COMMENTS_CLOSED')
  if (commentPolicy === 'BUYERS' && !(await rightOf(ctx, product)).entitled) return failure('NOT_ENTITLED')
  if (parentId) {
    const parent = await readComment(db, customer.id, productId, actor.memberId, parentId, { lock: true })
    if (!parent || parent.state === 'DELETED' || parent.state === 'HIDDEN') return failure('NOT_FOUND')
    if (parent.parentId) return failure('VALIDATION_FAILED', { errors: { parentId: ['You can’t reply to a reply.'] } })
  }

  const id = newId<CommentId>()
  const state = stateOf(body)
  const createdAt = clock.now().toISOString()
  await db.insert(comments).values({
    ...{ customerId: customer.id, id, productId, memberId: actor.memberId, body, state, createdAt },
    parentId: parentId ?? null,
  })
  if (state === 'SHOWN') await moveProductCount(db, customer.id, productId, 'count_of_comments', 1)
  const written = await readComment(db, customer.id, productId, actor.memberId, id)
  return written ? viewComment(written, commentViewer(ctx)) : failure('NOT_FOUND')
}
