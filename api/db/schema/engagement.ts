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

/** Replies are one level deep. A deleted comment keeps its row, so that its replies keep their place. */
export const comments = pgTable(
  'comments',
  {
    customerId: customerId(),
    id: id(),
    productId: uuid('product_id').notNull(),
    memberId: uuid('member_id').notNull(),
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
    check('comments_state', sql`${t.state} in ('SHOWN', 'HELD', 'DELETED')`),
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
  },
  (t) => [primaryKey({ columns: [t.customerId, t.commentId, t.memberId] })],
)
