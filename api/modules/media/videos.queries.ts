import { and, asc, eq, lt, notExists, sql } from 'drizzle-orm'
import { lessons, products, videos } from '#api/modules/catalog/catalog.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { LockConnection } from '#api/platform/db/connections.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { CustomerId, LessonId, ProductCode, ProductId, UploadId, VideoId } from '#contract/ids.ts'
import type { Picture } from '#contract/picture.ts'
import type { Translations } from '#contract/translations.ts'

/** A product, or one of its lessons. */
export interface VideoTarget {
  productId: ProductId
  /** Null for the product's own video. */
  lessonId: LessonId | null
}

/** A target with the code of its product. */
export interface NamedVideoTarget extends VideoTarget {
  productCode: ProductCode
}

const isVideo = (customerId: CustomerId, id: VideoId) => and(eq(videos.customerId, customerId), eq(videos.id, id))
const isProduct = (customerId: CustomerId, id: ProductId) =>
  and(eq(products.customerId, customerId), eq(products.id, id))
const isLesson = (customerId: CustomerId, id: LessonId) => and(eq(lessons.customerId, customerId), eq(lessons.id, id))

/** Inserts a complete stream. `setTargetVideo` shows it. */
export const insertVideo = async (db: TenantDb, video: typeof videos.$inferInsert) => {
  await db.insert(videos).values(video)
}

/** Whether a stream is complete: its row is inserted at the end of its job. */
export const videoExists = async (db: TenantDb, customerId: CustomerId, id: VideoId): Promise<boolean> =>
  (await db.$count(videos, isVideo(customerId, id))) > 0

/** A product or lesson that shows a video. */
export interface ShowingTarget extends NamedVideoTarget {
  title: string
  translations: Translations
}

/** Returns the products and lessons that show a video, in a fixed order. */
export const listTargetsOf = async (db: TenantDb, customerId: CustomerId, id: VideoId): Promise<ShowingTarget[]> => {
  const product = { productId: products.id, productCode: products.code }
  const [own, ofLessons] = await Promise.all([
    db
      .select({ ...product, title: products.title, translations: products.translations })
      .from(products)
      .where(and(eq(products.customerId, customerId), eq(products.videoId, id)))
      .orderBy(asc(products.id)),
    db
      .select({ ...product, lessonId: lessons.id, title: lessons.title, translations: lessons.translations })
      .from(lessons)
      .innerJoin(products, and(eq(products.customerId, lessons.customerId), eq(products.id, lessons.productId)))
      .where(and(eq(lessons.customerId, customerId), eq(lessons.videoId, id)))
      .orderBy(asc(lessons.id)),
  ])
  return [...own.map((target) => ({ ...target, lessonId: null })), ...ofLessons]
}

/** Whether a product or lesson shows the video. */
export const isVideoShown = async (...video: Parameters<typeof listTargetsOf>): Promise<boolean> =>
  (await listTargetsOf(...video)).length > 0

/** Overwrites the translations of a product or lesson. */
export const setTargetTranslations = async (
  db: TenantDb,
  customerId: CustomerId,
  { productId, lessonId }: VideoTarget,
  translations: Translations,
) => {
  if (lessonId === null) await db.update(products).set({ translations }).where(isProduct(customerId, productId))
  else await db.update(lessons).set({ translations }).where(isLesson(customerId, lessonId))
}

/** Overwrites the given columns of a video, whether it is shown or retired. */
export const updateVideo = async (
  db: TenantDb,
  customerId: CustomerId,
  id: VideoId,
  change: Partial<typeof videos.$inferInsert>,
) => {
  await db.update(videos).set(change).where(isVideo(customerId, id))
}

/** Deletes the row of a video. Its files are deleted elsewhere. */
export const deleteVideoRow = async (db: TenantDb, customerId: CustomerId, id: VideoId) => {
  await db.delete(videos).where(isVideo(customerId, id))
}

/** Whether a product has a lesson. */
export const lessonExists = async (
  db: TenantDb,
  customerId: CustomerId,
  productId: ProductId,
  id: LessonId,
): Promise<boolean> => (await db.$count(lessons, and(isLesson(customerId, id), eq(lessons.productId, productId)))) > 0

/** Locks a video, so that nothing begins or ends to show it meanwhile. Null without one. */
export const lockVideo = async (db: TenantDb, customerId: CustomerId, id: VideoId) => {
  const [row] = await db
    .select({ retiredAt: videos.retiredAt })
    .from(videos)
    .where(isVideo(customerId, id))
    .for('no key update')
  return row ?? null
}

/** Locks a product, so that files added at the same time see each other. */
export const lockProduct = async (db: TenantDb, customerId: CustomerId, id: ProductId) => {
  await db.select({ id: products.id }).from(products).where(isProduct(customerId, id)).for('no key update')
}

