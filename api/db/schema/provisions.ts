import { sql } from 'drizzle-orm'
import { boolean, check, foreignKey, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { members } from './accounts.ts'
import { products } from './catalog.ts'
import { at, customerId, id } from './columns.ts'
import { entitlements } from './commerce.ts'

/**
 * Evidence that a bought product began to be provided: what was opened, when, and whether the member had read that this ends the
 * right to send it back. Appended, never changed.
 */
export const provisions = pgTable(
  'provisions',
  {
    customerId: customerId(),
    id: id(),
    memberId: uuid('member_id').notNull(),
    productId: uuid('product_id').notNull(),
    entitlementId: uuid('entitlement_id').notNull(),
    kind: text('kind').notNull(),
    /** What was played or downloaded: a lesson's or an attachment's id, or the product's own. */
    subject: text('subject').notNull(),
    accepted: boolean('accepted').notNull(),
    at: at('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('provisions_product').on(t.customerId, t.memberId, t.productId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    foreignKey({
      columns: [t.customerId, t.entitlementId],
      foreignColumns: [entitlements.customerId, entitlements.id],
    }),
    check('provisions_kind', sql`${t.kind} in ('PLAY', 'DOWNLOAD')`),
  ],
)
