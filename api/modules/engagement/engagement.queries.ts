import { and, desc, eq } from 'drizzle-orm'
import type { CartOwner } from '#api/platform/context.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CommentReportReason, CommentState } from '#contract/engagement.ts'
import type { CommentId, CustomerId, MemberId, ProductCode, ProductId } from '#contract/ids.ts'
import { likes, productEvents, viewedProducts } from './engagement.schema.ts'

export interface CommentRow {
  id: CommentId
  productId: ProductId
  parentId: CommentId | null
  /** Null: the store wrote it. */
  memberId: MemberId | null
  author: string
  body: string
  state: CommentState
  countOfReplies: number
  createdAt: string
  editedAt: string | null
}

/** A held or hidden comment is shown to its author alone; a hidden or deleted one keeps its place while it has replies. */
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
  // A page beyond the last.
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

/** One comment of a product, whoever may see it; `lock` keeps it from changing until the transaction ends. */
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

/** A comment that a moderator has to look at. */
export interface CommentToReview {
  id: CommentId
  productCode: ProductCode
  author: string
  body: string
  state: CommentState
  createdAt: string
  /** Reports without a decision, the most frequent reason first. */
  reports: { reason: CommentReportReason; count: number }[]
}

/** Comments that are held, or reported and still shown, the longest waiting first. */
export const readCommentsToReview = async (db: TenantDb, customerId: CustomerId, limit: number) => {
  const { rows } = await db.$client.query<CommentToReview>(
    `WITH waiting AS (
       SELECT comment_id, reason, count(*)::int AS count, min(created_at) AS since FROM comment_reports
        WHERE customer_id = $1 AND resolved_at IS NULL GROUP BY comment_id, reason),
     reported AS (
       SELECT comment_id, min(since) AS since,
              jsonb_agg(jsonb_build_object('reason', reason, 'count', count) ORDER BY count DESC, reason) AS reports
         FROM waiting GROUP BY comment_id)
     SELECT c.id, p.code AS "productCode", coalesce(m.name, '') AS author, c.body, c.state, c.created_at AS "createdAt",
            coalesce(r.reports, '[]') AS reports
       FROM comments c
       JOIN products p ON p.customer_id = c.customer_id AND p.id = c.product_id
       LEFT JOIN members m ON m.customer_id = c.customer_id AND m.id = c.member_id
       LEFT JOIN reported r ON r.comment_id = c.id
      WHERE c.customer_id = $1 AND (c.state = 'HELD' OR (c.state = 'SHOWN' AND r.comment_id IS NOT NULL))
      ORDER BY CASE WHEN c.state = 'HELD' THEN c.created_at ELSE r.since END, c.id
      LIMIT $2`,
    [customerId, limit],
  )
  return rows
}

/** How many comments are held, and how many that are shown have reports without a decision. */
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

/** One comment for a moderator, whatever its state; locked until the transaction ends. */
export const lockComment = async (db: TenantDb, customerId: CustomerId, id: CommentId) => {
  const { rows } = await db.$client.query<Pick<CommentRow, 'id' | 'productId' | 'parentId' | 'state' | 'body'>>(
    `SELECT id, product_id AS "productId", parent_id AS "parentId", state, body FROM comments
      WHERE customer_id = $1 AND id = $2 FOR UPDATE`,
    [customerId, id],
  )
  return rows[0] ?? null
}

/** Marks a comment's reports as decided. */
export const resolveReports = async (db: TenantDb, customerId: CustomerId, id: CommentId, now: Date) => {
  await db.$client.query(
    'UPDATE comment_reports SET resolved_at = $3 WHERE customer_id = $1 AND comment_id = $2 AND resolved_at IS NULL',
    [customerId, id, now],
  )
}

/** What a person has left on some products. */
export interface ProductMarks {
  liked: Set<ProductId>
  inCart: Set<ProductId>
  /** How many videos' worth of a product was watched: a finished part counts one, another its fraction. */
  watched: Map<ProductId, number>
}

interface Row {
  liked: ProductId[]
  inCart: ProductId[]
  watched: ProductId[] | null
  parts: number[] | null
}