/** Locks the target and returns its video; undefined if the target does not exist. */
export const lockTargetVideo = async (
  db: TenantDb,
  customerId: CustomerId,
  { productId, lessonId }: VideoTarget,
): Promise<{ videoId: VideoId | null } | undefined> => {
  const [target] =
    lessonId === null
      ? await db
          .select({ videoId: products.videoId })
          .from(products)
          .where(isProduct(customerId, productId))
          .for('update')
      : await db.select({ videoId: lessons.videoId }).from(lessons).where(isLesson(customerId, lessonId)).for('update')
  return target
}

/** Sets the video of a product or lesson; null removes it. */
export const setTargetVideo = async (
  db: TenantDb,
  customerId: CustomerId,
  { productId, lessonId }: VideoTarget,
  videoId: VideoId | null,
) => {
  if (lessonId === null) await db.update(products).set({ videoId }).where(isProduct(customerId, productId))
  else await db.update(lessons).set({ videoId }).where(isLesson(customerId, lessonId))
}

/** Replaces a product's poster and retains its alternative text. The product must be locked. */
export const setPoster = async (db: TenantDb, customerId: CustomerId, id: ProductId, poster: Omit<Picture, 'alt'>) => {
  const [product] = await db.select({ poster: products.poster }).from(products).where(isProduct(customerId, id))
  if (!product) return undefined
  await db
    .update(products)
    .set({ poster: { ...poster, alt: product.poster.alt } })
    .where(isProduct(customerId, id))
  return product.poster.url
}

/** Media keys of the poster candidates; empty without a video. */
export const readPosterCandidates = async (
  db: TenantDb,
  customerId: CustomerId,
  { productId, lessonId }: VideoTarget,
): Promise<string[]> => {
  const table = lessonId === null ? products : lessons
  const [row] = await db
    .select({ candidates: videos.posterCandidates })
    .from(table)
    .innerJoin(videos, and(eq(videos.customerId, table.customerId), eq(videos.id, table.videoId)))
    .where(and(eq(table.customerId, customerId), eq(table.id, lessonId ?? productId)))
  return row?.candidates ?? []
}

/** A product's lessons in order. */
export const listLessonIds = async (db: TenantDb, customerId: CustomerId, productId: ProductId) => {
  const rows = await db
    .select({ id: lessons.id })
    .from(lessons)
    .where(and(eq(lessons.customerId, customerId), eq(lessons.productId, productId)))
    .orderBy(asc(lessons.sort), asc(lessons.id))
  return rows.map(({ id }) => id)
}

export interface LibraryRow
  extends Pick<typeof videos.$inferSelect, 'id' | 'durationSeconds' | 'width' | 'height' | 'bytes'> {
  keyset: KeysetPosition
  name: string | null
  /** The name of the file that it was encoded from; null for one of an earlier release. */
  file: string | null
  /** The address of a picture of it, or else of what shows it. */
  poster: string | null
  createdAt: string
  shownBy: { productCode: ProductCode; lessonId: LessonId | null; title: string }[]
}

