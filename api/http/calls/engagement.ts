import { likedProducts, purchasedProducts } from '#api/domain/catalog/histories.ts'
import { likeProduct } from '#api/domain/engagement/like.ts'
import { listComments, listReplies } from '#api/domain/engagement/list-comments.ts'
import { addComment, deleteComment, editComment, reportComment } from '#api/domain/engagement/write-comment.ts'
import { transact, transactAsMember } from '../call-context.ts'
import { os } from '../implementer.ts'

export const engagementCalls = {
  like: os.engagement.like.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => likeProduct(ctx, input.id, input.liked)),
  ),
  liked: os.engagement.liked.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => likedProducts(ctx, input)),
  ),
  purchased: os.engagement.purchased.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => purchasedProducts(ctx, input)),
  ),
  comments: os.engagement.comments.handler(({ context, input }) =>
    transact(context, (ctx) => listComments(ctx, input)),
  ),
  addComment: os.engagement.addComment.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => addComment(ctx, input)),
  ),
  replies: os.engagement.replies.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => listReplies(ctx, input.id, input.commentId)),
  })),
  editComment: os.engagement.editComment.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => editComment(ctx, input)),
  ),
  deleteComment: os.engagement.deleteComment.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => deleteComment(ctx, input.id, input.commentId))
  }),
  reportComment: os.engagement.reportComment.handler(async ({ context, input }) => {
    await transactAsMember(context, (ctx) => reportComment(ctx, input))
  }),
}
