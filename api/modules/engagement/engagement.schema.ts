import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { CommentId, MemberId, ProductId, ViewerId } from '#contract/ids.ts'

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
    index('likes_product').on(t.customerId, t.productId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/**
 * Replies have one level. A deleted comment remains as a row, as a placeholder for its replies.
 * HELD waits for a moderator, HIDDEN was hidden by one: only the author sees either. Without a
 * member it is a reply by the store.
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
    /** The blocked word that holds it; null if something else does, or nothing. */
    heldPhrase: text('held_phrase'),
    state: text('state').$type<'SHOWN' | 'HELD' | 'HIDDEN' | 'DELETED'>().notNull().default('SHOWN'),
    createdAt: createdAt(),
    editedAt: at('edited_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('comments_product').on(t.customerId, t.productId, t.parentId, t.createdAt.desc()),
    index('comments_latest').on(t.customerId, t.createdAt.desc(), t.id.desc()),
    index('comments_state_latest').on(t.customerId, t.state, t.createdAt.desc(), t.id.desc()),
    index('comments_product_latest').on(t.customerId, t.productId, t.createdAt.desc(), t.id.desc()),
    index('comments_member').on(t.customerId, t.memberId, t.createdAt.desc(), t.id.desc()),
    index('comments_parent').on(t.customerId, t.parentId, t.createdAt),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check('comments_state', sql`${t.state} in ('SHOWN', 'HELD', 'HIDDEN', 'DELETED')`),
    index('comments_held').on(t.customerId, t.createdAt).where(sql`state = 'HELD'`),
  ],
)

/** The words and phrases that hold a comment. Only staff see them. */
export const blockedPhrases = pgTable(
  'blocked_phrases',
  {
    customerId: customerId(),
    phrases: text('phrases').array().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.customerId] })],
)

export const commentReports = pgTable(
  'comment_reports',
  {
    customerId: customerId(),
    commentId: uuid('comment_id').$type<CommentId>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    reason: text('reason').notNull(),
    createdAt: createdAt(),
    /** When a moderator resolved the report; null while it is open. */
    resolvedAt: at('resolved_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.commentId, t.memberId] }),
    index('comment_reports_waiting').on(t.customerId, t.commentId).where(sql`resolved_at IS NULL`),
  ],
)

/** A play counts at PLAY and ends at FINISH. WATCH has seconds, REACH newly watched ranges. */
export type ProductEventType = 'VIEW' | 'PLAY' | 'WATCH' | 'REACH' | 'FINISH'

/**
 * An append-only journal that is rolled up into counters, so that a popular product's row is not
 * contended.
 */
export const productEvents = pgTable(
  'product_events',
  {
    customerId: customerId(),
    id: id(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    type: text('type').$type<ProductEventType>().notNull(),
    /** The lesson's id, or 'main'. */
    part: text('part').notNull().default('main'),
    /** The seconds actually played, for a WATCH. */
    seconds: real('seconds').notNull().default(0),
    /** The ranges watched, one bit each: until a PLAY counts, or added by a REACH. */
    watchedRanges: integer('watched_ranges').notNull().default(0),
    /**
     * The day on which the play counts, for a PLAY, REACH or FINISH. Other events use their own
     * day.
     */
    day: date('day', { mode: 'string' }),
    at: at('at').notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.id] })],
)

/** Searches without a result by day: how often, and not by whom. */
export const missedSearches = pgTable(
  'missed_searches',
  {
    customerId: customerId(),
    day: date('day', { mode: 'string' }).notNull(),
    words: text('words').notNull(),
    searches: integer('searches').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.day, t.words] })],
)

/** `viewer` is a member's or guest's id. At login the guest's history moves to the member. */
export const viewedProducts = pgTable(
  'viewed_products',
  {
    customerId: customerId(),
    viewer: text('viewer').$type<ViewerId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    at: at('at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.viewer, t.productId] }),
    index('viewed_products_latest').on(t.customerId, t.viewer, t.at.desc()),
    index('viewed_products_product').on(t.customerId, t.productId),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/** One position per viewer and video: `part` is the lesson's id, or 'main'. */
export const positions = pgTable(
  'positions',
  {
    customerId: customerId(),
    viewer: text('viewer').$type<ViewerId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    part: text('part').notNull(),
    positionSeconds: real('position_seconds').notNull(),
    durationSeconds: real('duration_seconds').notNull(),
    playedSeconds: real('played_seconds').notNull().default(0),
    finished: boolean('finished').notNull().default(false),
    counted: boolean('counted').notNull().default(false),
    /**
     * The day on which the play counts, in the store's time zone; null before it counts or if
     * unknown.
     */
    countedOn: date('counted_on', { mode: 'string' }),
    /** The ranges of the video watched in this play, one bit each; null if unknown. */
    watchedRanges: integer('watched_ranges'),
    at: at('at').notNull(),
    /** The server's time up to which playing is counted, which limits it to the time elapsed. */
    playedUntil: at('played_until'),
    /** When the viewer dismissed it from the continue-watching list. Playing again restores it. */
    dismissedAt: at('dismissed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.viewer, t.productId, t.part] }),
    index('positions_latest').on(t.customerId, t.viewer, t.at.desc()),
    index('positions_product').on(t.customerId, t.productId),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)
