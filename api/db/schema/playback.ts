import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, pgTable, primaryKey, real, text, uuid } from 'drizzle-orm/pg-core'
import { products } from './catalog.ts'
import { at, customerId, id } from './columns.ts'

/** Appended, and rolled up into the product's counters: a popular product is never a hot row. */
export const productEvents = pgTable(
  'product_events',
  {
    customerId: customerId(),
    id: id(),
    productId: uuid('product_id').notNull(),
    type: text('type').notNull(),
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
    productId: uuid('product_id').notNull(),
    at: at('at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.viewer, t.productId] }),
    index('viewed_products_latest').on(t.customerId, t.viewer, t.at.desc()),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/** One position per viewer and video: `part` is the lesson's id, or 'main'. */
export const positions = pgTable(
  'positions',
  {
    customerId: customerId(),
    viewer: text('viewer').notNull(),
    productId: uuid('product_id').notNull(),
    part: text('part').notNull(),
    positionSeconds: real('position_seconds').notNull(),
    durationSeconds: real('duration_seconds').notNull(),
    playedSeconds: real('played_seconds').notNull().default(0),
    finished: boolean('finished').notNull().default(false),
    counted: boolean('counted').notNull().default(false),
    at: at('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.viewer, t.productId, t.part] }),
    index('positions_latest').on(t.customerId, t.viewer, t.at.desc()),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)