const statementFor = (column: 'member_id' | 'guest_id') => `
  SELECT ${column === 'member_id' ? 'ARRAY(SELECT product_id FROM likes WHERE customer_id = $1 AND member_id = $2 AND product_id = ANY($4::uuid[]))' : 'ARRAY[]::uuid[]'} AS liked,
         ARRAY(SELECT i.product_id FROM carts c JOIN cart_items i ON i.customer_id = c.customer_id AND i.cart_id = c.id
                WHERE c.customer_id = $1 AND c.${column} = $2 AND i.product_id = ANY($4::uuid[])) AS "inCart",
         w.watched, w.parts
    FROM (SELECT array_agg(product_id) AS watched, array_agg(parts) AS parts
            FROM (SELECT product_id,
                         sum(CASE WHEN finished THEN 1 ELSE least(1, position_seconds / greatest(duration_seconds, 1)) END)::float8 AS parts
                    FROM positions WHERE customer_id = $1 AND viewer = $3 AND product_id = ANY($4::uuid[])
                   GROUP BY product_id) each_one) w`
const ofMember = statementFor('member_id')
const ofGuest = statementFor('guest_id')

/** A member's likes, or a guest's none; what of the products lies in their cart; and how far each was watched. */
export const readMarks = async (
  db: TenantDb,
  customerId: CustomerId,
  owner: CartOwner,
  ids: readonly ProductId[],
): Promise<ProductMarks> => {
  const [name, text, id] =
    'memberId' in owner
      ? (['marks_of_member', ofMember, owner.memberId] as const)
      : (['marks_of_guest', ofGuest, owner.guestId] as const)
  const [row] = await named<Row & Record<string, unknown>>(db, name, text, [customerId, id, id, ids])
  const parts = row?.parts ?? []
  return {
    liked: new Set(row?.liked),
    inCart: new Set(row?.inCart),
    watched: new Map(row?.watched?.map((productId, at) => [productId, parts[at] ?? 0])),
  }
}

/** Products of a viewer's histories, latest first. */
export interface Histories {
  /** Begun, and not taken off the list. */
  watched: ProductId[]
  /** Looked at. */
  viewed: ProductId[]
}

/** Both histories of a viewer in one look-up, each as long as is asked for. */
export const historiesOf = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: string,
  { watched, viewed }: Record<keyof Histories, number>,
): Promise<Histories> => {
  const [row] = await named<Histories & Record<string, unknown>>(
    db,
    'histories',
    `SELECT ARRAY(SELECT product_id FROM positions
                   WHERE customer_id = $1 AND viewer = $2 AND dismissed_at IS NULL
                   GROUP BY product_id ORDER BY max(at) DESC LIMIT $3) AS watched,
            ARRAY(SELECT product_id FROM viewed_products
                   WHERE customer_id = $1 AND viewer = $2 ORDER BY at DESC LIMIT $4) AS viewed`,
    [customerId, viewer, watched, viewed],
  )
  return row ?? { watched: [], viewed: [] }
}

/** Appends a view, and moves the product to the front of the viewer's history. */
export const recordView = async (
  db: TenantDb,
  customerId: CustomerId,
  viewer: string | null,
  productId: ProductId,
  now: Date,
) => {
  const at = now.toISOString()
  await db.insert(productEvents).values({ customerId, id: newId(), productId, type: 'VIEW', at })
  if (viewer === null) return
  await db
    .insert(viewedProducts)
    .values({ customerId, viewer, productId, at })
    .onConflictDoUpdate({
      target: [viewedProducts.customerId, viewedProducts.viewer, viewedProducts.productId],
      set: { at },
    })
}

export const likedLast = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  page: { limit: number; offset: number },
) => {
  const mine = and(eq(likes.customerId, customerId), eq(likes.memberId, memberId))
  const rows = await db
    .select({ productId: likes.productId })
    .from(likes)
    .where(mine)
    .orderBy(desc(likes.createdAt))
    .limit(page.limit)
    .offset(page.offset)
  return { ids: rows.map((row) => row.productId as ProductId), total: await db.$count(likes, mine) }
}

/** Moves a viewer's viewed products to another viewer; of two views of one product the later stays. */
export const moveViewedProducts = async (db: TenantDb, customerId: CustomerId, from: string, to: string) => {
  await db.$client.query(
    `INSERT INTO viewed_products (customer_id, viewer, product_id, at)
     SELECT customer_id, $3, product_id, at FROM viewed_products WHERE customer_id = $1 AND viewer = $2
         ON CONFLICT (customer_id, viewer, product_id) DO UPDATE SET at = greatest(viewed_products.at, excluded.at)`,
    [customerId, from, to],
  )
  await db.$client.query('DELETE FROM viewed_products WHERE customer_id = $1 AND viewer = $2', [customerId, from])
}
