import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { likes } from '#api/db/schema/engagement.ts'
import { positions, productEvents, viewedProducts } from '#api/db/schema/playback.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId, MemberId, ProductId } from '#contract/ids.ts'

/** Products a viewer has begun and not taken off the list, latest first. */
export const watchedLast = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: string,
  limit: number,
): Promise<ProductId[]> => {
  const rows = await db
    .select({ productId: positions.productId, last: sql<string>`max(${positions.at})` })
    .from(positions)
    .where(and(eq(positions.customerId, customerId), eq(positions.viewer, viewer), isNull(positions.dismissedAt)))
    .groupBy(positions.productId)
    .orderBy(desc(sql`max(${positions.at})`))
    .limit(limit)
  return rows.map((row) => row.productId as ProductId)
}

/** Products a viewer has looked at, latest first. */
export const viewedLast = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: string,
  limit: number,
): Promise<ProductId[]> => {
  const rows = await db
    .select({ productId: viewedProducts.productId })
    .from(viewedProducts)
    .where(and(eq(viewedProducts.customerId, customerId), eq(viewedProducts.viewer, viewer)))
    .orderBy(desc(viewedProducts.at))
    .limit(limit)
  return rows.map((row) => row.productId as ProductId)
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
