import type { Ctx } from '#api/platform/context.ts'
import type { ProductId } from '#contract/ids.ts'
import { refreshProducts } from './product-search.queries.ts'
import { moveProductCount } from './products.queries.ts'

/** Products of one statement, so that none runs for long. */
const batchSize = 1000

/**
 * Updates what is derived from products: their prices, lengths and search words. Call it in the
 * transaction that writes products, options, lessons or videos.
 */
export const deriveProducts = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, ids: readonly ProductId[]) => {
  for (let from = 0; from < ids.length; from += batchSize)
    await refreshProducts(db, customer.id, ids.slice(from, from + batchSize))
}

/** Changes how many likes or comments a product has. Returns the number after the change. */
export const changeProductCount = (
  { db, customer }: Pick<Ctx, 'db' | 'customer'>,
  id: ProductId,
  what: 'likes' | 'comments',
  by: number,
): Promise<number> => moveProductCount(db, customer.id, id, `count_of_${what}`, by)
