import { and, eq, sql } from 'drizzle-orm'
import { productEvents } from '#api/modules/engagement/engagement.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import { positions } from './playback.schema.ts'

export type PositionRow = typeof positions.$inferSelect
type Place = Pick<PositionRow, 'customerId' | 'viewer' | 'productId' | 'part'>

/** The part of a product that has no lessons. */
export const wholeProduct = 'main'

const at = (place: Place) =>
  and(
    eq(positions.customerId, place.customerId),
    eq(positions.viewer, place.viewer),
    eq(positions.productId, place.productId),
    eq(positions.part, place.part),
  )

/** Where a viewer stopped in each part of a product. */
export const positionsIn = (db: TenantDb, customerId: CustomerId, viewer: string, productId: ProductId) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.customerId, customerId), eq(positions.viewer, viewer), eq(positions.productId, productId)))

/** Reads a position for change, writing `first` where there is none yet; `isNew` says which it was. */
export const lockPosition = async (db: TenantDb, first: PositionRow) => {
  const inserted = await db.insert(positions).values(first).onConflictDoNothing().returning({ at: positions.at })
  const [row] = await db.select().from(positions).where(at(first)).for('update')
  if (!row) throw new Error('A position that was just written is not there.')
  return { row, isNew: inserted.length > 0 }
}

export const updatePosition = async (db: TenantDb, row: PositionRow) => {
  await db.update(positions).set(row).where(at(row))
}

/** Marks every position a viewer has in a product as taken off the list, or as back on it; false where there is none. */
export const dismissPositions = async (
  db: TenantDb,
  { customerId, viewer, productId }: Omit<Place, 'part'>,
  dismissedAt: string | null,
) => {
  const mine = and(
    eq(positions.customerId, customerId),
    eq(positions.viewer, viewer),
    eq(positions.productId, productId),
  )
  const changed = await db.update(positions).set({ dismissedAt }).where(mine).returning({ part: positions.part })
  return changed.length > 0
}

/** What is counted of a product. `seconds` were really played; `day` is the play's own; `reached` are stretches of the video, a bit each. */
export type ProductEvent =
  | { type: 'WATCH'; seconds: number }
  | { type: 'PLAY' | 'REACH'; day: string; watchedRanges: number }
  | { type: 'FINISH'; day: string }

/** Appends what happened to a part of a product; the roll-up adds it to the counts and the analytics. */
export const recordEvents = async (
  db: TenantDb,
  { customerId, productId, part, at }: { customerId: CustomerId; productId: ProductId; part: string; at: string },
  events: readonly ProductEvent[],
) => {
  if (events.length === 0) return
  await db
    .insert(productEvents)
    .values(events.map((event) => ({ customerId, id: newId(), productId, part, at, ...event })))
}

/**
 * Hands positions over. Of two positions in one video the later stays; what was played adds up, and a play that was counted stays
 * counted, so that going on counts no second one. Where the earlier play had come to its end, the later one is a play of its own:
 * its end counts only if it is long enough itself. Two plays that both count are both in the analytics, and what comes of them from now on
 * belongs to the later one's day; of one that counts and one that does not, what was watched is that of the first, for it is in the analytics.
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
  const rangesOfBoth = `CASE WHEN positions.counted = excluded.counted THEN positions.watched_ranges | excluded.watched_ranges
                             WHEN positions.counted THEN positions.watched_ranges ELSE excluded.watched_ranges END`
  await db.execute(sql`
    INSERT INTO ${positions}
           (customer_id, viewer, product_id, part, position_seconds, duration_seconds, played_seconds, finished, counted,
            counted_on, watched_ranges, at, played_until, dismissed_at)
    SELECT customer_id, ${to}, product_id, part, position_seconds, duration_seconds, played_seconds, finished, counted,
           counted_on, watched_ranges, at, played_until, dismissed_at
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
           watched_ranges = ${ofOneOr('watched_ranges', rangesOfBoth)},
           played_until = greatest(positions.played_until, excluded.played_until),
           at = greatest(positions.at, excluded.at)`)
  await db.execute(sql`DELETE FROM ${positions} WHERE customer_id = ${customerId} AND viewer = ${from}`)
}
