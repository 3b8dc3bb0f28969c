import { and, eq } from 'drizzle-orm'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { StoreComment } from '#contract/admin/queues.ts'
import type { CommentReportReason } from '#contract/engagement.ts'
import type { CommentState } from '#contract/enumerations.ts'
import type { CommentId, CustomerId, MemberId, ProductCode, ProductId } from '#contract/ids.ts'
import { blockedPhrases, commentReports, comments } from './engagement.schema.ts'

export interface CommentRow {
  id: CommentId
  productId: ProductId
  parentId: CommentId | null
  /** Null for a comment by the store. */
  memberId: MemberId | null
  author: string
  body: string
  state: CommentState
  countOfReplies: number
  createdAt: string
  editedAt: string | null
}

/**
 * Only its author sees a held or hidden comment. A hidden or deleted one with replies remains as a
 * placeholder.
 */
const visible = (alias: string, reader: string) =>
  `(${alias}.state = 'SHOWN' OR (${alias}.state IN ('HELD', 'HIDDEN') AND ${alias}.member_id = ${reader}))`

const replyCount = `(SELECT count(*) FROM comments r WHERE r.customer_id = $1 AND r.parent_id = c.id AND ${visible('r', '$3')})`

const columns = `c.id, c.product_id AS "productId", c.parent_id AS "parentId", c.member_id AS "memberId", coalesce(m.name, '') AS author, c.body, c.state,
  ${replyCount} AS "countOfReplies", c.created_at AS "createdAt", c.edited_at AS "editedAt"`

const from = 'comments c LEFT JOIN members m ON m.customer_id = c.customer_id AND m.id = c.member_id'

const threads = `c.customer_id = $1 AND c.product_id = $2 AND c.parent_id IS NULL
  AND (${visible('c', '$3')} OR (c.state IN ('HIDDEN', 'DELETED') AND ${replyCount} > 0))`

/** One page of a product's comments, the latest first; `reader` is null for a guest. */
export const readComments = async (
  db: TenantDb,
  customerId: CustomerId,
  productId: ProductId,
  reader: MemberId | null,
  { limit, offset }: { limit: number; offset: number },
) => {
  const items = await named<CommentRow & { total: number } & Record<string, unknown>>(
    db,
    'comments',
    `SELECT ${columns}, (SELECT count(*) FROM comments c WHERE ${threads}) AS total
       FROM ${from} WHERE ${threads} ORDER BY c.created_at DESC, c.id DESC LIMIT $4 OFFSET $5`,
    [customerId, productId, reader, limit, offset],
  )
  if (items[0] || offset === 0) return { items, total: items[0]?.total ?? 0 }
  // The page is beyond the last one, so the total needs its own query.
  const [counted] = await named<{ total: number }>(
    db,
    'comments-total',
    `SELECT count(*) AS total FROM comments c WHERE ${threads}`,
    [customerId, productId, reader],
  )
  return { items, total: counted?.total ?? 0 }
}

/** The replies to one comment, oldest first. */
export const readReplies = (
  db: TenantDb,
  customerId: CustomerId,
  productId: ProductId,
  reader: MemberId | null,
  parentId: CommentId,
) =>
  named<CommentRow & Record<string, unknown>>(
    db,
    'replies',
    `SELECT ${columns} FROM ${from}
      WHERE c.customer_id = $1 AND c.product_id = $2 AND c.parent_id = $4 AND ${visible('c', '$3')}
      ORDER BY c.created_at, c.id LIMIT 500`,
    [customerId, productId, reader, parentId],
  )

/** One comment of a product that `reader` may see; `lock` locks its row. */
export const readComment = async (
  db: TenantDb,
  customerId: CustomerId,
  productId: ProductId,
  reader: MemberId | null,
  id: CommentId,
  { lock = false } = {},
): Promise<CommentRow | null> => {
  const [row] = await named<CommentRow & Record<string, unknown>>(
    db,
    lock ? 'comment-locked' : 'comment',
    `SELECT ${columns} FROM ${from} WHERE c.customer_id = $1 AND c.product_id = $2 AND c.id = $4 AND ${visible('c', '$3')}${lock ? ' FOR UPDATE OF c' : ''}`,
    [customerId, productId, reader, id],
  )
  return row ?? null
}

/** A comment that needs a decision by a moderator. */
export interface CommentToReview {
  id: CommentId
  productCode: ProductCode
  productTitle: string
  /** Null once the account is deleted. */
  memberId: MemberId | null
  author: string
  body: string
  state: CommentState
  /** The blocked word that holds it; null if it has a link, or is not held. */
  heldPhrase: string | null
  createdAt: string
  editedAt: string | null
  /** Unresolved reports by reason, most frequent first. */
  reports: { reason: CommentReportReason; count: number }[]
}

