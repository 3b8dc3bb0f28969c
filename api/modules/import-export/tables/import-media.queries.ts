import type { VideoOptions } from '#api/modules/media/media.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId, VideoId, VideoJobId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'

/** Returns the ids of the store's videos by asset. Videos whose stream was deleted are omitted. */
export const videoIdsOf = async (
  db: TenantDb,
  customerId: CustomerId,
  assets: readonly string[],
): Promise<Map<string, VideoId>> => {
  const { rows } = await db.$client.query<{ id: VideoId; asset: string }>(
    'SELECT id, asset FROM videos WHERE customer_id = $1 AND asset = ANY($2::text[]) AND bytes IS DISTINCT FROM 0',
    [customerId, assets],
  )
  return new Map(rows.map(({ id, asset }) => [asset, id]))
}

/** Returns the store's images with the given addresses, wherever they are shown. */
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
       UNION ALL SELECT image_desktop FROM banners WHERE customer_id = $1
       UNION ALL SELECT image_mobile FROM banners WHERE customer_id = $1
     ) shown WHERE split_part(picture->>'url', '?', 1) = ANY($2::text[])`,
    [customerId, urls],
  )
  return new Map(rows.map(({ picture }) => [picture.url.replace(/\?.*$/s, ''), picture]))
}

/** Returns the locations of files for members or visitors: those of products and of notices. */
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

/** A film uploaded for a product or lesson. */
export interface UploadedFilm {
  jobId: VideoJobId
  sourceKey: string
  name: string
  bytes: number
  options: VideoOptions
  /** True until the film is encoded. */
  open: boolean
  /** The resulting stream. Null if there is none, or none any more. */
  asset: string | null
}

/**
 * Returns the latest upload of each product or lesson by its id, except failed and cancelled
 * uploads.
 */
export const uploadedFilms = async (
  db: TenantDb,
  customerId: CustomerId,
  targets: readonly string[],
): Promise<Map<string, UploadedFilm>> => {
  const { rows } = await db.$client.query<UploadedFilm & { target: string }>(
    `SELECT DISTINCT ON (coalesce(j.lesson_id, j.product_id)) coalesce(j.lesson_id, j.product_id) AS target, j.id AS "jobId",
            j.source_key AS "sourceKey", j.source_name AS name, j.source_bytes AS bytes, j.options,
            j.status IN ('QUEUED', 'RUNNING') AS open, v.asset
       FROM video_jobs j LEFT JOIN videos v ON v.customer_id = $1 AND v.id = j.video_id AND v.retired_at IS NULL
      WHERE j.customer_id = $1 AND coalesce(j.lesson_id, j.product_id) = ANY($2::uuid[])
        AND j.status NOT IN ('FAILED', 'CANCELLED')
      ORDER BY coalesce(j.lesson_id, j.product_id), j.created_at DESC, j.id DESC`,
    [customerId, targets],
  )
  return new Map(rows.map(({ target, ...film }) => [target, film]))
}
