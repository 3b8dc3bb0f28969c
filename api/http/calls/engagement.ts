import { likedProducts, purchasedProducts } from '#api/domain/catalog/histories.ts'
import { addComment } from '#api/domain/engagement/add-comment.ts'
import { deleteComment, editComment, reportComment } from '#api/domain/engagement/change-comment.ts'
import { likeProduct } from '#api/domain/engagement/like-product.ts'
import { listComments, listReplies } from '#api/domain/engagement/list-comments.ts'
import { viewProduct } from '#api/domain/engagement/view-product.ts'
import { transact, transactAsMember } from '../call-context.ts'
import { os } from '../implementer.ts'
import { limited } from '../limits.ts'

export const engagementCalls = {
  like: os.engagement.like.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => likeProduct(ctx, input.id, input.liked)),
  ),
  view: os.engagement.view.handler(async ({ context, input }) => {
    await limited(context, context.deps.limits.views, () => transact(context, (ctx) => viewProduct(ctx, input.id)))
  }),
  liked: os.engagement.liked.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => likedProducts(ctx, input)),
  ),
  purchased: os.engagement.purchased.handler(({ context, input }) =>
    transactAsMember(context, (ctx) => purchasedProducts(ctx, input)),
  ),
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
