import { readProductState } from '#api/modules/catalog/playables.queries.ts'
import { changeProductCount } from '#api/modules/catalog/products.ts'
import { visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, type EventHandler, type Failure, failure, type MemberCtx, viewerOf } from '#api/platform/context.ts'
import type { ProductId } from '#contract/ids.ts'
import { moveViewedProducts, recordView, setLike } from './engagement.queries.ts'

/** Likes or unlikes a product. Idempotent; a hidden product can still be unliked. */
export const likeProduct = async (ctx: MemberCtx, productId: ProductId, liked: boolean) => {
  const { customer, actor, db } = ctx
  const product = liked ? await visibleProduct(ctx, productId) : await readProductState(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND')
  const by = await setLike(db, { customerId: customer.id, memberId: actor.memberId, productId }, liked)
  return { liked, countOfLikes: await changeProductCount(ctx, productId, 'likes', by) }
}

/**
 * Counts a page view of a product and adds it to the viewer's history. Fails with NOT_FOUND if the
 * viewer cannot see it.
 */
export const viewProduct = async (ctx: Ctx, id: ProductId): Promise<Failure | undefined> => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  await recordProductView(ctx, id)
  return undefined
}

/** Counts a view of a product that the viewer has just been shown, and adds it to their history. */
export const recordProductView = ({ db, customer, actor, clock }: Ctx, id: ProductId) =>
  recordView(db, customer.id, viewerOf(actor), id, clock.now())

/** Moves the viewed products of a merged account. */
export const moveMergedHistory: EventHandler<'memberMerged'> = ({ db, customer }, { fromId, memberId }) =>
  moveViewedProducts(db, customer.id, fromId, memberId)

/** Moves the viewed products of a guest to the member who has signed in. */
export const moveGuestHistory: EventHandler<'memberSignedIn'> = ({ db, customer }, { guestId, memberId }) =>
  moveViewedProducts(db, customer.id, guestId, memberId)