/** One more video than the page has, the latest first: those that are not retired. */
export const readVideoPage = async (
  db: TenantDb,
  customerId: CustomerId,
  { q, after, size }: { q: string; after: KeysetPosition | null; size: number },
): Promise<LibraryRow[]> => {
  const words = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await db.$client.query<LibraryRow>(
    `SELECT jsonb_build_object('at', v.created_at::text, 'id', v.id) AS keyset, v.id, v.name, v.width, v.height, v.bytes::float8 AS bytes,
            v.duration_seconds AS "durationSeconds", v.created_at AS "createdAt", f.file,
            coalesce('/media/' || (v.poster_candidates->>0), u.poster) AS poster, coalesce(u.shown, '[]') AS "shownBy"
       FROM (SELECT * FROM videos v WHERE v.customer_id = $1 AND v.retired_at IS NULL
          AND ($2 = '%%' OR v.name ILIKE $2 OR EXISTS (SELECT FROM video_jobs j WHERE j.customer_id = $1 AND j.video_id = v.id AND j.source_name ILIKE $2)
            OR EXISTS (SELECT FROM products p WHERE p.customer_id = $1 AND p.video_id = v.id AND (p.code ILIKE $2 OR p.title ILIKE $2))
            OR EXISTS (SELECT FROM lessons l JOIN products p ON p.customer_id = $1 AND p.id = l.product_id WHERE l.customer_id = $1 AND l.video_id = v.id AND (p.code ILIKE $2 OR l.title ILIKE $2)))
          AND ${after ? '(v.created_at, v.id) < ($3::timestamptz, $4::uuid)' : '$3::timestamptz IS NULL AND $4::uuid IS NULL'}
        ORDER BY v.created_at DESC NULLS LAST, v.id DESC NULLS LAST LIMIT $5) v
       LEFT JOIN LATERAL (SELECT min(j.source_name) AS file FROM video_jobs j WHERE j.customer_id = $1 AND j.video_id = v.id) f ON true
       LEFT JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('productCode', t.code, 'lessonId', t.lesson, 'title', t.title) ORDER BY t.code, t.lesson) AS shown, min(t.poster) AS poster
           FROM (SELECT p.code, NULL::uuid AS lesson, p.title, p.poster->>'url' AS poster FROM products p WHERE p.customer_id = $1 AND p.video_id = v.id
                 UNION ALL SELECT p.code, l.id, l.title, p.poster->>'url' FROM lessons l JOIN products p ON p.customer_id = $1 AND p.id = l.product_id
                  WHERE l.customer_id = $1 AND l.video_id = v.id) t) u ON true
      ORDER BY v.created_at DESC NULLS LAST, v.id DESC NULLS LAST`,
    [customerId, words, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

const isStale = (db: TenantDb, customerId: CustomerId, retiredBefore: Date) => {
  const usedBy = (table: typeof products | typeof lessons) =>
    db
      .select({ one: sql`1` })
      .from(table)
      .where(and(eq(table.customerId, customerId), eq(table.videoId, videos.id)))
  return and(
    eq(videos.customerId, customerId),
    lt(videos.retiredAt, retiredBefore.toISOString()),
    notExists(usedBy(products)),
    notExists(usedBy(lessons)),
  )
}

/** Videos that were retired before a time and that nothing shows, the earliest retired first. */
export const listStaleVideos = (db: TenantDb, customerId: CustomerId, retiredBefore: Date) =>
  db
    .select({ id: videos.id, asset: videos.asset, previewAsset: videos.previewAsset, bytes: videos.bytes })
    .from(videos)
    .where(isStale(db, customerId, retiredBefore))
    .orderBy(asc(videos.retiredAt))

/**
 * Locks a stale video until the transaction ends, so that nothing starts to show it. Returns false
 * if it is no longer stale.
 */
export const lockStaleVideo = async (db: TenantDb, customerId: CustomerId, id: VideoId, retiredBefore: Date) => {
  const rows = await db
    .select({ id: videos.id })
    .from(videos)
    .where(and(eq(videos.id, id), isStale(db, customerId, retiredBefore)))
    .for('update')
  return rows.length > 0
}

/** The videos whose pictures the store shows in posters, banners or texts of any language. */
export const videosWithPicturesInUse = async (db: TenantDb, customerId: CustomerId): Promise<Set<VideoId>> => {
  const { rows } = await db.$client.query<{ id: VideoId }>(
    `SELECT DISTINCT (regexp_matches(shown, '/media/poster/([0-9a-f-]{36})/', 'g'))[1] AS id FROM (
       SELECT concat_ws(' ', poster, gallery, poster_tall, description, translations) AS shown FROM products WHERE customer_id = $1
       UNION ALL SELECT concat_ws(' ', image_desktop, image_mobile, html, translations) FROM banners WHERE customer_id = $1
       UNION ALL SELECT concat_ws(' ', body, attachments, translations) FROM notices WHERE customer_id = $1
       UNION ALL SELECT concat_ws(' ', body, translations) FROM pages WHERE customer_id = $1
       UNION ALL SELECT concat_ws(' ', answer, translations) FROM faq WHERE customer_id = $1
       UNION ALL SELECT settings::text FROM customers WHERE customer_id = $1
     ) places WHERE shown LIKE '%/media/poster/%'`,
    [customerId],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The channel for requests to release an upload's lock. The payload is the key of the lock. */
export const uploadsChannel = 'marquee_uploads'

/** Takes the lock of an upload unless another process holds it, and returns whether it did. */
export const tryLockUpload = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_try_advisory_lock(hashtextextended($1, 4)) AS done', [key])

/** Releases the lock of an upload. Returns false if this connection does not hold it. */
export const unlockUpload = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_advisory_unlock(hashtextextended($1, 4)) AS done', [key])

/** Asks the process that holds the lock of an upload to release it. */
export const requestUploadRelease = async (connection: LockConnection, key: string) => {
  await connection.query('SELECT pg_notify($1, $2)', [uploadsChannel, key])
}

/** Takes an encoder slot unless another process holds it, and returns whether it did. */
export const tryLockEncoderSlot = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_try_advisory_lock(hashtextextended($1, 5)) AS done', [key])

/** Releases an encoder slot. Returns false if this connection does not hold it. */
export const unlockEncoderSlot = (connection: LockConnection, key: string) =>
  connection.query('SELECT pg_advisory_unlock(hashtextextended($1, 5)) AS done', [key])

/** Serializes requests that queue the same uploads, until the transaction ends. */
export const lockUploads = async (db: TenantDb, customerId: CustomerId, ids: readonly UploadId[]) => {
  for (const id of [...new Set(ids)].sort())
    await db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 3))', [`${customerId}/${id}`])
}
