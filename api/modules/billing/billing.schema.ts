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
import { members } from '#api/modules/identity/identity.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { amount, at, createdAt, currency, customerId, id } from '#api/platform/db/columns.ts'
import type { CaseStatus, PaymentMethod, RefundStep } from '#contract/enumerations.ts'
import type { CancelRequestId, CaseId, MemberId, OrderId, OrderItemId, PaymentId } from '#contract/ids.ts'
import type { BankAccount, Order, Payment } from '#contract/orders.ts'

export type PaymentStatus = Payment['status']
export type CaseType = 'INQUIRY' | 'WITHDRAWAL' | 'ORDER_CANCEL' | 'CUSTOM'

/**
 * A refund of an order or of some of its items, requested by the member or started by the store.
 * PENDING waits for a decision, ACCEPT waits for the money, REFUND is complete. `outcome` is null
 * while the request is open.
 */
export const cancelRequests = pgTable(
  'cancel_requests',
  {
    customerId: customerId(),
    id: id<CancelRequestId>(),
    orderId: uuid('order_id').$type<OrderId>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    /** The case in which an operator decides. */
    caseId: uuid('case_id').$type<CaseId>(),
    step: text('step').$type<RefundStep>().notNull().default('PENDING'),
    outcome: text('outcome').$type<NonNullable<Order['refund']>['outcome']>(),
    automatic: boolean('automatic').notNull().default(false),
    /** True if the store started the refund. The member does not see the store's reason. */
    byStore: boolean('by_store').notNull().default(false),
    /** True if the member keeps the item, of whose price a part is refunded. */
    keepsItems: boolean('keeps_items').notNull().default(false),
    itemIds: uuid('item_ids').array().$type<OrderItemId[]>().notNull(),
    amount: amount('amount').notNull(),
    currency: currency(),
    reason: text('reason').notNull(),
    rejection: text('rejection'),
    /** BANK: the account that receives the refund, encrypted. Erased after the refund. */
    refundAccount: text('refund_account'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: at('next_attempt_at'),
    failure: text('failure'),
    /**
     * The cumulative total of the payment's last refund call that included this request. The
     * provider has refunded the request if it has refunded this total.
     */
    refundTotal: amount('refund_total'),
    createdAt: createdAt(),
    decidedAt: at('decided_at'),
    refundedAt: at('refunded_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('cancel_requests_one_open').on(t.customerId, t.orderId).where(sql`outcome is null`),
    index('cancel_requests_order').on(t.customerId, t.orderId, t.createdAt.desc()),
    index('cancel_requests_refunded').on(t.customerId, t.refundedAt).where(sql`outcome = 'REFUNDED'`),
    index('cancel_requests_due').on(t.customerId, t.nextAttemptAt).where(sql`outcome is null and step = 'ACCEPT'`),
    foreignKey({ columns: [t.customerId, t.orderId], foreignColumns: [orders.customerId, orders.id] }),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check('cancel_requests_step', sql`${t.step} in ('PENDING', 'ACCEPT', 'REFUND')`),
    check('cancel_requests_outcome', sql`${t.outcome} in ('REFUNDED', 'REJECTED', 'WITHDRAWN')`),
    check('cancel_requests_amount', sql`${t.amount} >= 0`),
  ],
)

export const payments = pgTable(
  'payments',
  {
    customerId: customerId(),
    id: id<PaymentId>(),
    orderId: uuid('order_id').$type<OrderId>().notNull(),
    provider: text('provider').notNull(),
    providerRef: text('provider_ref'),
    method: text('method').$type<PaymentMethod>().notNull(),
    status: text('status').$type<PaymentStatus>().notNull().default('READY'),
    amount: amount('amount').notNull(),
    currency: currency(),
    failure: text('failure'),
    cardIssuer: text('card_issuer'),
    cardLastFour: text('card_last_four'),
    /** BANK: the account to pay into and its deadline. */
    account: jsonb('account').$type<BankAccount>(),
    dueAt: at('due_at'),
    refundedAmount: amount('refunded_amount').notNull().default(0),
    createdAt: createdAt(),
    settledAt: at('settled_at'),
    /** The provider is not queried again before this time. */
    nextCheckAt: at('next_check_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('payments_order').on(t.customerId, t.orderId, t.createdAt),
    uniqueIndex('payments_provider_ref').on(t.customerId, t.provider, t.providerRef),
    /** Confirmations may race: the index allows one paid payment per order. */
    uniqueIndex('payments_paid_once').on(t.customerId, t.orderId).where(sql`status = 'PAID'`),
    /** Transfers that may still be reversed. */
    index('payments_transfers').on(t.settledAt, t.customerId).where(sql`method = 'BANK' and settled_at is not null`),
    index('payments_received')
      .on(t.customerId, t.settledAt.desc(), t.id.desc())
      .where(sql`method = 'BANK' and status = 'PAID'`),
    index('payments_open').on(t.customerId, t.status, t.createdAt).where(sql`status in ('READY', 'PROCESSING')`),
    foreignKey({ columns: [t.customerId, t.orderId], foreignColumns: [orders.customerId, orders.id] }),
    check('payments_status', sql`${t.status} in ('READY', 'PROCESSING', 'PAID', 'FAILED', 'CANCELLED')`),
  ],
)

/** What an event led to: how a payment was settled, or the charge of a subscription. */
export type EventOutcome =
  | 'COMPLETED'
  | 'FAILED'
  | 'OPEN'
  | 'SETTLED_BEFORE'
  | 'UNAPPLIED'
  | 'REVERSED'
  | 'PAID'
  | 'UNKNOWN_CHARGE'

/** Each provider event is stored once, under the provider's own id. */
export const providerEvents = pgTable(
  'provider_events',
  {
    customerId: customerId(),
    provider: text('provider').notNull(),
    eventId: text('event_id').notNull(),
    /** In the provider's own words. */
    type: text('type').notNull(),
    payload: jsonb('payload').notNull(),
    /** Null until the event is handled. */
    outcome: text('outcome').$type<EventOutcome>(),
    receivedAt: at('received_at').notNull().default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.provider, t.eventId] })],
)

/** Tasks for operators. */
export const cases = pgTable(
  'cases',
  {
    customerId: customerId(),
    id: id<CaseId>(),
    type: text('type').$type<CaseType>().notNull(),
    status: text('status').$type<CaseStatus>().notNull().default('WAIT'),
    memberId: uuid('member_id').$type<MemberId>(),
    orderId: uuid('order_id').$type<OrderId>(),
    subject: text('subject').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
    completedAt: at('completed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('cases_open').on(t.customerId, t.status, t.createdAt),
    index('cases_of_payments').on(t.customerId).where(sql`status = 'WAIT' and data ?| '{paymentId,chargeId}'`),
    index('cases_order').on(t.customerId, t.orderId),
    check('cases_type', sql`${t.type} in ('INQUIRY', 'WITHDRAWAL', 'ORDER_CANCEL', 'CUSTOM')`),
    check('cases_status', sql`${t.status} in ('WAIT', 'COMPLETE')`),
  ],
)
