import { and, desc, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import { likes } from '#api/db/schema/engagement.ts'
import { productEvents, viewedProducts } from '#api/db/schema/playback.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId, MemberId, ProductId } from '#contract/ids.ts'

/** Products of a viewer's histories, latest first. */
export interface Histories {
  /** Begun, and not taken off the list. */
  watched: ProductId[]
  /** Looked at. */
  viewed: ProductId[]
}

/** Both histories of a viewer in one look-up, each as long as is asked for. */
export const historiesOf = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: string,
  { watched, viewed }: Record<keyof Histories, number>,
): Promise<Histories> => {
  const [row] = await named<Histories & Record<string, unknown>>(
    db,
    'histories',
    `SELECT ARRAY(SELECT product_id FROM positions
                   WHERE customer_id = $1 AND viewer = $2 AND dismissed_at IS NULL
                   GROUP BY product_id ORDER BY max(at) DESC LIMIT $3) AS watched,
            ARRAY(SELECT product_id FROM viewed_products
                   WHERE customer_id = $1 AND viewer = $2 ORDER BY at DESC LIMIT $4) AS viewed`,
    [customerId, viewer, watched, viewed],
  )
  return row ?? { watched: [], viewed: [] }
}

/** Appends a view, and moves the product to the front of the viewer's history. */
export const recordView = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: string | null,
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

export const likedLast = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  page: { limit: number; offset: number },
) => {
  const mine = and(eq(likes.customerId, customerId), eq(likes.memberId, memberId))
  const rows = await db
    .select({ productId: likes.productId })
    .from(likes)
    .where(mine)
    .orderBy(desc(likes.createdAt))
    .limit(page.limit)
    .offset(page.offset)
  return { ids: rows.map((row) => row.productId as ProductId), total: await db.$count(likes, mine) }
}
