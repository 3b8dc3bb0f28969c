import { and, desc, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId, MemberId, ProductId, ViewerId } from '#contract/ids.ts'
import { likes, productEvents, viewedProducts } from './engagement.schema.ts'

/** A viewer's product histories, latest first. */
export interface Histories {
  /** Started, and not dismissed. */
  watched: ProductId[]
  /** Products whose page the viewer opened. */
  viewed: ProductId[]
}

/**
 * SQL: both histories of viewer `$3` of customer `$1` as one row, `watchedIds` and `viewedIds`. The
 * limits are placeholders.
 */
export const historiesQuery = ({ watched, viewed }: Record<keyof Histories, string>) => `
  SELECT ARRAY(SELECT product_id FROM positions
                WHERE customer_id = $1 AND viewer = $3 AND dismissed_at IS NULL
                GROUP BY product_id ORDER BY max(at) DESC LIMIT ${watched}) AS "watchedIds",
         ARRAY(SELECT product_id FROM viewed_products
                WHERE customer_id = $1 AND viewer = $3 ORDER BY at DESC LIMIT ${viewed}) AS "viewedIds"`

/** Records a view and moves the product to the front of the viewer's history. */
export const recordView = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: ViewerId | null,
  productId: ProductId,
  now: Date,
) => {
  const at = now.toISOString()
  await db.insert(productEvents).values({ customerId, id: newId(), productId, type: 'VIEW', at })
  if (viewer === null) return
  await db
    .insert(viewedProducts)
    .values({ customerId, viewer, productId, at })
    .onConflictDoUpdate({
      target: [viewedProducts.customerId, viewedProducts.viewer, viewedProducts.productId],
      set: { at },
    })
}

/** Returns the ids of the products that a member likes, the latest first. */
export const readLikedProducts = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const rows = await db
    .select({ productId: likes.productId })
    .from(likes)
    .where(and(eq(likes.customerId, customerId), eq(likes.memberId, memberId)))
    .orderBy(desc(likes.createdAt))
  return rows.map((row) => row.productId)
}

/** Moves viewed products to another viewer. Of two views of one product the later wins. */
export const moveViewedProducts = async (db: TenantDb, customerId: CustomerId, from: string, to: string) => {
  await db.$client.query(
    `INSERT INTO viewed_products (customer_id, viewer, product_id, at)
     SELECT customer_id, $3, product_id, at FROM viewed_products WHERE customer_id = $1 AND viewer = $2
         ON CONFLICT (customer_id, viewer, product_id) DO UPDATE SET at = greatest(viewed_products.at, excluded.at)`,
    [customerId, from, to],
  )
  await db.$client.query('DELETE FROM viewed_products WHERE customer_id = $1 AND viewer = $2', [customerId, from])
}

/** Inserts or deletes a member's like. Returns the change of the product's like count. */
export const setLike = async (
  db: TenantDb,
  like: { customerId: CustomerId; memberId: MemberId; productId: ProductId },
  liked: boolean,
): Promise<number> => {
  if (liked) {
    const { rowCount } = await db.insert(likes).values(like).onConflictDoNothing()
    return rowCount ?? 0
  }
  const { rowCount } = await db
    .delete(likes)
    .where(
      and(
        eq(likes.customerId, like.customerId),
        eq(likes.memberId, like.memberId),
        eq(likes.productId, like.productId),
      ),
    )
  return -(rowCount ?? 0)
}
