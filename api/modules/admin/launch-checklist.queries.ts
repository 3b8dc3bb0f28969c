import { isReady } from '#api/modules/catalog/products.queries.ts'
import { hasPlanAccess, isInPlanScope } from '#api/modules/plans/plans.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/** Counts that the launch checklist is derived from. */
export interface LaunchFacts {
  hosts: number
  /** Hosts other than those below `localhost`. */
  publicHosts: number
  onSale: number
  /**
   * The number of these with something to watch or download; others are neither listed nor sold.
   */
  ready: number
  withoutPrice: number
  /** Codes of products with nothing to watch or download. */
  withoutVideo: string[]
  withoutLessons: string[]
  empty: string[]
  /** Codes of films that have an attachment but no video. */
  fileAlone: string[]
  /** Codes of other products with lessons that have no video and are not shown. */
  waitingLessons: string[]
  withoutPoster: number
  plansOnSale: number
  /** Codes of plans on sale that cover no product on sale and so are not offered. */
  emptyPlans: string[]
  /** Titles of banners whose product, or whose plan, is not available. */
  deadBanners: string[]
  pages: { type: string; body: string }[]
  /** Codes of products on sale whose latest video job failed. */
  failedVideos: string[]
}

/** The SQL of the codes of the products for which `which` holds, in order. */
export const codes = (which: string) => `coalesce(array_agg(p.code ORDER BY p.code) FILTER (WHERE ${which}), '{}')`

const emptyPlans = `(SELECT coalesce(array_agg(l.code ORDER BY l.code), '{}') FROM plans l
  WHERE l.customer_id = $1 AND l.on_sale AND NOT EXISTS (
    SELECT FROM products c WHERE c.customer_id = $1 AND c.status = 'ON_SALE' AND ${isReady('c')}
       AND ${hasPlanAccess('c')} AND ${isInPlanScope('l', 'c')}))`

const deadBanners = `(SELECT coalesce(array_agg(b.title ORDER BY b.sort, b.title), '{}') FROM banners b
  WHERE b.customer_id = $1 AND b.type <> 'NONE' AND (b.ends_at IS NULL OR b.ends_at > now())
    AND (b.link->>'target' = 'PRODUCT' AND NOT EXISTS (
           SELECT FROM products c WHERE c.customer_id = $1 AND c.code = b.link->>'productCode' AND c.status = 'ON_SALE' AND ${isReady('c')})
      OR b.link->>'target' = 'PLAN' AND NOT EXISTS (
           SELECT FROM plans l WHERE l.customer_id = $1 AND l.code = b.link->>'planCode' AND l.on_sale)))`

/** Reads what the checklist judges. Of the products, only those on sale count. */
export const readLaunchFacts = async (db: TenantDb, customerId: CustomerId): Promise<LaunchFacts> => {
  const { rows } = await db.$client.query<Omit<LaunchFacts, 'pages'>>(
    `SELECT (SELECT count(*)::int FROM customer_domains WHERE customer_id = $1) AS hosts,
            (SELECT count(*)::int FROM customer_domains WHERE customer_id = $1 AND host !~ '(^|[.])localhost$') AS "publicHosts",
            count(*)::int AS "onSale",
            count(*) FILTER (WHERE ${isReady('p')})::int AS ready,
            count(*) FILTER (WHERE p.access IN ('PURCHASE', 'PURCHASE_OR_PLAN') AND p.option_count = 0 AND ${isReady('p')})::int AS "withoutPrice",
            ${codes(`NOT ${isReady('p')} AND l.lessons IS NULL AND p.kind = 'VOD'`)} AS "withoutVideo",
            ${codes(`NOT ${isReady('p')} AND l.lessons > 0`)} AS "withoutLessons",
            ${codes(`NOT ${isReady('p')} AND l.lessons IS NULL AND p.kind <> 'VOD'`)} AS empty,
            ${codes(`${isReady('p')} AND p.video_id IS NULL AND l.lessons IS NULL AND p.kind = 'VOD'`)} AS "fileAlone",
            ${codes(`${isReady('p')} AND l.waiting > 0`)} AS "waitingLessons",
            count(*) FILTER (WHERE p.poster->>'url' ~ '/plain-[0-9a-f]{6}[.]webp$')::int AS "withoutPoster",
            (SELECT count(*)::int FROM plans WHERE customer_id = $1 AND on_sale) AS "plansOnSale",
            ${emptyPlans} AS "emptyPlans",
            ${deadBanners} AS "deadBanners",
            ${codes('j.failed')} AS "failedVideos"
       FROM products p
       LEFT JOIN (SELECT product_id, count(*) AS lessons, count(*) FILTER (WHERE video_id IS NULL) AS waiting
                    FROM lessons WHERE customer_id = $1 GROUP BY product_id) l ON l.product_id = p.id
       LEFT JOIN (SELECT product_id, bool_or(status = 'FAILED') AS failed
                    FROM (SELECT DISTINCT ON (product_id, lesson_id) product_id, lesson_id, status FROM video_jobs
                           WHERE customer_id = $1 ORDER BY product_id, lesson_id, created_at DESC, id DESC) latest
                   WHERE lesson_id IS NULL OR EXISTS (SELECT FROM lessons WHERE customer_id = $1 AND id = lesson_id)
                   GROUP BY product_id) j ON j.product_id = p.id
      WHERE p.customer_id = $1 AND p.status = 'ON_SALE'`,
    [customerId],
  )
  const pages = await db.$client.query<{ type: string; body: string }>(
    'SELECT type, body FROM pages WHERE customer_id = $1',
    [customerId],
  )
  const [counts] = rows
  if (!counts) throw new Error('A count without groups has one row')
  return { ...counts, pages: pages.rows }
}
