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
import { amount, at, createdAt, currency, customerId, id } from '#api/platform/db/columns.ts'
import type {
  Locale,
  OptionType,
  OrderStatus,
  PaymentMethod,
  RecordedMethod,
  RefundStep,
} from '#contract/enumerations.ts'
import type { CartId, MemberId, OptionId, OrderCode, OrderId, OrderItemId, ProductId } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'

/** SQL: the way in which an order was paid. An index has this expression. */
export const orderWay = `CASE WHEN complimentary THEN 'COMPLIMENTARY' WHEN recorded_as IS NOT NULL THEN 'RECORDED' WHEN total_amount = 0 THEN 'FREE' ELSE method END`

/** `status` is null while the order is a draft. */
export const orders = pgTable(
  'orders',
  {
    customerId: customerId(),
    id: id<OrderId>(),
    code: text('code').$type<OrderCode>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    status: text('status').$type<OrderStatus>(),
    method: text('method').$type<PaymentMethod>(),
    totalAmount: amount('total_amount').notNull(),
    refundedAmount: amount('refunded_amount').notNull().default(0),
    currency: currency(),
    refundPolicyVersion: text('refund_policy_version').notNull(),
    refundStep: text('refund_step').$type<RefundStep>(),
    refundReason: text('refund_reason'),
    /** Given by the store for nothing. */
    complimentary: boolean('complimentary').notNull().default(false),
    /** How a sale outside of the store was paid. Null for orders that were placed in the store. */
    recordedAs: text('recorded_as').$type<RecordedMethod>(),
    cartId: uuid('cart_id').$type<CartId>(),
    createdAt: createdAt(),
    expiresAt: at('expires_at'),
    paidAt: at('paid_at'),
    depositDeadline: at('deposit_deadline'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('orders_code').on(t.customerId, t.code),
    index('orders_code_end').on(t.customerId, sql`right(${t.code}, 6)`),
    index('orders_latest').on(t.customerId, t.createdAt.desc()),
    index('orders_status').on(t.customerId, t.status, t.createdAt.desc()),
    index('orders_member').on(t.customerId, t.memberId, t.createdAt.desc()),
    index('orders_paid').on(t.customerId, t.paidAt).where(sql`paid_at is not null`),
    index('orders_way').on(t.customerId, sql.raw(`(${orderWay})`), t.createdAt.desc(), t.id.desc()),
    index('orders_total').on(t.customerId, t.totalAmount.desc(), t.id.desc()),
    index('orders_drafts').on(t.customerId, t.expiresAt).where(sql`status is null`),
    index('orders_deposits').on(t.customerId, t.depositDeadline).where(sql`status = 'DEPOSIT_WAITING'`),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check(
      'orders_status',
      sql`${t.status} in ('PAYMENT_COMPLETE', 'PAYMENT_FAIL', 'DEPOSIT_WAITING', 'CANCEL_REQUEST', 'CANCEL_COMPLETE')`,
    ),
    check('orders_method', sql`${t.method} in ('CARD', 'BANK')`),
    check('orders_refund_step', sql`${t.refundStep} in ('PENDING', 'ACCEPT', 'REFUND')`),
    check('orders_amounts', sql`${t.totalAmount} >= 0 and ${t.refundedAmount} between 0 and ${t.totalAmount}`),
  ],
)

/** The purchased items with their texts and prices at that time. */
export const orderItems = pgTable(
  'order_items',
  {
    customerId: customerId(),
    id: id<OrderItemId>(),
    orderId: uuid('order_id').$type<OrderId>().notNull(),
    productId: uuid('product_id').$type<ProductId>().notNull(),
    optionId: uuid('option_id').$type<OptionId>().notNull(),
    productTitle: text('product_title').notNull(),
    optionName: text('option_name').notNull(),
    /**
     * The languages of these two texts. Null for orders placed before stores had several languages.
     */
    titleLanguage: text('title_language').$type<Locale>(),
    optionLanguage: text('option_language').$type<Locale>(),
    optionType: text('option_type').$type<OptionType>().notNull(),
    days: integer('days'),
    startWithinDays: integer('start_within_days'),
    priceAmount: amount('price_amount').notNull(),
    currency: currency(),
    openedAt: at('opened_at'),
    refundedAt: at('refunded_at'),
    /** What was refunded of the price while the member kept the item. */
    refundedAmount: amount('refunded_amount').notNull().default(0),
    sort: integer('sort').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('order_items_order').on(t.customerId, t.orderId, t.sort),
    index('order_items_product').on(t.customerId, t.productId, t.orderId),
    foreignKey({ columns: [t.customerId, t.orderId], foreignColumns: [orders.customerId, orders.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/** The payment timeline. Append-only. */
export const orderEvents = pgTable(
  'order_events',
  {
    customerId: customerId(),
    id: id(),
    orderId: uuid('order_id').$type<OrderId>().notNull(),
    type: text('type').$type<Order['timeline'][number]['type']>().notNull(),
    amount: amount('amount'),
    detail: text('detail'),
    at: at('at').notNull().default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('order_events_order').on(t.customerId, t.orderId, t.at),
    foreignKey({ columns: [t.customerId, t.orderId], foreignColumns: [orders.customerId, orders.id] }),
  ],
)
