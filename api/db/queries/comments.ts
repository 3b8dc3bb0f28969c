import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { CommentId, CustomerId, MemberId, ProductId } from '#contract/ids.ts'

export type CommentState = 'SHOWN' | 'HELD' | 'DELETED'

export interface CommentRow {
  id: CommentId
  productId: ProductId
  parentId: CommentId | null
  memberId: MemberId
  author: string
  body: string
  state: CommentState
  countOfReplies: number
  createdAt: string
  editedAt: string | null
}

/** A held comment is its author's alone until the desk has seen it; a deleted one stays while it has replies. */
const visible = (alias: string, reader: string) =>
  `(${alias}.state = 'SHOWN' OR (${alias}.state = 'HELD' AND ${alias}.member_id = ${reader}))`

const replyCount = `(SELECT count(*) FROM comments r WHERE r.customer_id = $1 AND r.parent_id = c.id AND ${visible('r', '$3')})`

const columns = `c.id, c.product_id AS "productId", c.parent_id AS "parentId", c.member_id AS "memberId", m.name AS author, c.body, c.state,
  ${replyCount} AS "countOfReplies", c.created_at AS "createdAt", c.edited_at AS "editedAt"`

const from = 'comments c JOIN members m ON m.customer_id = c.customer_id AND m.id = c.member_id'

const threads = `c.customer_id = $1 AND c.product_id = $2 AND c.parent_id IS NULL
  AND (${visible('c', '$3')} OR (c.state = 'DELETED' AND ${replyCount} > 0))`

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
