import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Locale } from '#contract/enumerations.ts'
import type { BankAccount } from '#contract/orders.ts'
import { members } from './accounts.ts'
import { productOptions, products } from './catalog.ts'
import { amount, at, createdAt, currency, customerId, id } from './columns.ts'

/** One cart per member or guest. `version` moves with every write. */
export const carts = pgTable(
  'carts',
  {
    customerId: customerId(),
    id: id(),
    memberId: uuid('member_id'),
    guestId: text('guest_id'),
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
    id: id(),
    cartId: uuid('cart_id').notNull(),
    productId: uuid('product_id').notNull(),
    optionId: uuid('option_id').notNull(),
    quantity: integer('quantity').notNull().default(1),
    /** The price when it was put in: a change is shown before payment. */
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

/** `status` is null while the order is a draft. */
export const orders = pgTable(
  'orders',
  {
    customerId: customerId(),
    id: id(),
    code: text('code').notNull(),
    memberId: uuid('member_id').notNull(),
    status: text('status'),
    method: text('method'),
    totalAmount: amount('total_amount').notNull(),
    refundedAmount: amount('refunded_amount').notNull().default(0),
    currency: currency(),
    refundPolicyVersion: text('refund_policy_version').notNull(),
    refundStep: text('refund_step'),
    refundReason: text('refund_reason'),
    cartId: uuid('cart_id'),
    createdAt: createdAt(),
    expiresAt: at('expires_at'),
    paidAt: at('paid_at'),
    depositDeadline: at('deposit_deadline'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('orders_code').on(t.customerId, t.code),
    index('orders_latest').on(t.customerId, t.createdAt.desc()),
    index('orders_member').on(t.customerId, t.memberId, t.createdAt.desc()),
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

/** What was bought, with the words and the price of that moment. */
export const orderItems = pgTable(
  'order_items',
  {
    customerId: customerId(),
    id: id(),
    orderId: uuid('order_id').notNull(),
    productId: uuid('product_id').notNull(),
    optionId: uuid('option_id').notNull(),
    productTitle: text('product_title').notNull(),
    optionName: text('option_name').notNull(),
    /** The languages these two texts are in; null for orders placed before a store had several. */
    titleLanguage: text('title_language').$type<Locale>(),
    optionLanguage: text('option_language').$type<Locale>(),
    optionType: text('option_type').notNull(),
    days: integer('days'),
    startWithinDays: integer('start_within_days'),
    priceAmount: amount('price_amount').notNull(),
    currency: currency(),
    openedAt: at('opened_at'),
    refundedAt: at('refunded_at'),
    sort: integer('sort').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('order_items_order').on(t.customerId, t.orderId, t.sort),
    foreignKey({ columns: [t.customerId, t.orderId], foreignColumns: [orders.customerId, orders.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
  ],
)

/** The money timeline: appended, never changed. */
export const orderEvents = pgTable(
  'order_events',
  {
    customerId: customerId(),
    id: id(),
    orderId: uuid('order_id').notNull(),
    type: text('type').notNull(),
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

export const payments = pgTable(
  'payments',
  {
    customerId: customerId(),
    id: id(),
    orderId: uuid('order_id').notNull(),
    provider: text('provider').notNull(),
    providerRef: text('provider_ref'),
    method: text('method').notNull(),
    status: text('status').notNull().default('READY'),
    amount: amount('amount').notNull(),
    currency: currency(),
    failure: text('failure'),
    cardIssuer: text('card_issuer'),
    cardLastFour: text('card_last_four'),
    /** BANK: where the money goes, and until when. */
    account: jsonb('account').$type<BankAccount>(),
    dueAt: at('due_at'),
    refundedAmount: amount('refunded_amount').notNull().default(0),
    createdAt: createdAt(),
    settledAt: at('settled_at'),
    /** The provider is not asked again before. */
    askAt: at('ask_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('payments_order').on(t.customerId, t.orderId, t.createdAt),
    uniqueIndex('payments_provider_ref').on(t.customerId, t.provider, t.providerRef),
    /** However many confirmations race, one payment of an order is paid. */
    uniqueIndex('payments_paid_once').on(t.customerId, t.orderId).where(sql`status = 'PAID'`),
    index('payments_open').on(t.customerId, t.status, t.createdAt).where(sql`status in ('READY', 'PROCESSING')`),
    foreignKey({ columns: [t.customerId, t.orderId], foreignColumns: [orders.customerId, orders.id] }),
    check('payments_status', sql`${t.status} in ('READY', 'PROCESSING', 'PAID', 'FAILED', 'CANCELLED')`),
  ],
)

/** Each event of a provider is stored once, by its own id. */
export const providerEvents = pgTable(
  'provider_events',
  {
    customerId: customerId(),
    provider: text('provider').notNull(),
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    payload: jsonb('payload').notNull(),
    outcome: text('outcome'),
    receivedAt: at('received_at').notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.provider, t.eventId] })],
)

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    customerId: customerId(),
    memberId: uuid('member_id').notNull(),
    key: text('key').notNull(),
    call: text('call').notNull(),
    bodyHash: text('body_hash').notNull(),
    status: integer('status'),
    answer: jsonb('answer'),
    lockedUntil: at('locked_until').notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.memberId, t.key] })],
)

/** A member's right to one product, its source and its end. */
export const entitlements = pgTable(
  'entitlements',
  {
    customerId: customerId(),
    id: id(),
    memberId: uuid('member_id').notNull(),
    productId: uuid('product_id').notNull(),
    source: text('source').notNull(),
    orderItemId: uuid('order_item_id'),
    /** A rental: its days count from the first play, which must happen by `startBy`. */
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
    index('entitlements_latest').on(t.customerId, t.memberId, t.createdAt.desc()),
    uniqueIndex('entitlements_once').on(t.customerId, t.orderItemId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({ columns: [t.customerId, t.productId], foreignColumns: [products.customerId, products.id] }),
    check('entitlements_source', sql`${t.source} in ('OWN', 'RENT', 'PLAN', 'GRANT')`),
  ],
)
