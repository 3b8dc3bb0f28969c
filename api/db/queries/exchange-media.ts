import type { TenantDb } from '#api/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'

/** Ids of the store's videos by their asset; one whose stream was removed is none. */
export const videoIdsOf = async (
  db: TenantDb,
  customerId: CustomerId,
  assets: readonly string[],
): Promise<Map<string, string>> => {
  const { rows } = await db.$client.query<{ id: string; asset: string }>(
    'SELECT id, asset FROM videos WHERE customer_id = $1 AND asset = ANY($2::text[]) AND bytes IS DISTINCT FROM 0',
    [customerId, assets],
  )
  return new Map(rows.map(({ id, asset }) => [asset, id]))
}

/** Pictures of the store that stand at some addresses, whatever shows them. */
export const picturesAt = async (
  db: TenantDb,
  customerId: CustomerId,
  urls: readonly string[],
): Promise<Map<string, Picture>> => {
  const { rows } = await db.$client.query<{ picture: Picture }>(
    `SELECT DISTINCT picture FROM (
       SELECT poster AS picture FROM products WHERE customer_id = $1
       UNION ALL SELECT poster_tall FROM products WHERE customer_id = $1
       UNION ALL SELECT jsonb_array_elements(gallery) FROM products WHERE customer_id = $1 AND gallery <> '[]'
       UNION ALL SELECT wide FROM banners WHERE customer_id = $1
       UNION ALL SELECT narrow FROM banners WHERE customer_id = $1
     ) shown WHERE split_part(picture->>'url', '?', 1) = ANY($2::text[])`,
    [customerId, urls],
  )
  return new Map(rows.map(({ picture }) => [picture.url.split('?', 1)[0]!, picture]))
}

/** Where the store's files lie that members or visitors may have: of products, and of notices. */
export const fileFactsOf = async (
  db: TenantDb,
  customerId: CustomerId,
  assets: readonly string[],
): Promise<Map<string, { bytes: number; contentType: string }>> => {
  const { rows } = await db.$client.query<{ asset: string; bytes: number; contentType: string }>(
    `SELECT asset, bytes, content_type AS "contentType" FROM attachments WHERE customer_id = $1 AND asset = ANY($2::text[])
     UNION ALL SELECT split_part(substr(file->>'url', 8), '?', 1), (file->>'bytes')::bigint, '' FROM notices, jsonb_array_elements(attachments) file
                WHERE customer_id = $1 AND split_part(substr(file->>'url', 8), '?', 1) = ANY($2::text[])`,
    [customerId, assets],
  )
  return new Map(rows.map(({ asset, ...facts }) => [asset, facts]))
}

/** The file each open or finished upload of a product or lesson came from, the latest by target. */
export const uploadedSources = async (
  db: TenantDb,
  customerId: CustomerId,
  targets: readonly string[],
): Promise<Map<string, { name: string; bytes: number }>> => {
  const { rows } = await db.$client.query<{ target: string; name: string; bytes: number }>(
    `SELECT DISTINCT ON (coalesce(lesson_id, product_id)) coalesce(lesson_id, product_id) AS target, source_name AS name,
            source_bytes AS bytes
       FROM video_jobs
      WHERE customer_id = $1 AND coalesce(lesson_id, product_id) = ANY($2::uuid[]) AND status NOT IN ('FAILED', 'CANCELLED')
      ORDER BY coalesce(lesson_id, product_id), created_at DESC`,
    [customerId, targets],
  )
  return new Map(rows.map(({ target, ...source }) => [target, source]))
}