/** Comments that are held, or shown with unresolved reports, the longest waiting first. */
export const readCommentsToReview = async (db: TenantDb, customerId: CustomerId, limit: number) => {
  const { rows } = await db.$client.query<CommentToReview>(
    `WITH waiting AS (
       SELECT comment_id, reason, count(*)::int AS count, min(created_at) AS since FROM comment_reports
        WHERE customer_id = $1 AND resolved_at IS NULL GROUP BY comment_id, reason),
     reported AS (
       SELECT comment_id, min(since) AS since,
              jsonb_agg(jsonb_build_object('reason', reason, 'count', count) ORDER BY count DESC, reason) AS reports
         FROM waiting GROUP BY comment_id)
     SELECT c.id, p.code AS "productCode", p.title AS "productTitle", m.id AS "memberId",
            coalesce(m.name, '') AS author, c.body, c.state, CASE WHEN c.state = 'HELD' THEN c.held_phrase END AS "heldPhrase",
            c.created_at AS "createdAt", c.edited_at AS "editedAt",
            coalesce(r.reports, '[]') AS reports
       FROM comments c
       JOIN products p ON p.customer_id = c.customer_id AND p.id = c.product_id
       LEFT JOIN members m ON m.customer_id = c.customer_id AND m.id = c.member_id AND m.withdrawn_at IS NULL
       LEFT JOIN reported r ON r.comment_id = c.id
      WHERE c.customer_id = $1 AND (c.state = 'HELD' OR (c.state = 'SHOWN' AND r.comment_id IS NOT NULL))
      ORDER BY CASE WHEN c.state = 'HELD' THEN c.created_at ELSE r.since END, c.id
      LIMIT $2`,
    [customerId, limit],
  )
  return rows
}

interface CommentPageFilter {
  state: CommentState | null
  /** OPEN: with unresolved reports. ANY: also with resolved ones. */
  reported: 'OPEN' | 'ANY' | null
  product: ProductCode | null
  memberId: MemberId | null
  words: readonly string[]
  since: Date | null
  until: Date | null
  after: KeysetPosition | null
  size: number
}

export type CommentPageRow = StoreComment & { keyset: KeysetPosition }

