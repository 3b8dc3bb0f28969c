import { implementProcedures, transact, transactAsMember, transactAsOperator } from '#api/platform/http/procedures.ts'
import { ifMatch, limited } from '#api/platform/http/request-facts.ts'
import { type LimitKinds, minuteSeconds } from '#api/platform/limits/rate-limits.ts'
import {
  addComment,
  deleteComment,
  editComment,
  likeProduct,
  listComments,
  listCommentsToReview,
  listReplies,
  replyAsStore,
  reportComment,
  viewProduct,
} from './comments.ts'
import {
  approveComment,
  changeBlockedPhrases,
  changeComments,
  commentsToReview,
  hideComment,
  listBlockedPhrases,
  pageComments,
  restoreComments,
} from './moderation.ts'

/** Returns the limits of comments and of counted views. */
export const createEngagementLimits = ({ inProcess }: LimitKinds) => ({
  comments: inProcess(30, 10 * minuteSeconds),
  views: inProcess(600, minuteSeconds),
})
export type EngagementLimits = ReturnType<typeof createEngagementLimits>

const os = implementProcedures<{ limits: EngagementLimits }>()

export const engagementProcedures = {
  like: os.engagement.like.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => likeProduct(ctx, input.id, input.liked)),
  ),
  view: os.engagement.view.handler(async ({ context, input }) => {
    await limited(context, context.deps.limits.views, () => transact(context, (ctx) => viewProduct(ctx, input.id)))
  }),
  comments: os.engagement.comments.handler(({ context, input }) =>
    transact(context, (ctx) => listComments(ctx, input.id, input)),
  ),
  addComment: os.engagement.addComment.handler(({ context, input: { id, ...comment } }) =>
    limited(context, context.deps.limits.comments, () =>
      transactAsMember(context, (ctx) => addComment(ctx, { productId: id, ...comment })),
    ),
  ),
  replies: os.engagement.replies.handler(({ context, input }) =>
    transact(context, (ctx) => listReplies(ctx, input.id, input.commentId)),
  ),
  editComment: os.engagement.editComment.handler(({ context, input: { id, commentId, body } }) =>
    transactAsMember(context, (ctx) => editComment(ctx, { productId: id, commentId }, body)),
  ),
  deleteComment: os.engagement.deleteComment.handler(async ({ context, input: { id, commentId } }) => {
    await transactAsMember(context, (ctx) => deleteComment(ctx, { productId: id, commentId }))
  }),
  reportComment: os.engagement.reportComment.handler(async ({ context, input: { id, commentId, reason } }) => {
    await transactAsMember(context, (ctx) => reportComment(ctx, { productId: id, commentId }, reason))
  }),
}

const maxListed = 200

/** Procedures of staff who moderate comments. */
export const moderationProcedures = {
  queue: os.admin.comments.queue.handler(({ context }) =>
    transact(context, async (ctx) => ({
      items: await listCommentsToReview(ctx, maxListed),
      ...(await commentsToReview(ctx)),
    })),
  ),
  list: os.admin.comments.list.handler(({ context, input }) => transact(context, (ctx) => pageComments(ctx, input))),
  changeMany: os.admin.comments.changeMany.handler(({ context, input: { note = null, ...change } }) =>
    transactAsOperator(context, (ctx, by) => changeComments(ctx, by, { ...change, note })),
  ),
  restoreMany: os.admin.comments.restoreMany.handler(({ context, input: { items } }) =>
    transactAsOperator(context, (ctx, by) => restoreComments(ctx, by, items)),
  ),
  approve: os.admin.comments.approve.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => approveComment(ctx, by, input))
  }),
  hide: os.admin.comments.hide.handler(async ({ context, input: { id, note = null } }) => {
    await transactAsOperator(context, (ctx, by) => hideComment(ctx, by, { id, note }))
  }),
  reply: os.admin.comments.reply.handler(async ({ context, input }) => {
    await transactAsOperator(context, (ctx, by) => replyAsStore(ctx, by, input))
  }),
  blockedPhrases: os.admin.comments.blockedPhrases.handler(({ context }) => transact(context, listBlockedPhrases)),
  changeBlockedPhrases: os.admin.comments.changeBlockedPhrases.handler(({ context, input: { phrases } }) =>
    transactAsOperator(context, (ctx, by) => changeBlockedPhrases(ctx, by, { phrases, expected: ifMatch(context) })),
  ),
}
