import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { orders } from '#api/modules/orders/orders.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CaseId, CustomerId, MemberId, OrderId, PaymentId } from '#contract/ids.ts'
import { cases } from './billing.schema.ts'
import { manualProvider } from './payments.queries.ts'

/** Data of a refund case: money that arrived and that the order cannot accept. */
export interface UnappliedPayment {
  kind: 'UNAPPLIED_PAYMENT'
  /**
   * LATE: no order waits for it. AMOUNT_MISMATCH: the amount differs from the price. SURPLUS: the
   * order was already paid.
   */
  reason: 'LATE' | 'AMOUNT_MISMATCH' | 'SURPLUS'
  orderId: OrderId
  paymentId: PaymentId
  /** The provider's id of the deposit. Null for a whole payment. */
  depositId: string | null
  amount: number
  currency: string
  /** True for a bank payment if the member has not given an account or the bank refused it. */
  needsAccount: boolean
  /** The account that receives the refund, encrypted. Erased after the refund. */
  account?: string | null
  /** How often the refund failed, and the time of the next retry (ISO 8601). */
  attempts?: number
  nextAttemptAt?: string
  /** How the case ended: refunded, reversed by the bank, or applied to an order by staff. */
  outcome?: 'RETURNED' | 'REVERSED' | 'APPLIED'
  /** True if the bank reversed the deposit after its money had been refunded or applied. */
  reversed?: boolean
}

export interface UnappliedCase {
  id: CaseId
  open: boolean
  createdAt: string
  data: UnappliedPayment
}

const unapplied = (customerId: CustomerId) =>
  and(
    eq(cases.customerId, customerId),
    eq(cases.type, 'ORDER_CANCEL'),
    sql`${cases.data} ->> 'kind' = 'UNAPPLIED_PAYMENT'`,
  )

/** Safe because `unapplied` restricts queries to cases of this kind. */
const unappliedData = sql<UnappliedPayment>`${cases.data}`

/** All cases of unapplied payments of an order, oldest first. */
export const unappliedCasesOf = async (
  db: TenantDb,
  customerId: CustomerId,
  orderId: OrderId,
): Promise<UnappliedCase[]> => {
  const rows = await db
    .select({ id: cases.id, status: cases.status, createdAt: cases.createdAt, data: unappliedData })
    .from(cases)
    .where(and(unapplied(customerId), eq(cases.orderId, orderId)))
    .orderBy(asc(cases.createdAt), asc(cases.id))
  return rows.map(({ id, status, createdAt, data }) => ({ id, open: status === 'WAIT', createdAt, data }))
}

/** Returns one case with its order; null without one. */
export const findUnappliedCase = async (db: TenantDb, customerId: CustomerId, id: CaseId) => {
  const [row] = await db
    .select({ status: cases.status, data: unappliedData })
    .from(cases)
    .where(and(unapplied(customerId), eq(cases.id, id)))
  return row ?? null
}

/** Opens a case for a payment that no order needs. */
export const openUnappliedCase = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  subject: string,
  data: UnappliedPayment,
  now: Date,
) => {
  await db.insert(cases).values({
    customerId,
    id: newId(),
    type: 'ORDER_CANCEL',
    memberId,
    orderId: data.orderId,
    subject,
    data: { ...data },
    createdAt: now.toISOString(),
  })
}

/**
 * Payments with unapplied money due for refund by their provider, the longest overdue first. Money
 * without an account is never due.
 */
export const dueUnappliedPayments = async (db: TenantDb, customerId: CustomerId, now: Date, limit: number) => {
  const dueAt = sql`coalesce((${cases.data} ->> 'nextAttemptAt')::timestamptz, ${cases.createdAt})`
  const rows = await db
    .select({ data: unappliedData })
    .from(cases)
    .where(
      and(
        unapplied(customerId),
        eq(cases.status, 'WAIT'),
        sql`coalesce((${cases.data} ->> 'needsAccount')::boolean, false) = false`,
        sql`${dueAt} <= ${now.toISOString()}::timestamptz`,
        sql`NOT EXISTS (SELECT FROM payments p WHERE p.customer_id = ${customerId}
              AND p.id = (${cases.data} ->> 'paymentId')::uuid AND p.provider = ${manualProvider})`,
      ),
    )
    .orderBy(dueAt, asc(cases.id))
    .limit(limit)
  return rows.map((row) => row.data.paymentId)
}

