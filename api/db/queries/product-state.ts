import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import { isFreeOfCharge } from './products.ts'

export interface ProductState {
  id: ProductId
  access: ProductAccess
  status: 'ON_SALE' | 'HIDDEN' | 'ENDED'
  freeOfCharge: boolean
}

/** Whether a product exists and how it stands; drafts are nobody's. */
export const readProductState = async (db: TenantDb, customerId: CustomerId, id: ProductId) => {
  const [row] = await named<ProductState & Record<string, unknown>>(
    db,
    'product-state',
    `SELECT p.id, p.access, p.status, ${isFreeOfCharge('p')} AS "freeOfCharge" FROM products p
      WHERE p.customer_id = $1 AND p.id = $2 AND p.status <> 'DRAFT'`,
    [customerId, id],
  )
  return row ?? null
}

/** Moves a product's count of likes or comments by what has just been written, in the same transaction. */
export const moveProductCount = async (
  db: TenantDb,
  customerId: CustomerId,
  id: ProductId,
  column: 'count_of_likes' | 'count_of_comments',
  by: number,
): Promise<number> => {
  const [row] = await named<{ count: number }>(
    db,
    `move-${column}`,
    `UPDATE products SET ${column} = greatest(0, ${column} + $3) WHERE customer_id = $1 AND id = $2 RETURNING ${column} AS count`,
    [customerId, id, by],
  )
  return row?.count ?? 0
}
