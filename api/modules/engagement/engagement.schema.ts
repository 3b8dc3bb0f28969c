import { sql } from 'drizzle-orm'
import { check, date, foreignKey, index, integer, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { CommentId, MemberId, ProductId } from '#contract/ids.ts'

export const likes = pgTable(
  'likes',
  {
    customerId: customerId(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
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
    id: id<CommentId>(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    memberId: uuid('member_id').$type<MemberId>(),
    parentId: uuid('parent_id').$type<CommentId>(),
    body: text('body').notNull(),
    state: text('state').$type<'SHOWN' | 'HELD' | 'HIDDEN' | 'DELETED'>().notNull().default('SHOWN'),
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
    commentId: uuid('comment_id').$type<CommentId>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
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

/** Appended, and rolled up into the product's counters: a popular product is never a hot row. */
export const productEvents = pgTable(
  'product_events',
  {
    customerId: customerId(),
    id: id(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    /** VIEW, PLAY, WATCH, REACH or FINISH. */
    type: text('type').notNull(),
    /** The lesson's id, or 'main'. */
    part: text('part').notNull().default('main'),
    /** Really played, of a WATCH. */
    seconds: real('seconds').notNull().default(0),
    /** Of the video, the stretches that a PLAY has watched until it counts, or that a REACH adds to it: a bit each. */
    watchedRanges: integer('watched_ranges').notNull().default(0),
    /** The day its play counts on, of a PLAY, a REACH or a FINISH; all else belongs to the day it happens. */
    day: date('day', { mode: 'string' }),
    at: at('at').notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.id] })],
)

/** `viewer` is a member's id or a guest's: the history moves with the login. */
export const viewedProducts = pgTable(
  'viewed_products',
  {
    customerId: customerId(),
    viewer: text('viewer').notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    at: at('at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.viewer, t.productId] }),
    index('viewed_products_latest').on(t.customerId, t.viewer, t.at.desc()),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)
