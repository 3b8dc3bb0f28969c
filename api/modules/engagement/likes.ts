import { and, eq } from 'drizzle-orm'
import { moveProductCount, readProductState } from '#api/modules/catalog/products.queries.ts'
import { visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, type Failure, failure, type MemberCtx, viewerOf } from '#api/platform/context.ts'
import type { ProductId } from '#contract/ids.ts'
import { recordView } from './engagement.queries.ts'
import { likes } from './engagement.schema.ts'

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

/** Counts a look at a product's page, and keeps it in the viewer's history. */
export const viewProduct = async (ctx: Ctx, id: ProductId): Promise<Failure | undefined> => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  await recordView(ctx.db, ctx.customer.id, viewerOf(ctx.actor), id, ctx.clock.now())
  return undefined
}
