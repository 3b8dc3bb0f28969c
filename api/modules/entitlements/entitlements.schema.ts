import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { members } from '#api/modules/identity/identity.schema.ts'
import { at, createdAt, customerId, id } from '#api/platform/db/columns.ts'
import type { EntitlementId, MemberId, OrderItemId, ProductId } from '#contract/ids.ts'

export type EntitlementSource = 'OWN' | 'RENT' | 'PLAN' | 'GRANT'

/** A member's right to one product, with its source and its end. */
export const entitlements = pgTable(
  'entitlements',
  {
    customerId: customerId(),
    id: id<EntitlementId>(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    source: text('source').$type<EntitlementSource>().notNull(),
    orderItemId: uuid('order_item_id').$type<OrderItemId>(),
    /** A rental: its days count from the first play, which must take place by `startBy`. */
    rentalDays: integer('rental_days'),
    startBy: at('start_by'),
    startedAt: at('started_at'),
    expiresAt: at('expires_at'),
    suspended: boolean('suspended').notNull().default(false),
    revokedAt: at('revoked_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('entitlements_right').on(t.customerId, t.memberId, t.productId),
    index('entitlements_product').on(t.customerId, t.productId),
    index('entitlements_latest').on(t.customerId, t.memberId, t.createdAt.desc()),
    uniqueIndex('entitlements_once').on(t.customerId, t.orderItemId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    check('entitlements_source', sql`${t.source} in ('OWN', 'RENT', 'PLAN', 'GRANT')`),
  ],
)

/**
 * Evidence that a purchased product was provided: what was opened, when, and whether the member had
 * been told that this ends the right of withdrawal. Append-only.
 */
export const fulfillments = pgTable(
  'fulfillments',
  {
    customerId: customerId(),
    id: id(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    entitlementId: uuid('entitlement_id').$type<EntitlementId>().notNull(),
    kind: text('kind').$type<'PLAY' | 'DOWNLOAD'>().notNull(),
    /**
     * The id of the lesson or attachment that was played or downloaded, or of the product itself.
     */
    subject: text('subject').notNull(),
    accepted: boolean('accepted').notNull(),
    at: at('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('fulfillments_product').on(t.customerId, t.memberId, t.productId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    foreignKey({
      columns: [t.customerId, t.entitlementId],
      foreignColumns: [entitlements.customerId, entitlements.id],
    }),
    check('fulfillments_kind', sql`${t.kind} in ('PLAY', 'DOWNLOAD')`),
  ],
)
