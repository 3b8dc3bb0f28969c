import { sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { type AnalyticsPeriod, watchedRangeCount } from '#contract/analytics.ts'
import type { CustomerId, LessonId, ProductCode, ProductId } from '#contract/ids.ts'

/** Sums of events. */
export interface Sums extends Record<string, unknown> {
  views: number
  plays: number
  finishes: number
  playedSeconds: number
}

/** The days and, optionally, the product to select. */
export interface AnalyticsFilter {
  from: string
  to: string
  productId: ProductId | null
}

const sums = `coalesce(sum(f.views), 0)::int AS views, coalesce(sum(f.plays), 0)::int AS plays,
              coalesce(sum(f.finishes), 0)::int AS finishes, coalesce(sum(f.played_seconds), 0)::float8 AS "playedSeconds"`
const chosen = `f.customer_id = $1 AND f.day BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR f.product_id = $4)`
const values = (customerId: CustomerId, { from, to, productId }: AnalyticsFilter) => [customerId, from, to, productId]

/** Returns the sums of the days that the filter selects. */
export const sumAnalytics = async (db: TenantDb, customerId: CustomerId, filter: AnalyticsFilter): Promise<Sums> => {
  const { rows } = await db.$client.query<Sums>(
    `SELECT ${sums} FROM product_analytics f WHERE ${chosen}`,
    values(customerId, filter),
  )
  const [row] = rows
  if (!row) throw new Error('A sum without groups has one row')
  return row
}

/** Returns every period of the range, including those without events. */
export const analyticsByPeriod = async (
  db: TenantDb,
  customerId: CustomerId,
  filter: AnalyticsFilter,
  period: AnalyticsPeriod,
) => {
  const { rows } = await db.$client.query<Sums & { from: string }>(
    `SELECT to_char(p.first, 'YYYY-MM-DD') AS "from", coalesce(s.views, 0) AS views, coalesce(s.plays, 0) AS plays,
            coalesce(s.finishes, 0) AS finishes, coalesce(s."playedSeconds", 0) AS "playedSeconds"
       FROM generate_series(date_trunc($5, $2::date::timestamp), $3::date::timestamp, ('1 ' || $5)::interval) AS p (first)
       LEFT JOIN (
         SELECT date_trunc($5, f.day::timestamp) AS first, ${sums} FROM product_analytics f WHERE ${chosen} GROUP BY 1
       ) s USING (first)
      ORDER BY p.first`,
    [...values(customerId, filter), period],
  )
  return rows
}

/** Returns the sums by film and lesson. */
export const analyticsByPart = async (db: TenantDb, customerId: CustomerId, filter: AnalyticsFilter) => {
  const { rows } = await db.$client.query<Sums & { part: LessonId | 'main'; title: string | null }>(
    `SELECT f.part, l.title, ${sums}
       FROM product_analytics f
       LEFT JOIN lessons l ON l.customer_id = $1 AND l.product_id = f.product_id AND l.id::text = f.part
      WHERE ${chosen}
      GROUP BY f.part, l.title, l.sort ORDER BY l.sort NULLS FIRST, f.part`,
    values(customerId, filter),
  )
  return rows
}

/** Watched ranges of a part: of `plays`, how many watched each range of its video. */
export interface WatchedRangeSums extends Record<string, unknown> {
  part: LessonId | 'main'
  title: string | null
  durationSeconds: number | null
  plays: number
  watchedRanges: number[]
}

const watchedRangeSums = Array.from(
  { length: watchedRangeCount },
  (_, at) => `sum(f.watched_ranges[${at + 1}])::int`,
).join(', ')

/** Returns the watched ranges of each film and lesson that was played. */
export const watchedRangesByPart = async (db: TenantDb, customerId: CustomerId, filter: AnalyticsFilter) => {
  const { rows } = await db.$client.query<WatchedRangeSums>(
    `SELECT s.part, l.title, v.duration_seconds AS "durationSeconds", s.plays, s.watched_ranges AS "watchedRanges"
       FROM (
         SELECT f.product_id, f.part, sum(f.plays_with_ranges)::int AS plays, ARRAY[${watchedRangeSums}] AS watched_ranges
           FROM product_analytics f
          WHERE ${chosen} AND f.watched_ranges IS NOT NULL
          GROUP BY f.product_id, f.part HAVING sum(f.plays_with_ranges) > 0
       ) s
       JOIN products p ON p.customer_id = $1 AND p.id = s.product_id
       LEFT JOIN lessons l ON l.customer_id = $1 AND l.product_id = s.product_id AND l.id::text = s.part
       LEFT JOIN videos v ON v.customer_id = $1 AND v.id = CASE WHEN s.part = 'main' THEN p.video_id ELSE l.video_id END
      ORDER BY l.sort NULLS FIRST, s.part`,
    values(customerId, filter),
  )
  return rows
}

const orders = {
  views: 'views',
  plays: 'plays',
  finishes: 'finishes',
  playedMinutes: '"playedSeconds"',
} as const
export type AnalyticsOrder = keyof typeof orders

/** Products with events; `total` is their number. */
export const analyticsByProduct = async (
  db: TenantDb,
  customerId: CustomerId,
  filter: AnalyticsFilter,
  { sort, limit, offset }: { sort: AnalyticsOrder; limit: number; offset: number },
) => {
  const { rows } = await db.$client.query<Sums & { id: ProductId; code: ProductCode; title: string; total: number }>(
    `SELECT p.id, p.code, p.title, s.*, count(*) OVER ()::int AS total
       FROM (SELECT f.product_id, ${sums} FROM product_analytics f WHERE ${chosen} GROUP BY f.product_id) s
       JOIN products p ON p.customer_id = $1 AND p.id = s.product_id
      ORDER BY s.${orders[sort]} DESC, p.code LIMIT $5 OFFSET $6`,
    [...values(customerId, filter), limit, offset],
  )
  return rows
}

/** A product in any state, by its code. */
export const findProductByCode = async (db: TenantDb, customerId: CustomerId, code: ProductCode) => {
  const { rows } = await db.$client.query<{ id: ProductId; code: ProductCode; title: string }>(
    'SELECT id, code, title FROM products WHERE customer_id = $1 AND code = $2',
    [customerId, code],
  )
  return rows[0] ?? null
}

/** The number of plays that watched each range of their video: one count per bit. */
const watchedRangeCounts = sql.raw(
  Array.from(
    { length: watchedRangeCount },
    (_, bit) => `count(*) FILTER (WHERE t.watched_ranges & ${2 ** bit} <> 0)`,
  ).join(', '),
)

/**
 * Moves up to `max` events from the journal into the counters of their products and the analytics
 * of a day: the day on which their play counts, else their own day in the tenant's time zone. Both
 * happen in one transaction, so that a crash counts nothing twice. Those of a tenant follow one
 * another: whoever has read the counts of a time asks only for later ones.
 *
 * @returns the number of events moved.
 */
export const rollUpEvents = async (db: TenantDb, customerId: CustomerId, max: number): Promise<number> => {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${customerId}, 10))`)
  const { rows: times } = await db.execute<{ at: string }>(
    sql`SELECT greatest(max(counted_at) + interval '1 microsecond', now())::text AS at FROM products WHERE customer_id = ${customerId}`,
  )
  const { rows } = await db.execute<{ taken: number }>(sql`
    WITH taken AS (
      DELETE FROM product_events
       WHERE customer_id = ${customerId}
         AND id IN (SELECT id FROM product_events WHERE customer_id = ${customerId} ORDER BY id LIMIT ${max} FOR UPDATE SKIP LOCKED)
      RETURNING product_id, type, part, seconds, watched_ranges, day, at
    ), counted AS (
      UPDATE products p
         SET count_of_views = p.count_of_views + s.views, count_of_plays = p.count_of_plays + s.plays,
             counted_at = ${times[0]?.at}::timestamptz
        FROM (
          SELECT product_id, count(*) FILTER (WHERE type = 'VIEW') AS views, count(*) FILTER (WHERE type = 'PLAY') AS plays
            FROM taken WHERE type IN ('VIEW', 'PLAY') GROUP BY product_id
        ) s
       WHERE p.customer_id = ${customerId} AND p.id = s.product_id
    ), figured AS (
      INSERT INTO product_analytics AS f
             (customer_id, product_id, part, day, views, plays, finishes, played_seconds, plays_with_ranges, watched_ranges)
      SELECT ${customerId}, t.product_id, t.part, coalesce(t.day, (t.at AT TIME ZONE (c.settings -> 'base' ->> 'timeZone'))::date) AS day,
             count(*) FILTER (WHERE type = 'VIEW'), count(*) FILTER (WHERE type = 'PLAY'), count(*) FILTER (WHERE type = 'FINISH'),
             coalesce(sum(t.seconds::float8) FILTER (WHERE type = 'WATCH'), 0),
             count(*) FILTER (WHERE type = 'PLAY' AND t.watched_ranges <> 0),
             CASE WHEN bool_or(t.watched_ranges <> 0) THEN ARRAY[${watchedRangeCounts}]::int[] END
        FROM taken t
        JOIN customers c ON c.customer_id = ${customerId}
        JOIN products p ON p.customer_id = ${customerId} AND p.id = t.product_id
       GROUP BY t.product_id, t.part, 4
       ORDER BY t.product_id, t.part, 4
          ON CONFLICT (customer_id, product_id, part, day) DO UPDATE
         SET views = f.views + excluded.views, plays = f.plays + excluded.plays, finishes = f.finishes + excluded.finishes,
             played_seconds = f.played_seconds + excluded.played_seconds, plays_with_ranges = f.plays_with_ranges + excluded.plays_with_ranges,
             watched_ranges = CASE WHEN excluded.watched_ranges IS NULL THEN f.watched_ranges WHEN f.watched_ranges IS NULL THEN excluded.watched_ranges
                            ELSE ARRAY(SELECT a + b FROM unnest(f.watched_ranges, excluded.watched_ranges) WITH ORDINALITY u (a, b, place) ORDER BY place) END
    )
    SELECT count(*)::int AS taken FROM taken`)
  return rows[0]?.taken ?? 0
}

export interface MissedSearchRow extends Record<string, unknown> {
  words: string
  searches: number
  lastDay: string
}

/** Returns the texts that found nothing in a range of days, the most frequent first. */
export const readMissedSearches = async (
  db: TenantDb,
  customerId: CustomerId,
  { from, to, limit }: { from: string; to: string; limit: number },
) => {
  const { rows } = await db.$client.query<MissedSearchRow>(
    `SELECT words, sum(searches)::int AS searches, to_char(max(day), 'YYYY-MM-DD') AS "lastDay" FROM missed_searches
      WHERE customer_id = $1 AND day BETWEEN $2 AND $3
      GROUP BY words ORDER BY searches DESC, max(day) DESC, words LIMIT $4`,
    [customerId, from, to, limit],
  )
  return rows
}

/** Counts a search of a day. Of texts that are new on that day, the first `max` count. */
export const insertMissedSearch = async (
  db: TenantDb,
  customerId: CustomerId,
  { day, words, max }: { day: string; words: string; max: number },
) => {
  await db.$client.query(
    `INSERT INTO missed_searches (customer_id, day, words)
     SELECT $1, $2::date, $3 WHERE EXISTS (SELECT FROM missed_searches WHERE customer_id = $1 AND day = $2::date AND words = $3)
         OR (SELECT count(*) FROM missed_searches WHERE customer_id = $1 AND day = $2::date) < $4
     ON CONFLICT (customer_id, day, words) DO UPDATE SET searches = missed_searches.searches + 1`,
    [customerId, day, words, max],
  )
}
