import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type pg from 'pg'
import { lessons, products, type VideoDrm, videos } from '#api/modules/catalog/catalog.schema.ts'
import { isFreeOfCharge } from '#api/modules/catalog/products.queries.ts'
import { type HeldRights, heldRightsOf, heldRightsStatement } from '#api/modules/entitlements/entitlements.queries.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import { readInOneRoundTrip, type Statement } from '#api/platform/db/shared-reads.ts'
import type { ProductAccess, ProductStatus } from '#contract/enumerations.ts'
import type { CustomerCode, CustomerId, LessonId, MemberId, PlayId, ProductId, SessionId } from '#contract/ids.ts'
import type { PlayEnd } from './playback.schema.ts'

/** The facts that a media right depends on. Fields without a match are null. */
export interface MediaRequestRow {
  storeOpen: boolean
  /** False until the store is opened to visitors. */
  opened: boolean
  /** Whether the store offers free products (`order.useFree`). */
  useFree: boolean
  customerCode: CustomerCode
  /** The member of the live session that the request carries. */
  memberId: MemberId | null
  sessionId: SessionId | null
  play: { sessionId: SessionId; seenAt: string; endedBy: PlayEnd | null; address: string } | null
  product: { access: ProductAccess; status: ProductStatus; saleFrom: string | null; freeOfCharge: boolean } | null
  lesson: { free: boolean } | null
  /** The video of the lesson, or of the product without one. */
  videoAsset: string | null
}

interface Row {
  storeOpen: boolean
  opened: boolean
  useFree: boolean
  freeOfCharge: boolean
  customerCode: CustomerCode
  memberId: MemberId | null
  sessionId: SessionId | null
  playSession: SessionId | null
  seenAt: string | null
  endedBy: PlayEnd | null
  address: string | null
  access: ProductAccess | null
  status: ProductStatus | null
  saleFrom: string | null
  lessonId: LessonId | null
  free: boolean | null
  videoAsset: string | null
}

export interface MediaRequest {
  tokenHash: string | null
  /** The member the address was signed for; null for a guest. */
  memberId: MemberId | null
  productId: ProductId | null
  lessonId: LessonId | null
  playId: PlayId | null
}

/**
 * Reads the facts of a media right in one query, because it runs for every segment. Reads no rights
 * without a member. A session of staff who see the store as a member opens streams without a play.
 */
export const readMediaRequest = async (
  pool: pg.Pool,
  customerId: CustomerId,
  request: MediaRequest,
  now: Date,
): Promise<{ request: MediaRequestRow | null; heldRights: HeldRights | null }> => {
  const { memberId, productId } = request
  const statement = mediaRequestStatement(customerId, request, now)
  const [rows, rightsRows] =
    memberId !== null && productId !== null
      ? await readInOneRoundTrip(pool, customerId, [
          statement,
          heldRightsStatement(customerId, { memberId, productIds: [productId], onPlan: [productId] }, now),
        ])
      : await readInOneRoundTrip(pool, customerId, [statement])
  const [row] = rows
  return { request: row ? requestOf(row) : null, heldRights: rightsRows ? heldRightsOf(rightsRows) : null }
}

/**
 * Stands for an id that a request has not. A join on NULL is never true, which a cluster's
 * coordinator finds before it plans: it then no longer knows the tenant of the joined table.
 */
const noId = '00000000-0000-0000-0000-000000000000'

const mediaRequestStatement = (customerId: CustomerId, request: MediaRequest, now: Date): Statement<Row> => ({
  name: 'media_request',
  text: `SELECT c.use_customer AND c.use_site AS "storeOpen", c.opened, c.code AS "customerCode", m.id AS "memberId",
            (c.settings->'order'->>'useFree')::boolean AS "useFree", ${isFreeOfCharge('p')} AS "freeOfCharge",
            CASE WHEN m.id IS NOT NULL THEN s.id END AS "sessionId", y.session_id AS "playSession", y.seen_at AS "seenAt",
            CASE WHEN y.ended_at IS NOT NULL THEN coalesce(y.ended_by, 'CLOSED') END AS "endedBy", y.address,
            p.access, p.status, p.sale_from AS "saleFrom", l.id AS "lessonId", l.free, v.asset AS "videoAsset"
       FROM customers c
       LEFT JOIN sessions s ON s.customer_id = $1 AND s.token_hash = coalesce($2, '') AND s.expires_at > $6
             AND (s.viewer IS NULL OR $5::uuid IS NULL)
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = s.member_id AND m.withdrawn_at IS NULL
       LEFT JOIN plays y ON y.customer_id = $1 AND y.id = coalesce($5::uuid, '${noId}')
       LEFT JOIN products p ON p.customer_id = $1 AND p.id = coalesce($3::uuid, '${noId}')
       LEFT JOIN lessons l ON l.customer_id = $1 AND l.product_id = p.id AND l.id = coalesce($4::uuid, '${noId}')
       LEFT JOIN videos v ON v.customer_id = $1
             AND v.id = CASE WHEN $4::uuid IS NULL THEN p.video_id ELSE l.video_id END
      WHERE c.customer_id = $1`,
  values: [customerId, request.tokenHash, request.productId, request.lessonId, request.playId, now.toISOString()],
})

const requestOf = (row: Row): MediaRequestRow => {
  const { storeOpen, opened, useFree, customerCode, memberId, sessionId, videoAsset } = row
  const { access, status, saleFrom, freeOfCharge } = row
  return {
    storeOpen,
    opened,
    useFree,
    customerCode,
    memberId,
    sessionId,
    videoAsset,
    play:
      row.playSession && row.seenAt
        ? { sessionId: row.playSession, seenAt: row.seenAt, endedBy: row.endedBy, address: row.address ?? '' }
        : null,
    product: access && status ? { access, status, saleFrom, freeOfCharge } : null,
    lesson: row.lessonId ? { free: row.free ?? false } : null,
  }
}

