import type { Ctx } from '#api/context.ts'
import { readComment, readComments, readReplies } from '#api/db/queries/comments.ts'
import { visibleProduct } from '#api/domain/catalog/visible-product.ts'
import { failure } from '#api/domain/failure.ts'
import type { CommentId, ProductId } from '#contract/ids.ts'
import type { PagingQuery } from '#contract/paging.ts'
import { commentViewer, viewComment } from './view-comment.ts'

/** A product's comments, the latest first; replies are asked for one comment at a time. */
export const listComments = async (ctx: Ctx, productId: ProductId, { page, size }: PagingQuery) => {
  const { customer, db } = ctx
  if (!(await visibleProduct(ctx, productId))) return failure('NOT_FOUND')
  const viewer = commentViewer(ctx)
  const { items, total } = await readComments(db, customer.id, productId, viewer.viewer, {
    limit: size,
    offset: (page - 1) * size,
  })
  return { items: items.map((row) => viewComment(row, viewer)), total, page, size }
}

/** The replies to a comment, oldest first. */
export const listReplies = async (ctx: Ctx, productId: ProductId, commentId: CommentId) => {
  const { customer, db } = ctx
  if (!(await visibleProduct(ctx, productId))) return failure('NOT_FOUND')
  const viewer = commentViewer(ctx)
  const replies = await readReplies(db, customer.id, productId, viewer.viewer, commentId)
  if (replies.length === 0 && !(await readComment(db, customer.id, productId, viewer.viewer, commentId)))
    return failure('NOT_FOUND')
  return { items: replies.map((row) => viewComment(row, viewer)) }
}
