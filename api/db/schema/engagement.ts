import { sql } from 'drizzle-orm'
import { check, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { members } from './accounts.ts'
import { products } from './catalog.ts'
import { at, createdAt, customerId, id } from './columns.ts'

export const likes = pgTable(
  'likes',
  {
    customerId: customerId(),
    memberId: uuid('member_id').notNull(),
    productId: uuid('product_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.memberId, t.productId] }),
    index('likes_latest').on(t.customerId, t.memberId, t.createdAt),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/**
 * Replies are one level deep. A deleted comment keeps its row, so that its replies keep their place. HELD waits for a moderator, HIDDEN
 * was taken down by one: both are shown to their author alone. Without a member it is the store's own reply.
 */
export const comments = pgTable(
  'comments',
  {
    customerId: customerId(),
    id: id(),
    productId: uuid('product_id').notNull(),
    memberId: uuid('member_id'),
    parentId: uuid('parent_id'),
    body: text('body').notNull(),
    state: text('state').notNull().default('SHOWN'),
    createdAt: createdAt(),
    editedAt: at('edited_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('comments_product').on(t.customerId, t.productId, t.parentId, t.createdAt.desc()),
    index('comments_parent').on(t.customerId, t.parentId, t.createdAt),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check('comments_state', sql`${t.state} in ('SHOWN', 'HELD', 'HIDDEN', 'DELETED')`),
    index('comments_held').on(t.customerId, t.createdAt).where(sql`state = 'HELD'`),
  ],
)

export const commentReports = pgTable(
  'comment_reports',
  {
    customerId: customerId(),
    commentId: uuid('comment_id').notNull(),
    memberId: uuid('member_id').notNull(),
    reason: text('reason').notNull(),
    createdAt: createdAt(),
    /** When a moderator decided about the comment; null while the report waits. */
    resolvedAt: at('resolved_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.commentId, t.memberId] }),
    index('comment_reports_waiting').on(t.customerId, t.commentId).where(sql`resolved_at IS NULL`),
  ],
)
