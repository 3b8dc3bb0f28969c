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

/**
 * Hands positions over. Of two positions in one video the later stays; what was played adds up, and a play that was counted stays
 * counted, so that going on counts no second one. Where the earlier play had come to its end, the later one is a play of its own:
 * its end counts only if it is long enough itself. Two plays that both count are in the figures both, and what comes of them from now on
 * belongs to the later one's day; of one that counts and one that does not, what was watched is that of the first, for it is in the figures.
 */
export const movePositions = async (db: TenantDb, customerId: CustomerId, from: string, to: string) => {
  const isAnother = sql.raw(
    `CASE WHEN excluded.at > positions.at THEN positions.finished AND positions.counted AND NOT excluded.finished
          ELSE excluded.finished AND excluded.counted AND NOT positions.finished END`,
  )
  const ofLater = (column: string) =>
    sql.raw(`CASE WHEN excluded.at > positions.at THEN excluded.${column} ELSE positions.${column} END`)
  const ofOneOr = (column: string, both: string) =>
    sql`CASE WHEN ${isAnother} THEN ${ofLater(column)} ELSE ${sql.raw(both)} END`
  const reachedOfBoth = `CASE WHEN positions.counted = excluded.counted THEN positions.reached | excluded.reached
                             WHEN positions.counted THEN positions.reached ELSE excluded.reached END`
  await db.execute(sql`
    INSERT INTO ${positions}
           (customer_id, viewer, product_id, part, position_seconds, duration_seconds, played_seconds, finished, counted,
            counted_on, reached, at, played_until, dismissed_at)
    SELECT customer_id, ${to}, product_id, part, position_seconds, duration_seconds, played_seconds, finished, counted,
           counted_on, reached, at, played_until, dismissed_at
      FROM ${positions}
     WHERE customer_id = ${customerId} AND viewer = ${from}
        ON CONFLICT (customer_id, viewer, product_id, part) DO UPDATE
       SET position_seconds = ${ofLater('position_seconds')},
           duration_seconds = ${ofLater('duration_seconds')},
           finished = ${ofLater('finished')},
           dismissed_at = ${ofLater('dismissed_at')},
           played_seconds = ${ofOneOr('played_seconds', 'positions.played_seconds + excluded.played_seconds')},
           counted = ${ofOneOr('counted', 'positions.counted OR excluded.counted')},
           counted_on = CASE WHEN ${isAnother} THEN ${ofLater('counted_on')}
                             ELSE coalesce(${ofLater('counted_on')}, positions.counted_on, excluded.counted_on) END,
           reached = ${ofOneOr('reached', reachedOfBoth)},
           played_until = greatest(positions.played_until, excluded.played_until),
           at = greatest(positions.at, excluded.at)`)
  await db.execute(sql`DELETE FROM ${positions} WHERE customer_id = ${customerId} AND viewer = ${from}`)
}
