import { listCategories, readSitemap } from '#api/modules/catalog/categories.ts'
import {
  addComment,
  deleteComment,
  editComment,
  listComments,
  listReplies,
  reportComment,
} from '#api/modules/engagement/comments.ts'
import { likeProduct, viewProduct } from '#api/modules/engagement/likes.ts'
import { type CallContext, os, transact, transactAsMember, writing } from '#api/platform/http/procedures.ts'
import { callerKey, limited } from '#api/platform/http/request-facts.ts'
import { optionsOf, optionsOfProduct } from './options.ts'
import { viewerStates } from './product-cards.ts'
import { getProduct, histories, likedProducts, listAttachments, purchasedProducts } from './product-page.ts'
import { searchProducts, suggest } from './search.ts'

const countsLook = (call: CallContext) => call.deps.limits.views.consume(callerKey(call)).code === 'TAKEN'

export const catalogProcedures = {
  categories: os.catalog.categories.handler(async ({ context }) => ({
    items: await transact(context, (ctx) => listCategories(ctx, context.deps.cache)),
  })),
  search: os.catalog.search.handler(({ context, input }) =>
    transact(context, (ctx) => searchProducts(ctx, context.deps, input)),
  ),
  suggest: os.catalog.suggest.handler(({ context, input }) =>
    transact(context, (ctx) => suggest(ctx, context.deps, input.q)),
  ),
  sitemap: os.catalog.sitemap.handler(({ context, input }) => transact(context, (ctx) => readSitemap(ctx, input.page))),
  recentlyWatched: os.catalog.recentlyWatched.handler(async ({ context, input }) => ({
    items: (await transact(context, (ctx) => histories(ctx, { watched: input.exposureLimit, viewed: 0 }))).watched,
  })),
  viewed: os.catalog.viewed.handler(async ({ context, input }) => ({
    items: (await transact(context, (ctx) => histories(ctx, { watched: 0, viewed: input.exposureLimit }))).viewed,
  })),
  histories: os.catalog.histories.handler(({ context, input: { exposureLimit } }) =>
    transact(context, (ctx) => histories(ctx, { watched: exposureLimit, viewed: exposureLimit })),
  ),
  product: os.catalog.product.handler(({ context, input }) => {
    // Beyond the rate limit, the product is still shown, but the view is not counted.
    const countView = input.view && countsLook(context)
    return transact(countView ? writing(context) : context, (ctx) =>
      getProduct(ctx, context.deps, input.id, { countView }),
    )
  }),
  viewerStates: os.catalog.viewerStates.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => viewerStates(ctx, input.productIds)),
  })),
  productOptions: os.catalog.productOptions.handler(({ context, input }) =>
    transact(context, (ctx) => optionsOfProduct(ctx, input.id)),
  ),
  options: os.catalog.options.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => optionsOf(ctx, input.productIds)),
  })),
  attachments: os.catalog.attachments.handler(async ({ context, input }) => ({
    items: await transact(context, (ctx) => listAttachments(ctx, context.deps.cache, input.id)),
  })),
}

export const engagementProcedures = {
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
