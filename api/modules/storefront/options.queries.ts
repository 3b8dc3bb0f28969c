import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { productOptions, products } from '#api/modules/catalog/catalog.schema.ts'
import { isReady } from '#api/modules/catalog/products.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'

export type OptionRow = typeof productOptions.$inferSelect

/**
 * Options on sale of products that are on sale and have content, by product and then in the store's
 * order.
 */
export const readOptionsOnSale = async (
  db: TenantDb,
  customerId: CustomerId,
  productIds: readonly ProductId[],
  { withFree }: { withFree: boolean },
): Promise<OptionRow[]> => {
  const rows = await db
    .select({ option: productOptions })
    .from(productOptions)
    .innerJoin(
      products,
      and(eq(products.customerId, productOptions.customerId), eq(products.id, productOptions.productId)),
    )
    .where(
      and(
        eq(productOptions.customerId, customerId),
        inArray(productOptions.productId, [...productIds]),
        eq(productOptions.onSale, true),
        eq(products.status, 'ON_SALE'),
        sql.raw(isReady('products')),
        withFree ? undefined : gt(productOptions.priceAmount, 0),
      ),
    )
    .orderBy(asc(productOptions.productId), asc(productOptions.sort), asc(productOptions.priceAmount))
  return rows.map(({ option }) => option)
}
