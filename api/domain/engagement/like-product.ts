import { and, eq } from 'drizzle-orm'
import type { MemberCtx } from '#api/context.ts'
import { moveProductCount, readProductState } from '#api/db/queries/product-state.ts'
import { likes } from '#api/db/schema/engagement.ts'
import { visibleProduct } from '#api/domain/catalog/visible-product.ts'
import { failure } from '#api/domain/failure.ts'
import type { ProductId } from '#contract/ids.ts'

/** Likes a product or takes it back, of one hidden since too. Saying the same twice changes nothing. */
export const likeProduct = async (ctx: MemberCtx, productId: ProductId, liked: boolean) => {
  const { customer, actor, db } = ctx
  const product = liked ? await visibleProduct(ctx, productId) : await readProductState(db, customer.id, productId)
  if (!product) return failure('NOT_FOUND')
  const mine = { customerId: customer.id, memberId: actor.memberId, productId }
  const changed = liked
    ? await db.insert(likes).values(mine).onConflictDoNothing().returning({ productId: likes.productId })
    : await db
        .delete(likes)
        .where(
          and(
            eq(likes.customerId, mine.customerId),
            eq(likes.memberId, mine.memberId),
            eq(likes.productId, mine.productId),
          ),
        )
        .returning({ productId: likes.productId })
  const by = liked ? changed.length : -changed.length
  return { liked, countOfLikes: await moveProductCount(db, customer.id, productId, 'count_of_likes', by) }
}
