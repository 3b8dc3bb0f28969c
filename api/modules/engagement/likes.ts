import { moveProductCount, readProductState } from '#api/modules/catalog/products.queries.ts'
import { visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, type Failure, failure, type MemberCtx, viewerOf } from '#api/platform/context.ts'
import type { ProductId } from '#contract/ids.ts'
import { recordView, setLike } from './engagement.queries.ts'

/** Likes or unlikes a product. Idempotent; a hidden product can still be unliked. */
export const likeProduct = async (ctx: MemberCtx, productId: ProductId, liked: boolean) => {
  const { customer, actor, db } = ctx
  const product = liked ? await visibleProduct(ctx, productId) : await readProductState(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND')
  const by = await setLike(db, { customerId: customer.id, memberId: actor.memberId, productId }, liked)
  return { liked, countOfLikes: await moveProductCount(db, customer.id, productId, 'count_of_likes', by) }
}

/** Counts a page view of a product and adds it to the viewer's history. */
export const viewProduct = async (ctx: Ctx, id: ProductId): Promise<Failure | undefined> => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  await recordView(ctx.db, ctx.customer.id, viewerOf(ctx.actor), id, ctx.clock.now())
  return undefined
}