/** Whether a stream was replaced by another one and still plays for current viewers. */
export const isRetiredVideo = async (db: TenantDb, customerId: CustomerId, of: LessonId | ProductId, asset: string) => {
  const rows = await named(
    db,
    'retired-video',
    `SELECT 1 FROM videos
      WHERE customer_id = $1 AND retired_at IS NOT NULL AND retired_from = $2 AND asset = $3`,
    [customerId, of, asset],
  )
  return rows.length > 0
}

/** Whether a stream exists and was not removed. One that was replaced still plays. */
export const isOpenAsset = async (db: TenantDb, customerId: CustomerId, asset: string): Promise<boolean> => {
  const isOpen = or(isNull(videos.retiredAt), isNotNull(videos.retiredFrom))
  return (await db.$count(videos, and(eq(videos.customerId, customerId), eq(videos.asset, asset), isOpen))) > 0
}

/** Where the licences of an encrypted stream are; null for an unencrypted one. */
export const drmOfAsset = async (db: TenantDb, customerId: CustomerId, asset: string): Promise<VideoDrm | null> => {
  const [row] = await named<{ drm: VideoDrm | null }>(
    db,
    'drm-of-asset',
    'SELECT drm FROM videos WHERE customer_id = $1 AND asset = $2 ORDER BY retired_at NULLS FIRST LIMIT 1',
    [customerId, asset],
  )
  return row?.drm ?? null
}

export interface LeakRequest {
  playId: PlayId
  address: string
  memberId: MemberId
  productId: ProductId | null
  asset: string
}

/**
 * Records a foreign request. Returns the addresses of foreign requests for this play and whether
 * this address is new.
 */
export const recordLeak = async (db: TenantDb, customerId: CustomerId, leak: LeakRequest, now: Date) => {
  // Serializes foreign requests for the same play, so that each address is counted once.
  await named(db, 'lock-leak', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [leak.playId])
  const [written] = await named<{ fresh: boolean }>(
    db,
    'record-leak',
    `INSERT INTO play_leaks (customer_id, play_id, address, member_id, product_id, asset, first_at, last_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
     ON CONFLICT (customer_id, play_id, address) DO UPDATE SET requests = play_leaks.requests + 1, last_at = excluded.last_at
     RETURNING xmax = 0 AS fresh`,
    [customerId, leak.playId, leak.address, leak.memberId, leak.productId, leak.asset, now],
  )
  const rows = await named<{ address: string }>(
    db,
    'leak-addresses',
    'SELECT address FROM play_leaks WHERE customer_id = $1 AND play_id = $2',
    [customerId, leak.playId],
  )
  return { fresh: written?.fresh ?? false, addresses: rows.map(({ address }) => address) }
}

export interface LeakRow {
  playId: PlayId
  memberId: MemberId
  email: string
  product: string | null
  asset: string
  addresses: string[]
  requests: number
  firstAt: string
  lastAt: string
  endedBy: PlayEnd | null
}

/**
 * Lists plays and files with foreign requests, latest first. `mark` filters by the end of a member
 * id.
 */
export const readLeaks = (db: TenantDb, customerId: CustomerId, mark: string | null, limit: number) =>
  named<LeakRow & Record<string, unknown>>(
    db,
    'list-leaks',
    `SELECT k.play_id AS "playId", k.member_id AS "memberId", coalesce(m.email, '') AS email, p.code AS product,
            min(k.asset) AS asset, array_agg(k.address ORDER BY k.last_at DESC) AS addresses, sum(k.requests)::int AS requests,
            min(k.first_at) AS "firstAt", max(k.last_at) AS "lastAt", y.ended_by AS "endedBy"
       FROM play_leaks k
       LEFT JOIN members m ON m.customer_id = k.customer_id AND m.id = k.member_id
       LEFT JOIN products p ON p.customer_id = k.customer_id AND p.id = k.product_id
       LEFT JOIN plays y ON y.customer_id = k.customer_id AND y.id = k.play_id
      WHERE k.customer_id = $1 AND ($2::text IS NULL OR right(k.member_id::text, 8) = $2)
      GROUP BY k.play_id, k.member_id, m.email, p.code, y.ended_by
      ORDER BY max(k.last_at) DESC
      LIMIT $3`,
    [customerId, mark, limit],
  )

/** Members by the end of their id, which their watermark shows. */
export const membersByWatermark = (db: TenantDb, customerId: CustomerId, mark: string) =>
  named<{ email: string; name: string; id: MemberId }>(
    db,
    'members-by-mark',
    `SELECT email, name, id FROM members WHERE customer_id = $1 AND right(id::text, 8) = $2`,
    [customerId, mark],
  )

/** Returns the video of a product or of one of its lessons; null without one. */
export const findVideoOf = async (
  db: TenantDb,
  customerId: CustomerId,
  { productId, lessonId }: { productId: ProductId; lessonId: LessonId | null },
) => {
  const { id, asset, drm } = videos
  const query =
    lessonId === null
      ? db
          .select({ id, asset, drm })
          .from(products)
          .innerJoin(videos, and(eq(videos.customerId, products.customerId), eq(videos.id, products.videoId)))
          .where(and(eq(products.customerId, customerId), eq(products.id, productId)))
      : db
          .select({ id, asset, drm })
          .from(lessons)
          .innerJoin(videos, and(eq(videos.customerId, lessons.customerId), eq(videos.id, lessons.videoId)))
          .where(and(eq(lessons.customerId, customerId), eq(lessons.id, lessonId)))
  const [video] = await query
  return video ?? null
}
