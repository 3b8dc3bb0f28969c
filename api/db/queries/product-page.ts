import { and, eq } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import { attachments, products } from '#api/db/schema/catalog.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import type { ProductRow } from './playables.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A product by either of its names, in any state. */
export const findProductByIdOrCode = async (
  db: TenantDb,
  customerId: CustomerId,
  idOrCode: string,
): Promise<ProductRow | null> => {
  const match = uuid.test(idOrCode) ? eq(products.id, idOrCode) : eq(products.code, idOrCode)
  const [row] = await db
    .select()
    .from(products)
    .where(and(eq(products.customerId, customerId), match))
  return row ?? null
}

export const attachmentCountOf = (db: TenantDb, customerId: CustomerId, productId: ProductId) =>
  db.$count(attachments, and(eq(attachments.customerId, customerId), eq(attachments.productId, productId)))

/** How far each lesson was watched, 0 to 1, by the lesson's id. */
export const lessonProgressOf = async (db: TenantDb, customerId: CustomerId, viewer: string, productId: ProductId) => {
  const rows = await named<{ part: string; watched: number }>(
    db,
    'lesson_progress',
    `SELECT part, CASE WHEN finished THEN 1 ELSE least(1, position_seconds / greatest(duration_seconds, 1)) END::float8 AS watched
       FROM positions WHERE customer_id = $1 AND viewer = $2 AND product_id = $3`,
    [customerId, viewer, productId],
  )
  return new Map(rows.map((row) => [row.part, row.watched]))
}
