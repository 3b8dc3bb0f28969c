import { sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { positions, viewedProducts } from '#api/db/schema/playback.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Hands what one viewer has looked at to another; of two looks at one product the later stays. */
export const moveViewedProducts = async (db: TenantDb, customerId: CustomerId, from: string, to: string) => {
  await db.execute(sql`
    INSERT INTO ${viewedProducts} (customer_id, viewer, product_id, at)
    SELECT customer_id, ${to}, product_id, at FROM ${viewedProducts}
     WHERE customer_id = ${customerId} AND viewer = ${from}
        ON CONFLICT (customer_id, viewer, product_id) DO UPDATE SET at = greatest(viewed_products.at, excluded.at)`)
  await db.execute(sql`DELETE FROM ${viewedProducts} WHERE customer_id = ${customerId} AND viewer = ${from}`)
}

/** Hands positions over; of two positions in one video the later stays, and a play that was counted stays counted. */
export const movePositions = async (db: TenantDb, customerId: CustomerId, from: string, to: string) => {
  await db.execute(sql`
    INSERT INTO ${positions}
           (customer_id, viewer, product_id, part, position_seconds, duration_seconds, played_seconds, finished, counted, at)
    SELECT customer_id, ${to}, product_id, part, position_seconds, duration_seconds, played_seconds, finished, counted, at
      FROM ${positions}
     WHERE customer_id = ${customerId} AND viewer = ${from}
        ON CONFLICT (customer_id, viewer, product_id, part) DO UPDATE
       SET position_seconds = excluded.position_seconds, duration_seconds = excluded.duration_seconds,
           played_seconds = excluded.played_seconds, finished = excluded.finished,
           counted = positions.counted OR excluded.counted, at = excluded.at
     WHERE excluded.at > positions.at`)
  await db.execute(sql`DELETE FROM ${positions} WHERE customer_id = ${customerId} AND viewer = ${from}`)
}
