import { and, eq } from 'drizzle-orm'
import type { MemberCtx } from '#api/context.ts'
import { readComment } from '#api/db/queries/comments.ts'
import { moveProductCount } from '#api/db/queries/product-state.ts'
import { commentReports, comments } from '#api/db/schema/engagement.ts'
import { failure } from '#api/domain/failure.ts'
import type { CommentId, ProductId } from '#contract/ids.ts'
import { stateOf } from './add-comment.ts'
import { commentViewer, editableUntil, viewComment } from './view-comment.ts'

interface CommentPath {
  productId: ProductId
  commentId: CommentId
}

const find = ({ customer, actor, db }: MemberCtx, { productId, commentId }: CommentPath, lock: boolean) =>
  readComment(db, customer.id, productId, actor.memberId, commentId, { lock })

const row = ({ customer }: MemberCtx, { commentId }: CommentPath) =>
  and(eq(comments.customerId, customer.id), eq(comments.id, commentId))

/** Edits an own comment within its time. New links hold it; what is held or hidden stays so. */
export const editComment = async (ctx: MemberCtx, path: CommentPath, body: string) => {
  const { customer, actor, db, clock } = ctx
  const comment = await find(ctx, path, true)
  if (!comment) return failure('NOT_FOUND')
  if (comment.memberId !== actor.memberId || clock.now() > editableUntil(comment)) return failure('FORBIDDEN')
  const state = comment.state === 'SHOWN' ? stateOf(body) : comment.state
  const editedAt = clock.now().toISOString()
  await db.update(comments).set({ body, state, editedAt }).where(row(ctx, path))
  if (comment.state === 'SHOWN' && state === 'HELD')
    await moveProductCount(db, customer.id, path.productId, 'count_of_comments', -1)
  return viewComment({ ...comment, body, state, editedAt }, commentViewer(ctx))
}

/** Deletes an own comment. The row stays, so that its replies keep their place. */
export const deleteComment = async (ctx: MemberCtx, path: CommentPath) => {
  const comment = await find(ctx, path, true)
  if (!comment) return failure('NOT_FOUND')
  if (comment.memberId !== ctx.actor.memberId) return failure('FORBIDDEN')
  await ctx.db.update(comments).set({ state: 'DELETED' }).where(row(ctx, path))
  if (comment.state === 'SHOWN')
    await moveProductCount(ctx.db, ctx.customer.id, path.productId, 'count_of_comments', -1)
  return undefined
}

/** Reports somebody else's comment; once a member is enough, and an own one cannot be reported. */
export const reportComment = async (ctx: MemberCtx, path: CommentPath, reason: string) => {
  const comment = await find(ctx, path, false)
  if (!comment) return failure('NOT_FOUND')
  if (comment.memberId === ctx.actor.memberId) return failure('FORBIDDEN')
  const { customer, actor, db } = ctx
  await db
    .insert(commentReports)
    .values({ customerId: customer.id, commentId: path.commentId, memberId: actor.memberId, reason })
    .onConflictDoNothing()
  return undefined
}