/** Updates the data of such a case. */
export const updateUnappliedCase = async (
  db: TenantDb,
  customerId: CustomerId,
  id: CaseId,
  change: Partial<Pick<UnappliedPayment, 'attempts' | 'nextAttemptAt' | 'needsAccount' | 'account'>>,
) => {
  await db
    .update(cases)
    .set({ data: sql`${cases.data} || ${JSON.stringify(change)}::jsonb` })
    .where(and(unapplied(customerId), eq(cases.id, id), eq(cases.status, 'WAIT')))
}

/** Records that the bank reversed the deposit of a closed case. */
export const markReversed = async (db: TenantDb, customerId: CustomerId, id: CaseId) => {
  await db
    .update(cases)
    .set({ data: sql`${cases.data} || '{"reversed":true}'::jsonb` })
    .where(and(unapplied(customerId), eq(cases.id, id)))
}

/** Closes a case and erases its account. Returns false if it was already closed. */
export const closeUnappliedCase = async (
  db: TenantDb,
  customerId: CustomerId,
  id: CaseId,
  outcome: NonNullable<UnappliedPayment['outcome']>,
  now: Date,
) => {
  const change = JSON.stringify({ outcome, account: null, needsAccount: false })
  const closed = await db
    .update(cases)
    .set({ status: 'COMPLETE', completedAt: now.toISOString(), data: sql`${cases.data} || ${change}::jsonb` })
    .where(and(unapplied(customerId), eq(cases.id, id), eq(cases.status, 'WAIT')))
    .returning({ id: cases.id })
  return closed.length > 0
}

/**
 * Excludes orders that expired long ago and whose payment is scheduled for a later query. Their
 * provider is unavailable, and they must not delay the others.
 */
const notPostponed = (end: typeof orders.expiresAt | typeof orders.depositDeadline, now: Date) =>
  sql`(${end} > ${new Date(now.getTime() - 3_600_000).toISOString()}::timestamptz OR NOT EXISTS (SELECT FROM payments p WHERE p.customer_id = ${orders.customerId} AND p.order_id = ${orders.id}
        AND p.status IN ('READY', 'PROCESSING') AND p.next_check_at > ${now.toISOString()}::timestamptz))`

interface EndedOrdersQuery {
  /** The column of the time at which an order ends. */
  end: typeof orders.expiresAt | typeof orders.depositDeadline
  condition: SQL
  now: Date
  limit: number
}

/** Returns orders whose `end` has passed and that meet a condition, the earliest first. */
const endedOrders = (db: TenantDb, customerId: CustomerId, { end, condition, now, limit }: EndedOrdersQuery) =>
  db
    .select()
    .from(orders)
    .where(and(eq(orders.customerId, customerId), condition, lte(end, now.toISOString()), notPostponed(end, now)))
    .orderBy(asc(end))
    .limit(limit)

/** Returns drafts that have expired, the earliest first. */
export const expiredDrafts = (db: TenantDb, customerId: CustomerId, now: Date, limit: number) =>
  endedOrders(db, customerId, { end: orders.expiresAt, condition: isNull(orders.status), now, limit })

/** Returns orders whose deposit deadline has passed, the earliest first. */
export const expiredDeposits = (db: TenantDb, customerId: CustomerId, now: Date, limit: number) =>
  endedOrders(db, customerId, {
    end: orders.depositDeadline,
    condition: eq(orders.status, 'DEPOSIT_WAITING'),
    now,
    limit,
  })

/**
 * Returns orders whose deposit deadline lies between two times, the earliest first. Excludes orders
 * that already had a reminder and very recent ones.
 */
export const depositsDueBetween = (
  db: TenantDb,
  customerId: CustomerId,
  { from, until, minHoursOld, limit }: { from: Date; until: Date; minHoursOld: number; limit: number },
) =>
  db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.customerId, customerId),
        eq(orders.status, 'DEPOSIT_WAITING'),
        gt(orders.depositDeadline, from.toISOString()),
        lte(orders.depositDeadline, until.toISOString()),
        lte(orders.createdAt, new Date(from.getTime() - minHoursOld * 3_600_000).toISOString()),
        sql`NOT EXISTS (SELECT FROM mails WHERE mails.customer_id = ${customerId}
              AND mails.once = 'deposit-reminder:' || ${orders.id} || ':' || floor(extract(epoch FROM ${orders.depositDeadline}))::bigint)`,
      ),
    )
    .orderBy(asc(orders.depositDeadline))
    .limit(limit)
