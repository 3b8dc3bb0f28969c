import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

/** The videos whose pictures the store shows anywhere: as posters, in banners, in texts its operators wrote. Read in one pass. */
export const videosWithPicturesInUse = async (db: TenantDb, customerId: CustomerId): Promise<Set<string>> => {
  const { rows } = await db.$client.query<{ id: string }>(
    `SELECT DISTINCT (regexp_matches(shown, '/media/poster/([0-9a-f-]{36})/', 'g'))[1] AS id FROM (
       SELECT concat_ws(' ', poster, poster_tall, gallery, description) AS shown FROM products WHERE customer_id = $1
       UNION ALL SELECT concat_ws(' ', wide, narrow, html) FROM banners WHERE customer_id = $1
       UNION ALL SELECT concat_ws(' ', body, attachments) FROM notices WHERE customer_id = $1
       UNION ALL SELECT body FROM pages WHERE customer_id = $1
       UNION ALL SELECT answer FROM faq WHERE customer_id = $1
       UNION ALL SELECT settings::text FROM customers WHERE customer_id = $1
     ) places WHERE shown LIKE '%/media/poster/%'`,
    [customerId],
  )
  return new Set(rows.map(({ id }) => id))
}
