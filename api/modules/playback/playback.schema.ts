import { sql } from 'drizzle-orm'
import {
  boolean,
  date,
  doublePrecision,
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
import { sessions } from '#api/modules/identity/identity.schema.ts'
import { at, customerId, id } from '#api/platform/db/columns.ts'
import type { ProductId } from '#contract/ids.ts'

/** One position per viewer and video: `part` is the lesson's id, or 'main'. */
export const positions = pgTable(
  'positions',
  {
    customerId: customerId(),
    viewer: text('viewer').notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    part: text('part').notNull(),
    positionSeconds: real('position_seconds').notNull(),
    durationSeconds: real('duration_seconds').notNull(),
    playedSeconds: real('played_seconds').notNull().default(0),
    finished: boolean('finished').notNull().default(false),
    counted: boolean('counted').notNull().default(false),
    /** The day the play counts on, by the store's time zone; null before it counts, and where it is not known. */
    countedOn: date('counted_on', { mode: 'string' }),
    /** The stretches of the video watched in this play, a bit each; null where they are not known. */
    watchedRanges: integer('watched_ranges'),
    at: at('at').notNull(),
    /** Playing is accounted for up to here, by the server's clock: nobody plays more than time goes by. */
    playedUntil: at('played_until'),
    /** Taken off the viewer's continue-watching list; playing on puts it back. */
    dismissedAt: at('dismissed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.viewer, t.productId, t.part] }),
    index('positions_latest').on(t.customerId, t.viewer, t.at.desc()),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/** What came of a product on one day of its tenant's time zone: the events, added up. */
export const productAnalytics = pgTable(
  'product_analytics',
  {
    customerId: customerId(),
    productId: uuid('product_id').notNull(),
    part: text('part').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    views: integer('views').notNull().default(0),
    plays: integer('plays').notNull().default(0),
    finishes: integer('finishes').notNull().default(0),
    playedSeconds: doublePrecision('played_seconds').notNull().default(0),
    /** Of the plays, those of which it is known what they watched. */
    playsWithRanges: integer('plays_with_ranges').notNull().default(0),
    /** How many of them watched each stretch of the video. */
    watchedRanges: integer('watched_ranges').array(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.productId, t.part, t.day] }),
    index('product_analytics_day').on(t.customerId, t.day),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/** A stream that plays for a member: one of the few that may at the same time. It lives while its player reports. */
export const plays = pgTable(
  'plays',
  {
    customerId: customerId(),
    id: id(),
    memberId: uuid('member_id').notNull(),
    sessionId: uuid('session_id').notNull(),
    productId: uuid('product_id').notNull(),
    part: text('part').notNull(),
    /** As the session names it, for "playing on your tablet". */
    device: text('device').notNull(),
    /** Where it was begun from: who asks from there is no stranger. */
    address: text('address').notNull().default(''),
    startedAt: at('started_at').notNull(),
    seenAt: at('seen_at').notNull(),
    endedAt: at('ended_at'),
    /** LEFT, TAKEN_OVER, LAPSED or CLOSED. */
    endedBy: text('ended_by'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('plays_live').on(t.customerId, t.memberId).where(sql`ended_at is null`),
    index('plays_session').on(t.customerId, t.sessionId, t.seenAt.desc()),
    index('plays_seen').on(t.customerId, t.seenAt),
    foreignKey({
      columns: [t.customerId, t.sessionId],
      foreignColumns: [sessions.customerId, sessions.id],
    }).onDelete('cascade'),
  ],
)

/** Addresses from which somebody asked for what was opened for a member, without being that member. */
export const playLeaks = pgTable(
  'play_leaks',
  {
    customerId: customerId(),
    /** The play, or the one opening of a file. */
    playId: uuid('play_id').notNull(),
    address: text('address').notNull(),
    memberId: uuid('member_id').notNull(),
    productId: uuid('product_id'),
    asset: text('asset').notNull(),
    /** Minutes in which it was asked, not single requests. */
    requests: integer('requests').notNull().default(1),
    firstAt: at('first_at').notNull(),
    lastAt: at('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.playId, t.address] }),
    index('play_leaks_latest').on(t.customerId, t.lastAt.desc()),
  ],
)
