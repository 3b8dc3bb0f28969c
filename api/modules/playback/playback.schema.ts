import { sql } from 'drizzle-orm'
import { date, doublePrecision, foreignKey, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { sessions } from '#api/modules/identity/identity.schema.ts'
import { at, customerId, id } from '#api/platform/db/columns.ts'
import type { MemberId, PlayId, ProductId, SessionId } from '#contract/ids.ts'

/** Why a play ended. LAPSED: the player stopped reporting. CLOSED: too many foreign requests. */
export type PlayEnd = 'LEFT' | 'TAKEN_OVER' | 'LAPSED' | 'CLOSED'

/** Events of a product summed up by day in the tenant's time zone. */
export const productAnalyticsTable = pgTable(
  'product_analytics',
  {
    customerId: customerId(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    part: text('part').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    views: integer('views').notNull().default(0),
    plays: integer('plays').notNull().default(0),
    finishes: integer('finishes').notNull().default(0),
    playedSeconds: doublePrecision('played_seconds').notNull().default(0),
    /** The number of plays with known watched ranges. */
    playsWithRanges: integer('plays_with_ranges').notNull().default(0),
    /** How many of these plays watched each range of the video. */
    watchedRanges: integer('watched_ranges').array(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.productId, t.part, t.day] }),
    index('product_analytics_day').on(t.customerId, t.day),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/**
 * A stream that plays for a member. It counts towards the stream limit while its player reports.
 */
export const plays = pgTable(
  'plays',
  {
    customerId: customerId(),
    id: id<PlayId>(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    sessionId: uuid('session_id').$type<SessionId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    part: text('part').notNull(),
    /** The device name from the session, for "playing on your tablet". */
    device: text('device').notNull(),
    /** The address that started the play. Requests from it are not foreign. */
    address: text('address').notNull().default(''),
    startedAt: at('started_at').notNull(),
    seenAt: at('seen_at').notNull(),
    endedAt: at('ended_at'),
    endedBy: text('ended_by').$type<PlayEnd>(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('plays_live').on(t.customerId, t.memberId).where(sql`ended_at is null`),
    index('plays_session').on(t.customerId, t.sessionId, t.seenAt.desc()),
    index('plays_seen').on(t.customerId, t.seenAt),
    // Without those that are live, whose reports would write it too.
    index('plays_of_product').on(t.customerId, t.productId).where(sql`ended_at is not null`),
    foreignKey({
      columns: [t.customerId, t.sessionId],
      foreignColumns: [sessions.customerId, sessions.id],
    }).onDelete('cascade'),
  ],
)

/** Addresses that requested a member's stream or file without that member's session. */
export const playLeaks = pgTable(
  'play_leaks',
  {
    customerId: customerId(),
    /** The id of the play, or of one opened file. */
    playId: uuid('play_id').$type<PlayId>().notNull(),
    address: text('address').notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    productId: uuid('product_id').$type<ProductId>(),
    asset: text('asset').notNull(),
    /** Counts minutes with requests, not single requests. */
    requests: integer('requests').notNull().default(1),
    firstAt: at('first_at').notNull(),
    lastAt: at('last_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.playId, t.address] }),
    index('play_leaks_latest').on(t.customerId, t.lastAt.desc()),
  ],
)
