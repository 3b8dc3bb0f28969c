import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/** What a store has, counted for the list of what it lacks. */
export interface LaunchFacts {
  hosts: number
  onSale: number
  withoutPrice: number
  withoutVideo: number
  withoutPoster: number
  plansOnSale: number
  pages: { type: string; body: string }[]
  failedVideos: number
}

export const readLaunchFacts = async (db: TenantDb, customerId: CustomerId): Promise<LaunchFacts> => {
  const { rows } = await db.$client.query<Omit<LaunchFacts, 'pages'>>(
    `SELECT (SELECT count(*)::int FROM customer_domains WHERE customer_id = $1) AS hosts,
            count(*)::int AS "onSale",
            count(*) FILTER (WHERE p.access IN ('PURCHASE', 'PURCHASE_OR_PLAN') AND p.option_count = 0)::int AS "withoutPrice",
            count(*) FILTER (WHERE p.kind = 'VOD' AND p.video_id IS NULL AND p.lesson_count = 0)::int AS "withoutVideo",
            count(*) FILTER (WHERE p.poster->>'url' ~ '/plain-[0-9a-f]{6}[.]webp$')::int AS "withoutPoster",
            (SELECT count(*)::int FROM plans WHERE customer_id = $1 AND on_sale) AS "plansOnSale",
            (SELECT count(*)::int FROM video_jobs WHERE customer_id = $1 AND status = 'FAILED') AS "failedVideos"
       FROM products p WHERE p.customer_id = $1 AND p.status = 'ON_SALE'`,
    [customerId],
  )
  const pages = await db.$client.query<{ type: string; body: string }>(
    'SELECT type, body FROM pages WHERE customer_id = $1',
    [customerId],
  )
  return { ...rows[0]!, pages: pages.rows }
}
