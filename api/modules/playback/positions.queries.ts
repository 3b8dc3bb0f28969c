import { and, eq, sql } from 'drizzle-orm'
import { positions, productEvents } from '#api/modules/engagement/engagement.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId, MemberId, ProductCode, ProductId, ViewerId } from '#contract/ids.ts'

export type PositionRow = typeof positions.$inferSelect
type Place = Pick<PositionRow, 'customerId' | 'viewer' | 'productId' | 'part'>

/** The part of a product without lessons. */
export const wholeProduct = 'main'

const at = (place: Place) =>
  and(
    eq(positions.customerId, place.customerId),
    eq(positions.viewer, place.viewer),
    eq(positions.productId, place.productId),
    eq(positions.part, place.part),
  )

/** The positions of a viewer in the parts of a product. */
export const positionsIn = (db: TenantDb, customerId: CustomerId, viewer: ViewerId, productId: ProductId) =>
  db
    .select()
    .from(positions)
    .where(and(eq(positions.customerId, customerId), eq(positions.viewer, viewer), eq(positions.productId, productId)))
    .prepare('positions-in')
    .execute()

/** Locks a position, which is inserted as `first` if it does not exist. */
export const lockPosition = async (db: TenantDb, first: PositionRow): Promise<PositionRow> => {
  const lock = () => db.select().from(positions).where(at(first)).for('update').prepare('lock-position').execute()
  const [existing] = await lock()
  if (existing) return existing
  await db.insert(positions).values(first).onConflictDoNothing().prepare('insert-position').execute()
  const [row] = await lock()
  if (!row) throw new Error('A position that was just written is not there.')
  return row
}

/** Stores the position of a viewer in a film. */
export const updatePosition = async (db: TenantDb, row: PositionRow) => {
  // A cluster refuses to set the column that decides on the node.
  const { customerId: _, ...values } = row
  await db.update(positions).set(values).where(at(row)).prepare('update-position').execute()
}

/**
 * Sets whether a viewer's positions in a product are dismissed. Returns false if there are none.
 */
export const dismissPositions = async (
  db: TenantDb,
  { customerId, viewer, productId }: Omit<Place, 'part'>,
  dismissedAt: string | null,
) => {
  const isViewers = and(
    eq(positions.customerId, customerId),
    eq(positions.viewer, viewer),
    eq(positions.productId, productId),
  )
  const changed = await db.update(positions).set({ dismissedAt }).where(isViewers).returning({ part: positions.part })
  return changed.length > 0
}

/**
 * A counted event. `seconds` were actually played; `day` is the day of the play; `watchedRanges`
 * has one bit per range of the video.
 */
export type ProductEvent =
  | { type: 'WATCH'; seconds: number }
  | { type: 'PLAY' | 'REACH'; day: string; watchedRanges: number }
  | { type: 'FINISH'; day: string }

/** Appends events of a part of a product. The roll-up adds them to counters and analytics. */
export const recordEvents = async (
  db: TenantDb,
  { customerId, productId, part, at }: { customerId: CustomerId; productId: ProductId; part: string; at: string },
  events: readonly ProductEvent[],
) => {
  if (events.length === 0) return
  await db
    .insert(productEvents)
    .values(events.map((event) => ({ customerId, id: newId(), productId, part, at, ...event })))
    // The types decide on the text of the statement.
    .prepare(`record-events-${events.map(({ type }) => type).join('-')}`)
    .execute()
}

/**
 * Moves positions to another viewer. Of two positions in one video the later wins; played time is
 * added, and a counted play stays counted, so that resuming does not count it again. If the earlier
 * play was finished, the later one is a new play whose end counts only if it is long enough. If
 * both plays count, both are in the analytics and further events belong to the later play's day; if
 * only one counts, its watched ranges are used.
 */
export const movePositions = async (db: TenantDb, customerId: CustomerId, from: string, to: string) => {
  const isAnother = sql.raw(
    `CASE WHEN excluded.at > positions.at THEN positions.finished AND positions.counted AND NOT excluded.finished
          ELSE excluded.finished AND excluded.counted AND NOT positions.finished END`,
  )
  const ofLater = (column: string) =>
    sql.raw(`CASE WHEN excluded.at > positions.at THEN excluded.${column} ELSE positions.${column} END`)
  const ofOneOr = (column: string, otherwise: string) =>
    sql`CASE WHEN ${isAnother} THEN ${ofLater(column)} ELSE ${sql.raw(otherwise)} END`
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

/** What a member watched last, latest first. */
export const readRecentPlays = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, limit: number) => {
  const { rows } = await db.$client.query<{
    productCode: ProductCode
    title: string
    positionSeconds: number
    at: string
  }>(
    `SELECT p.code AS "productCode", p.title, w.position_seconds AS "positionSeconds", w.at
       FROM positions w JOIN products p ON p.customer_id = w.customer_id AND p.id = w.product_id
      WHERE w.customer_id = $1 AND w.viewer = $2 ORDER BY w.at DESC LIMIT $3`,
    [customerId, memberId, limit],
  )
  return rows
}