/** One more comment than the page has, in any state, the latest first. */
export const readCommentPage = async (db: TenantDb, customerId: CustomerId, filter: CommentPageFilter) => {
  const { state, reported, product, memberId, words, since, until, after, size } = filter
  const patterns = words.map((word) => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
  const reports = `SELECT FROM comment_reports r WHERE r.customer_id = $1 AND r.comment_id = c.id`
  const { rows } = await db.$client.query<CommentPageRow>(
    `WITH page AS (
       SELECT c.* FROM comments c
        WHERE c.customer_id = $1
          ${state ? 'AND c.state = $2' : 'AND $2::text IS NULL'}
          ${reported ? `AND EXISTS (${reports} ${reported === 'OPEN' ? 'AND r.resolved_at IS NULL' : ''})` : ''}
          ${product === null ? 'AND $3::text IS NULL' : 'AND c.product_id = (SELECT p.id FROM products p WHERE p.customer_id = $1 AND p.code = $3)'}
          ${memberId ? 'AND c.member_id = $4' : 'AND $4::uuid IS NULL'}
          ${patterns.length > 0 ? "AND c.state <> 'DELETED' AND lower(c.body) LIKE ALL ($5::text[])" : 'AND cardinality($5::text[]) = 0'}
          AND ($6::timestamptz IS NULL OR c.created_at >= $6) AND ($7::timestamptz IS NULL OR c.created_at < $7)
          ${after ? 'AND (c.created_at, c.id) < ($8::timestamptz, $9::uuid)' : 'AND $8::timestamptz IS NULL AND $9::uuid IS NULL'}
        ORDER BY c.created_at DESC NULLS LAST, c.id DESC NULLS LAST LIMIT $10)
     SELECT jsonb_build_object('at', c.created_at::text, 'id', c.id) AS keyset, c.id,
            jsonb_build_object('code', p.code, 'title', p.title) AS product,
            c.member_id AS "memberId", coalesce(m.name, '') AS author, c.parent_id IS NOT NULL AS "isReply",
            CASE WHEN c.state <> 'DELETED' THEN c.body END AS body, c.state,
            CASE WHEN c.state = 'HELD' THEN c.held_phrase END AS "heldPhrase",
            ARRAY(SELECT jsonb_build_object('reason', r.reason, 'count', count(*), 'open', count(*) FILTER (WHERE r.resolved_at IS NULL))
                    FROM comment_reports r WHERE r.customer_id = $1 AND r.comment_id = c.id
                   GROUP BY r.reason ORDER BY count(*) DESC, r.reason) AS reports,
            c.created_at AS "createdAt", c.edited_at AS "editedAt"
       FROM page c
       JOIN products p ON p.customer_id = $1 AND p.id = c.product_id
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = c.member_id
      ORDER BY c.created_at DESC NULLS LAST, c.id DESC`,
    [
      ...[customerId, state, product, memberId, patterns, since, until],
      ...[after?.at ?? null, after?.id ?? null, size + 1],
    ],
  )
  return rows
}

/** The number of held comments, and of shown ones with unresolved reports. */
export const countCommentsToReview = async (db: TenantDb, customerId: CustomerId) => {
  const { rows } = await db.$client.query<{ held: number; reported: number }>(
    `SELECT (SELECT count(*)::int FROM comments WHERE customer_id = $1 AND state = 'HELD') AS held,
            (SELECT count(DISTINCT r.comment_id)::int FROM comment_reports r
               JOIN comments c ON c.customer_id = r.customer_id AND c.id = r.comment_id AND c.state = 'SHOWN'
              WHERE r.customer_id = $1 AND r.resolved_at IS NULL) AS reported`,
    [customerId],
  )
  return rows[0] ?? { held: 0, reported: 0 }
}

/** Locks a comment in any state for a moderator until the transaction ends. */
export const lockComment = async (db: TenantDb, customerId: CustomerId, id: CommentId) => {
  const { rows } = await db.$client.query<Pick<CommentRow, 'id' | 'productId' | 'parentId' | 'state' | 'editedAt'>>(
    `SELECT id, product_id AS "productId", parent_id AS "parentId", state, edited_at AS "editedAt" FROM comments
      WHERE customer_id = $1 AND id = $2 FOR UPDATE`,
    [customerId, id],
  )
  return rows[0] ?? null
}

/**
 * Locks comments in any state for a moderator, in one order. `isReported`: with unresolved reports.
 */
export const lockComments = async (db: TenantDb, customerId: CustomerId, ids: readonly CommentId[]) => {
  const { rows } = await db.$client.query<
    Pick<CommentRow, 'id' | 'productId' | 'state' | 'editedAt'> & { isReported: boolean }
  >(
    `SELECT c.id, c.product_id AS "productId", c.state, c.edited_at AS "editedAt", EXISTS (
              SELECT FROM comment_reports r
               WHERE r.customer_id = $1 AND r.comment_id = c.id AND r.resolved_at IS NULL) AS "isReported"
       FROM comments c WHERE c.customer_id = $1 AND c.id = ANY($2) ORDER BY c.id FOR UPDATE`,
    [customerId, ids],
  )
  return rows
}

/** Marks a comment's reports as decided. */
export const resolveReports = async (db: TenantDb, customerId: CustomerId, id: CommentId, now: Date) => {
  await db.$client.query(
    'UPDATE comment_reports SET resolved_at = $3 WHERE customer_id = $1 AND comment_id = $2 AND resolved_at IS NULL',
    [customerId, id, now],
  )
}

/** Inserts a comment or a reply to one. The database refuses it if the member has left. */
export const insertComment = async (db: TenantDb, comment: typeof comments.$inferInsert) => {
  await db.insert(comments).values(comment)
}

/**
 * Edits, hides, shows or deletes a comment. The row of a deleted comment remains for its replies.
 */
export const updateComment = async (
  db: TenantDb,
  customerId: CustomerId,
  id: CommentId,
  change: Partial<Pick<typeof comments.$inferInsert, 'body' | 'state' | 'heldPhrase' | 'editedAt'>>,
) => {
  await db
    .update(comments)
    .set(change)
    .where(and(eq(comments.customerId, customerId), eq(comments.id, id)))
}

/** Inserts a report. A second report of a comment by the same member changes nothing. */
export const insertReport = async (db: TenantDb, report: typeof commentReports.$inferInsert) => {
  await db.insert(commentReports).values(report).onConflictDoNothing()
}

/** The words that hold a comment of a store; `lock` locks them until the transaction ends. */
export const readBlockedPhrases = async (
  db: TenantDb,
  customerId: CustomerId,
  { lock = false } = {},
): Promise<string[]> => {
  if (lock) await db.insert(blockedPhrases).values({ customerId }).onConflictDoNothing()
  const query = db.select().from(blockedPhrases).where(eq(blockedPhrases.customerId, customerId))
  const [row] = await (lock ? query.for('update') : query)
  return row?.phrases ?? []
}

/** Replaces the words that hold a comment. `readBlockedPhrases` must have locked them. */
export const saveBlockedPhrases = async (db: TenantDb, customerId: CustomerId, phrases: string[]) => {
  await db.update(blockedPhrases).set({ phrases }).where(eq(blockedPhrases.customerId, customerId))
}
