import { sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { videoStretches } from '#contract/figures.ts'
import type { CustomerId } from '#contract/ids.ts'

/** How many plays watched each stretch of their video: a count for each bit. */
const reached = sql.raw(
  Array.from({ length: videoStretches }, (_, bit) => `count(*) FILTER (WHERE t.reached & ${2 ** bit} <> 0)`).join(', '),
)

/**
 * Takes up to `most` events out of the journal, and adds them to their products' counts and to the figures of a day: the one their play
 * counts on, else their own, as the tenant's time zone has it. Answers how many there were. What is taken and what is added stand or
 * fall together, so a crash counts nothing twice. Rows another process is taking are left to it.
 */
export const rollUpEvents = async (db: TenantDb, customerId: CustomerId, most: number): Promise<number> => {
  const { rows } = await db.execute<{ taken: number }>(sql`
    WITH taken AS (
      DELETE FROM product_events
       WHERE customer_id = ${customerId}
         AND id IN (SELECT id FROM product_events WHERE customer_id = ${customerId} ORDER BY id LIMIT ${most} FOR UPDATE SKIP LOCKED)
      RETURNING product_id, type, part, seconds, reached, day, at
    ), counted AS (
      UPDATE products p
         SET count_of_views = p.count_of_views + s.views, count_of_plays = p.count_of_plays + s.plays
        FROM (
          SELECT product_id, count(*) FILTER (WHERE type = 'VIEW') AS views, count(*) FILTER (WHERE type = 'PLAY') AS plays
            FROM taken WHERE type IN ('VIEW', 'PLAY') GROUP BY product_id
        ) s
       WHERE p.customer_id = ${customerId} AND p.id = s.product_id
    ), figured AS (
      INSERT INTO product_figures AS f
             (customer_id, product_id, part, day, views, plays, finishes, played_seconds, reached_plays, reached)
      SELECT ${customerId}, t.product_id, t.part, coalesce(t.day, (t.at AT TIME ZONE (c.settings -> 'base' ->> 'timeZone'))::date) AS day,
             count(*) FILTER (WHERE type = 'VIEW'), count(*) FILTER (WHERE type = 'PLAY'), count(*) FILTER (WHERE type = 'FINISH'),
             coalesce(sum(t.seconds::float8) FILTER (WHERE type = 'WATCH'), 0),
             count(*) FILTER (WHERE type = 'PLAY' AND t.reached <> 0),
             CASE WHEN bool_or(t.reached <> 0) THEN ARRAY[${reached}]::int[] END
        FROM taken t
        JOIN customers c ON c.customer_id = ${customerId}
        JOIN products p ON p.customer_id = ${customerId} AND p.id = t.product_id
       GROUP BY t.product_id, t.part, 4
       ORDER BY t.product_id, t.part, 4
          ON CONFLICT (customer_id, product_id, part, day) DO UPDATE
         SET views = f.views + excluded.views, plays = f.plays + excluded.plays, finishes = f.finishes + excluded.finishes,
             played_seconds = f.played_seconds + excluded.played_seconds, reached_plays = f.reached_plays + excluded.reached_plays,
             reached = CASE WHEN excluded.reached IS NULL THEN f.reached WHEN f.reached IS NULL THEN excluded.reached
                            ELSE ARRAY(SELECT a + b FROM unnest(f.reached, excluded.reached) WITH ORDINALITY u (a, b, place) ORDER BY place) END
    )
    SELECT count(*)::int AS taken FROM taken`)
  return rows[0]?.taken ?? 0
}
