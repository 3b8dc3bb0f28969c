import { and, asc, desc, eq, isNull, lte, ne, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CaseId, CustomerId, MemberId, OrderId, PaymentId } from '#contract/ids.ts'
import { cancelRequests, cases, payments } from './billing.schema.ts'
import { manualProvider } from './payments.queries.ts'

export type CancelRequestRow = typeof cancelRequests.$inferSelect

/** Inserts a refund request and returns its row. */
export const insertCancelRequest = async (db: TenantDb, request: typeof cancelRequests.$inferInsert) => {
  const [row] = await db.insert(cancelRequests).values(request).returning()
  if (!row) throw new Error('The cancel request could not be inserted.')
  return row
}

/** Returns the latest request of an order, open or complete, or null. */
export const latestRequest = async (
  db: TenantDb,
  customerId: CustomerId,
  orderId: OrderId,
): Promise<CancelRequestRow | null> => {
  const [row] = await db
    .select()
    .from(cancelRequests)
    .where(and(eq(cancelRequests.customerId, customerId), eq(cancelRequests.orderId, orderId)))
    .orderBy(desc(cancelRequests.createdAt), desc(cancelRequests.id))
    .limit(1)
  return row ?? null
}

/** Returns the open request of an order. There is at most one. */
export const openRequest = async (
  db: TenantDb,
  customerId: CustomerId,
  orderId: OrderId,
): Promise<CancelRequestRow | null> => {
  const [row] = await db
    .select()
    .from(cancelRequests)
    .where(
      and(
        eq(cancelRequests.customerId, customerId),
        eq(cancelRequests.orderId, orderId),
        isNull(cancelRequests.outcome),
      ),
    )
  return row ?? null
}

/** Overwrites the given columns of a refund request. Requires the order's lock. */
export const updateRequest = async (
  db: TenantDb,
  request: Pick<CancelRequestRow, 'customerId' | 'id'>,
  change: Partial<Omit<CancelRequestRow, 'customerId' | 'id' | 'orderId' | 'memberId'>>,
) => {
  await db
    .update(cancelRequests)
    .set(change)
    .where(and(eq(cancelRequests.customerId, request.customerId), eq(cancelRequests.id, request.id)))
}

/**
 * Payments whose accepted requests a provider is due to refund, the longest overdue first.
 */
export const dueRequests = async (db: TenantDb, customerId: CustomerId, now: Date, limit: number) => {
  const rows = await db
    .select({ paymentId: payments.id })
    .from(cancelRequests)
    .innerJoin(
      payments,
      and(
        eq(payments.customerId, cancelRequests.customerId),
        eq(payments.orderId, cancelRequests.orderId),
        eq(payments.status, 'PAID'),
        ne(payments.provider, manualProvider),
      ),
    )
    .where(
      and(
        eq(cancelRequests.customerId, customerId),
        isNull(cancelRequests.outcome),
        eq(cancelRequests.step, 'ACCEPT'),
        lte(cancelRequests.nextAttemptAt, now.toISOString()),
      ),
    )
    .orderBy(asc(cancelRequests.nextAttemptAt))
    .limit(limit)
  return rows.map((row) => row.paymentId)
}

export interface OrderCase {
  memberId: MemberId | null
  orderId: OrderId
  subject: string
  data: Record<string, unknown>
}

/** Opens a case about an order; returns its id. */
export const openOrderCase = async (db: TenantDb, customerId: CustomerId, about: OrderCase, now: Date) => {
  const id = newId<CaseId>()
  await db
    .insert(cases)
    .values({ customerId, id, type: 'ORDER_CANCEL', ...about, status: 'WAIT', createdAt: now.toISOString() })
  return id
}

/**
 * Closes the reversal cases of an order that is paid again. Those of unapplied deposits stay open:
 * the new payment does not replace that money.
 */
export const closeReversals = async (db: TenantDb, customerId: CustomerId, orderId: OrderId, now: Date) => {
  await db
    .update(cases)
    .set({ status: 'COMPLETE', completedAt: now.toISOString() })
    .where(
      and(
        eq(cases.customerId, customerId),
        eq(cases.orderId, orderId),
        eq(cases.status, 'WAIT'),
        sql`${cases.data} ->> 'kind' = 'DEPOSIT_REVERSED'`,
        sql`${cases.data} ->> 'depositId' IS NULL`,
      ),
    )
}

/** Updates the status of a case. */
export const moveCase = async (
  db: TenantDb,
  customerId: CustomerId,
  id: CaseId,
  status: 'WAIT' | 'COMPLETE',
  now: Date,
) => {
  await db
    .update(cases)
    .set({ status, completedAt: status === 'COMPLETE' ? now.toISOString() : null })
    .where(and(eq(cases.customerId, customerId), eq(cases.id, id)))
}

/** Data of a case about a charge whose refund the provider refuses. */
export interface RefusedRefund {
  kind: 'CHARGE_REFUND_REFUSED'
  chargeId: PaymentId
  amount: number
  /** What was to be refunded of the charge in all. */
  total: number
  currency: string
  reason: string
  /** How often the provider refused, and the time of the next retry (ISO 8601). */
  attempts: number
  nextAttemptAt: string
}

const about = (customerId: CustomerId, chargeId: PaymentId) =>
  and(
    eq(cases.customerId, customerId),
    eq(cases.type, 'CUSTOM'),
    sql`${cases.data} ->> 'kind' = 'CHARGE_REFUND_REFUSED'`,
    sql`${cases.data} ->> 'chargeId' = ${chargeId}`,
  )

/** How often the refund of a charge was refused. */
export const refusalsOf = async (db: TenantDb, customerId: CustomerId, chargeId: PaymentId): Promise<number> => {
  const [row] = await db.select({ data: cases.data }).from(cases).where(about(customerId, chargeId))
  return row ? Number(row.data.attempts) : 0
}

/** Opens a case for a refused refund, one per charge; later refusals update it. */
export const saveRefusedRefund = async (
  db: TenantDb,
  customerId: CustomerId,
  { memberId, subject, data }: { memberId: MemberId; subject: string; data: RefusedRefund },
  now: Date,
) => {
  const recorded = await db
    .update(cases)
    .set({ data: { ...data }, status: 'WAIT', completedAt: null })
    .where(about(customerId, data.chargeId))
    .returning({ id: cases.id })
  if (recorded.length > 0) return
  await db.insert(cases).values({
    customerId,
    id: newId(),
    type: 'CUSTOM',
    memberId,
    subject,
    data: { ...data },
    createdAt: now.toISOString(),
  })
}

/** Closes the case after the refund succeeded. */
export const completeRefusedRefund = async (db: TenantDb, customerId: CustomerId, chargeId: PaymentId, now: Date) => {
  await db
    .update(cases)
    .set({ status: 'COMPLETE', completedAt: now.toISOString() })
    .where(and(about(customerId, chargeId), eq(cases.status, 'WAIT')))
}
