import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { type CommentRow, lockComment, resolveReports } from '#api/db/queries/comments.ts'
import { moveProductCount } from '#api/db/queries/product-state.ts'
import { comments } from '#api/db/schema/engagement.ts'
import { newId } from '#api/db/uuid.ts'
import { type AuditActor, audit } from '#api/domain/desk/audit.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { CommentState } from '#contract/engagement.ts'
import type { CommentId } from '#contract/ids.ts'

type Moderated = Pick<CommentRow, 'id' | 'state'>

const longestReply = 1000

const setState = async (ctx: Ctx, comment: Pick<CommentRow, 'id' | 'productId' | 'state'>, state: CommentState) => {
  const { customer, db } = ctx
  await db
    .update(comments)
    .set({ state })
    .where(and(eq(comments.customerId, customer.id), eq(comments.id, comment.id)))
  const change = Number(state === 'SHOWN') - Number(comment.state === 'SHOWN')
  if (change !== 0) await moveProductCount(db, customer.id, comment.productId, 'count_of_comments', change)
}

/** Shows a held, hidden or reported comment to everybody and closes its reports. NOT_FOUND, or CONFLICT once its author deleted it. */
export const approveComment = async (ctx: Ctx, by: AuditActor, id: CommentId): Promise<Moderated | Failure> => {
  const comment = await lockComment(ctx.db, ctx.customer.id, id)
  if (!comment) return failure('NOT_FOUND')
  if (comment.state === 'DELETED') return deleted
  await setState(ctx, comment, 'SHOWN')
  await resolveReports(ctx.db, ctx.customer.id, id, ctx.clock.now())
  const detail = { from: comment.state, to: 'SHOWN' }
  await audit(ctx, { actor: by, action: 'comment.approved', subject: `comment:${id}`, detail })
  return { id, state: 'SHOWN' }
}

/**
 * Takes a comment down: its author alone still sees it, and that it was hidden. Closes its reports. NOT_FOUND, or CONFLICT once its author
 * deleted it.
 */
export const hideComment = async (
  ctx: Ctx,
  by: AuditActor,
  { id, note }: { id: CommentId; note: string | null },
): Promise<Moderated | Failure> => {
  const comment = await lockComment(ctx.db, ctx.customer.id, id)
  if (!comment) return failure('NOT_FOUND')
  if (comment.state === 'DELETED') return deleted
  await setState(ctx, comment, 'HIDDEN')
  await resolveReports(ctx.db, ctx.customer.id, id, ctx.clock.now())
  const detail = { from: comment.state, to: 'HIDDEN', note }
  await audit(ctx, { actor: by, action: 'comment.hidden', subject: `comment:${id}`, detail })
  return { id, state: 'HIDDEN' }
}

/**
 * Replies in the store's name. Replies are one level deep: the reply to a reply stands under the same comment. NOT_FOUND, CONFLICT while
 * visitors cannot see the comment, VALIDATION_FAILED for an empty or too long text.
 */
export const replyAsStore = async (
  ctx: Ctx,
  by: AuditActor,
  { id, body }: { id: CommentId; body: string },
): Promise<{ id: CommentId } | Failure> => {
  const { customer, db, clock } = ctx
  const text = body.trim()
  if (text === '' || text.length > longestReply)
    return failure('VALIDATION_FAILED', { errors: { body: [`Write a reply of 1 to ${longestReply} characters.`] } })
  const comment = await lockComment(db, customer.id, id)
  const parent = comment?.parentId ? await lockComment(db, customer.id, comment.parentId) : comment
  if (!comment || !parent) return failure('NOT_FOUND')
  if (comment.state !== 'SHOWN' || parent.state !== 'SHOWN')
    return failure('CONFLICT', {
      errors: { id: ['Visitors cannot see this comment. Approve it first, then reply to it.'] },
    })
  const reply = { id: newId<CommentId>(), parentId: parent.id, productId: parent.productId, memberId: null }
  await db.insert(comments).values({
    ...reply,
    customerId: customer.id,
    body: text,
    state: 'SHOWN',
    createdAt: clock.now().toISOString(),
  })
  await moveProductCount(db, customer.id, parent.productId, 'count_of_comments', 1)
  const detail = { reply: reply.id }
  await audit(ctx, { actor: by, action: 'comment.answered', subject: `comment:${id}`, detail })
  return { id: reply.id }
}

const deleted = failure('CONFLICT', { errors: { id: ['Its author has deleted this comment.'] } })
