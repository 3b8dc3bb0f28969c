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
import { amount, at, createdAt, currency, customerId, id } from '#api/platform/db/columns.ts'
import type { PaymentMethod } from '#contract/enumerations.ts'
import type { CardId, PaymentId } from '#contract/ids.ts'
import type { Payment } from '#contract/orders.ts'
import type { CardBehaviour, SandboxCardId, SandboxDepositId, SandboxPaymentId, StoredBehaviour } from './cards.ts'

/** The sandbox provider's own ledger: what a real provider would store on its side. */
export const sandboxPayments = pgTable(
  'sandbox_payments',
  {
    customerId: customerId(),
    id: id<SandboxPaymentId>(),
    reference: text('reference').$type<PaymentId>().notNull(),
    amount: amount('amount').notNull(),
    currency: currency(),
    orderName: text('order_name').notNull(),
    returnUrl: text('return_url').notNull(),
    method: text('method').$type<PaymentMethod>().notNull().default('CARD'),
    status: text('status').$type<Payment['status']>().notNull().default('READY'),
    /** BANK: the account made for this payment. */
    accountBank: text('account_bank'),
    accountNumber: text('account_number'),
    accountHolder: text('account_holder'),
    dueAt: at('due_at'),
    /** A charge of a stored card. */
    cardToken: text('card_token'),
    /** How the card behaves; a refund that was refused once is accepted the next time. */
    scenario: text('scenario').$type<CardBehaviour | StoredBehaviour | 'REFUND_REFUSED_ONCE'>(),
    failure: text('failure'),
    cardIssuer: text('card_issuer'),
    cardLastFour: text('card_last_four'),
    refundedAmount: amount('refunded_amount').notNull().default(0),
    chargedAt: at('charged_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('sandbox_payments_reference').on(t.customerId, t.reference),
    uniqueIndex('sandbox_payments_account').on(t.customerId, t.accountNumber),
  ],
)

/**
 * Deposits into an account. One of the exact amount that came in time pays the order; every other
 * is unapplied.
 */
export const sandboxDeposits = pgTable(
  'sandbox_deposits',
  {
    customerId: customerId(),
    id: id<SandboxDepositId>(),
    paymentId: uuid('payment_id').$type<SandboxPaymentId>().notNull(),
    amount: amount('amount').notNull(),
    paysOrder: boolean('pays_order').notNull(),
    at: at('at').notNull(),
    reversedAt: at('reversed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('sandbox_deposits_payment').on(t.customerId, t.paymentId, t.at),
    foreignKey({
      columns: [t.customerId, t.paymentId],
      foreignColumns: [sandboxPayments.customerId, sandboxPayments.id],
    }),
  ],
)

/** Webhooks the sandbox still has to deliver; a restart loses none. */
export const sandboxDeliveries = pgTable(
  'sandbox_deliveries',
  {
    customerId: customerId(),
    id: id(),
    /** `evt_` and letters, as other providers name theirs. */
    eventId: text('event_id').notNull(),
    payload: jsonb('payload').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: at('due_at').notNull(),
    deliveredAt: at('delivered_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('sandbox_deliveries_due').on(t.customerId, t.dueAt).where(sql`delivered_at is null`),
  ],
)

/**
 * Cards stored at the sandbox. A card is charged by its `token`; the number itself is never stored.
 */
export const sandboxCards = pgTable(
  'sandbox_cards',
  {
    customerId: customerId(),
    id: id<SandboxCardId>(),
    reference: text('reference').$type<CardId>().notNull(),
    returnUrl: text('return_url').notNull(),
    status: text('status').$type<'READY' | 'REGISTERED' | 'FAILED' | 'REMOVED'>().notNull().default('READY'),
    token: text('token'),
    scenario: text('scenario').$type<StoredBehaviour>(),
    failure: text('failure'),
    issuer: text('issuer'),
    lastFour: text('last_four'),
    expiryMonth: integer('expiry_month'),
    expiryYear: integer('expiry_year'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('sandbox_cards_reference').on(t.customerId, t.reference),
    uniqueIndex('sandbox_cards_token').on(t.customerId, t.token),
    check('sandbox_cards_status', sql`${t.status} in ('READY', 'REGISTERED', 'FAILED', 'REMOVED')`),
  ],
)
