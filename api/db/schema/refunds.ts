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
import { members } from './accounts.ts'
import { amount, at, createdAt, currency, customerId, id } from './columns.ts'
import { orders } from './commerce.ts'

/**
 * A refund of an order or of some of its items, asked for by the member or begun by the store: the case beside the order. PENDING waits
 * for a decision, ACCEPT for the money, REFUND is done. `outcome` null: it is under way.
 */
export const cancelRequests = pgTable(
  'cancel_requests',
  {
    customerId: customerId(),
    id: id(),
    orderId: uuid('order_id').notNull(),
    memberId: uuid('member_id').notNull(),
    /** Of the desk's case, where a person decides. */
    caseId: uuid('case_id'),
    step: text('step').notNull().default('PENDING'),
    outcome: text('outcome'),
    automatic: boolean('automatic').notNull().default(false),
    /** The store began it, for a reason of its own that the member does not see. */
    byStore: boolean('by_store').notNull().default(false),
    itemIds: uuid('item_ids').array().notNull(),
    amount: amount('amount').notNull(),
    currency: currency(),
    reason: text('reason').notNull(),
    rejection: text('rejection'),
    /** BANK: where the money goes back to, encrypted; erased once it has gone. */
    refundAccount: text('refund_account'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: at('next_attempt_at'),
    failure: text('failure'),
    createdAt: createdAt(),
    decidedAt: at('decided_at'),
    refundedAt: at('refunded_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('cancel_requests_one_open').on(t.customerId, t.orderId).where(sql`outcome is null`),
    index('cancel_requests_order').on(t.customerId, t.orderId, t.createdAt.desc()),
    index('cancel_requests_due').on(t.customerId, t.nextAttemptAt).where(sql`outcome is null and step = 'ACCEPT'`),
    foreignKey({ columns: [t.customerId, t.orderId], foreignColumns: [orders.customerId, orders.id] }),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check('cancel_requests_step', sql`${t.step} in ('PENDING', 'ACCEPT', 'REFUND')`),
    check('cancel_requests_outcome', sql`${t.outcome} in ('REFUNDED', 'REJECTED', 'TAKEN_BACK')`),
    check('cancel_requests_amount', sql`${t.amount} >= 0`),
  ],
)
