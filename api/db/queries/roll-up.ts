import { sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/**
 * Takes up to `most` views and plays out of the journal and adds them to their products' counts; answers how many there were. Rows
 * another process is taking are left to it.
 */
export const rollUpEvents = async (db: TenantDb, customerId: CustomerId, most: number): Promise<number> => {
  const { rows } = await db.execute<{ taken: number }>(sql`
    WITH taken AS (
      DELETE FROM product_events
       WHERE customer_id = ${customerId}
         AND id IN (SELECT id FROM product_events WHERE customer_id = ${customerId} ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED)
      RETURNING product_id, type
    ), sums AS (
      SELECT product_id, count(*) FILTER (WHERE type = 'VIEW') AS views, count(*) FILTER (WHERE type = 'PLAY') AS plays
        FROM taken GROUP BY product_id
    ), counted AS (
      UPDATE products p
         SET count_of_views = p.count_of_views + s.views, count_of_plays = p.count_of_plays + s.plays
        FROM sums s
       WHERE p.customer_id = ${customerId} AND p.id = s.product_id
    )
    SELECT count(*)::int AS taken FROM taken`)
  return rows[0]?.taken ?? 0
}
