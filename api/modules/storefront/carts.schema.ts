import { sql } from 'drizzle-orm'
import { check, foreignKey, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { productOptions } from '#api/modules/catalog/catalog.schema.ts'
import { amount, at, createdAt, currency, customerId, id } from '#api/platform/db/columns.ts'
import type { CartId, CartItemId, GuestId, MemberId, OptionId, ProductId } from '#contract/ids.ts'

/** One cart per member or guest. Every write increases `version`. */
export const carts = pgTable(
  'carts',
  {
    customerId: customerId(),
    id: id<CartId>(),
    memberId: uuid('member_id').$type<MemberId>(),
    guestId: text('guest_id').$type<GuestId>(),
    version: integer('version').notNull().default(0),
    updatedAt: at('updated_at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('carts_member').on(t.customerId, t.memberId),
    uniqueIndex('carts_guest').on(t.customerId, t.guestId),
    check('carts_owner', sql`(${t.memberId} is null) <> (${t.guestId} is null)`),
  ],
)

export const cartItems = pgTable(
  'cart_items',
  {
    customerId: customerId(),
    id: id<CartItemId>(),
    cartId: uuid('cart_id').$type<CartId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    optionId: uuid('option_id').$type<OptionId>().notNull(),
    quantity: integer('quantity').notNull().default(1),
    /** The price when the line was added, in minor units. A change is shown before payment. */
    priceAmount: amount('price_amount').notNull(),
    currency: currency(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('cart_items_product').on(t.customerId, t.cartId, t.productId),
    foreignKey({ columns: [t.customerId, t.cartId], foreignColumns: [carts.customerId, carts.id] }).onDelete('cascade'),
    foreignKey({ columns: [t.customerId, t.optionId], foreignColumns: [productOptions.customerId, productOptions.id] }),
  ],
)
