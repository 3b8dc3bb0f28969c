import { sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/**
 * Takes up to `most` events out of the journal, and adds them to their products' counts and to the figures of their day, as the
 * tenant's time zone has it; answers how many there were. What is taken and what is added stand or fall together, so a crash counts
 * nothing twice. Rows another process is taking are left to it.
 */
export const rollUpEvents = async (db: TenantDb, customerId: CustomerId, most: number): Promise<number> => {
  const { rows } = await db.execute<{ taken: number }>(sql`
    WITH taken AS (
      DELETE FROM product_events
       WHERE customer_id = ${customerId}
         AND id IN (SELECT id FROM product_events WHERE customer_id = ${customerId} ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED)
      RETURNING product_id, type, part, seconds, at
    ), counted AS (
      UPDATE products p
         SET count_of_views = p.count_of_views + s.views, count_of_plays = p.count_of_plays + s.plays
        FROM (
          SELECT product_id, count(*) FILTER (WHERE type = 'VIEW') AS views, count(*) FILTER (WHERE type = 'PLAY') AS plays
            FROM taken WHERE type IN ('VIEW', 'PLAY') GROUP BY product_id
        ) s
       WHERE p.customer_id = ${customerId} AND p.id = s.product_id
    ), figured AS (
      INSERT INTO product_figures AS f (customer_id, product_id, part, day, views, plays, finishes, played_seconds)
      SELECT ${customerId}, t.product_id, t.part, (t.at AT TIME ZONE (c.settings -> 'base' ->> 'timeZone'))::date AS day,
             count(*) FILTER (WHERE type = 'VIEW'), count(*) FILTER (WHERE type = 'PLAY'), count(*) FILTER (WHERE type = 'FINISH'),
             coalesce(sum(t.seconds::float8) FILTER (WHERE type = 'WATCH'), 0)
        FROM taken t
        JOIN customers c ON c.customer_id = ${customerId}
        JOIN products p ON p.customer_id = ${customerId} AND p.id = t.product_id
       GROUP BY t.product_id, t.part, day
       ORDER BY t.product_id, t.part, day
          ON CONFLICT (customer_id, product_id, part, day) DO UPDATE
         SET views = f.views + excluded.views, plays = f.plays + excluded.plays, finishes = f.finishes + excluded.finishes,
             played_seconds = f.played_seconds + excluded.played_seconds
    )
    SELECT count(*)::int AS taken FROM taken`)
  return rows[0]?.taken ?? 0
}
