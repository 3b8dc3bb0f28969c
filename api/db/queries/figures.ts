import type { TenantDb } from '#api/db/client.ts'
import { type FiguresPeriod, videoStretches } from '#contract/figures.ts'
import type { CustomerId, LessonId, ProductCode, ProductId } from '#contract/ids.ts'

/** Figures added up. */
export interface Sums extends Record<string, unknown> {
  views: number
  plays: number
  finishes: number
  playedSeconds: number
}

/** Of which days, and of which product where it is one. */
export interface Wanted {
  from: string
  to: string
  productId: ProductId | null
}

const sums = `coalesce(sum(f.views), 0)::int AS views, coalesce(sum(f.plays), 0)::int AS plays,
              coalesce(sum(f.finishes), 0)::int AS finishes, coalesce(sum(f.played_seconds), 0)::float8 AS "playedSeconds"`
const chosen = `f.customer_id = $1 AND f.day BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR f.product_id = $4)`
const values = (customerId: CustomerId, { from, to, productId }: Wanted) => [customerId, from, to, productId]

export const sumFigures = async (db: TenantDb, customerId: CustomerId, wanted: Wanted): Promise<Sums> => {
  const { rows } = await db.$client.query<Sums>(
    `SELECT ${sums} FROM product_figures f WHERE ${chosen}`,
    values(customerId, wanted),
  )
  return rows[0]!
}

/** Every period of the time, those in which nothing came too. */
export const figuresByPeriod = async (db: TenantDb, customerId: CustomerId, wanted: Wanted, period: FiguresPeriod) => {
  const { rows } = await db.$client.query<Sums & { from: string }>(
    `SELECT to_char(p.first, 'YYYY-MM-DD') AS "from", coalesce(s.views, 0) AS views, coalesce(s.plays, 0) AS plays,
            coalesce(s.finishes, 0) AS finishes, coalesce(s."playedSeconds", 0) AS "playedSeconds"
       FROM generate_series(date_trunc($5, $2::date::timestamp), $3::date::timestamp, ('1 ' || $5)::interval) AS p (first)
       LEFT JOIN (
         SELECT date_trunc($5, f.day::timestamp) AS first, ${sums} FROM product_figures f WHERE ${chosen} GROUP BY 1
       ) s USING (first)
      ORDER BY p.first`,
    [...values(customerId, wanted), period],
  )
  return rows
}

export const figuresByPart = async (db: TenantDb, customerId: CustomerId, wanted: Wanted) => {
  const { rows } = await db.$client.query<Sums & { part: string; title: string | null }>(
    `SELECT f.part, l.title, ${sums}
       FROM product_figures f
       LEFT JOIN lessons l ON l.customer_id = $1 AND l.product_id = f.product_id AND l.id::text = f.part
      WHERE ${chosen}
      GROUP BY f.part, l.title, l.sort ORDER BY l.sort NULLS FIRST, f.part`,
    values(customerId, wanted),
  )
  return rows as (Sums & { part: LessonId | 'main'; title: string | null })[]
}

/** How a part of a product was watched: of `plays`, how many watched each stretch of its video. */
export interface Reached extends Record<string, unknown> {
  part: LessonId | 'main'
  title: string | null
  durationSeconds: number | null
  plays: number
  reached: number[]
}

const reachedSums = Array.from({ length: videoStretches }, (_, at) => `sum(f.reached[${at + 1}])::int`).join(', ')

export const reachedByPart = async (db: TenantDb, customerId: CustomerId, wanted: Wanted) => {
  const { rows } = await db.$client.query<Reached>(
    `SELECT s.part, l.title, v.duration_seconds AS "durationSeconds", s.plays, s.reached
       FROM (
         SELECT f.product_id, f.part, sum(f.reached_plays)::int AS plays, ARRAY[${reachedSums}] AS reached
           FROM product_figures f
          WHERE ${chosen} AND f.reached IS NOT NULL
          GROUP BY f.product_id, f.part HAVING sum(f.reached_plays) > 0
       ) s
       JOIN products p ON p.customer_id = $1 AND p.id = s.product_id
       LEFT JOIN lessons l ON l.customer_id = $1 AND l.product_id = s.product_id AND l.id::text = s.part
       LEFT JOIN videos v ON v.customer_id = $1 AND v.id = CASE WHEN s.part = 'main' THEN p.video_id ELSE l.video_id END
      ORDER BY l.sort NULLS FIRST, s.part`,
    values(customerId, wanted),
  )
  return rows
}

const orders = {
  views: 'views',
  plays: 'plays',
  finishes: 'finishes',
  playedMinutes: '"playedSeconds"',
} as const
export type FiguresOrder = keyof typeof orders

/** Products of which something came; `total` counts them all. */
export const figuresByProduct = async (
  db: TenantDb,
  customerId: CustomerId,
  wanted: Wanted,
  { sort, limit, offset }: { sort: FiguresOrder; limit: number; offset: number },
) => {
  const { rows } = await db.$client.query<Sums & { id: ProductId; code: ProductCode; title: string; total: number }>(
    `SELECT p.id, p.code, p.title, s.*, count(*) OVER ()::int AS total
       FROM (SELECT f.product_id, ${sums} FROM product_figures f WHERE ${chosen} GROUP BY f.product_id) s
       JOIN products p ON p.customer_id = $1 AND p.id = s.product_id
      ORDER BY s.${orders[sort]} DESC, p.code LIMIT $5 OFFSET $6`,
    [...values(customerId, wanted), limit, offset],
  )
  return rows
}

/** A product in any state, by its code. */
export const namedProduct = async (db: TenantDb, customerId: CustomerId, code: ProductCode) => {
  const { rows } = await db.$client.query<{ id: ProductId; code: ProductCode; title: string }>(
    'SELECT id, code, title FROM products WHERE customer_id = $1 AND code = $2',
    [customerId, code],
  )
  return rows[0] ?? null
}
