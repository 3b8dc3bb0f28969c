import { and, asc, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { cases } from '#api/db/schema/accounts.ts'
import { orders, payments, providerEvents } from '#api/db/schema/commerce.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId, MemberId, PaymentId } from '#contract/ids.ts'

export type PaymentRow = typeof payments.$inferSelect

const open = ['READY', 'PROCESSING'] as const

export const insertPayment = async (db: TenantDb, payment: typeof payments.$inferInsert): Promise<PaymentRow> => {
  const [row] = await db.insert(payments).values(payment).returning()
  if (!row) throw new Error('A payment was not written.')
  return row
}

export const findPayment = async (db: TenantDb, customerId: CustomerId, id: PaymentId): Promise<PaymentRow | null> => {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.id, id)))
  return row ?? null
}

/** A payment of a member's own order. */
export const findPaymentOf = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, id: PaymentId) => {
  const [row] = await db
    .select({ payment: payments, order: orders })
    .from(payments)
    .innerJoin(orders, and(eq(orders.customerId, payments.customerId), eq(orders.id, payments.orderId)))
    .where(and(eq(payments.customerId, customerId), eq(payments.id, id), eq(orders.memberId, memberId)))
  return row ?? null
}

export const updatePayment = async (
  db: TenantDb,
  payment: Pick<PaymentRow, 'customerId' | 'id'>,
  change: Partial<Pick<PaymentRow, 'status' | 'failure' | 'cardIssuer' | 'cardLastFour' | 'providerRef' | 'settledAt'>>,
): Promise<PaymentRow> => {
  const [row] = await db
    .update(payments)
    .set(change)
    .where(and(eq(payments.customerId, payment.customerId), eq(payments.id, payment.id)))
    .returning()
  if (!row) throw new Error('A payment is gone.')
  return row
}

/** The payments of some orders that may still be paid. */
export const openPayments = (db: TenantDb, customerId: CustomerId, orderIds: readonly string[]) =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(payments)
        .where(
          and(
            eq(payments.customerId, customerId),
            inArray(payments.orderId, [...orderIds]),
            inArray(payments.status, [...open]),
          ),
        )

/** Keeps a member's other beginnings to pay waiting until the transaction ends. Take it before any order's lock. */
export const lockBuyer = async (db: TenantDb, memberId: MemberId) => {
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${memberId}, 1))`)
}

/** The latest payment of an order. */
export const latestPayment = async (db: TenantDb, customerId: CustomerId, orderId: string) => {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.orderId, orderId)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(1)
  return row ?? null
}

/** Payments under way for longer than a person takes: the provider knows how they stand. */
export const stalePayments = (db: TenantDb, customerId: CustomerId, before: Date, limit: number) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.customerId, customerId),
        inArray(payments.status, [...open]),
        lte(payments.createdAt, before.toISOString()),
      ),
    )
    .orderBy(asc(payments.createdAt))
    .limit(limit)

/** Stores a provider's event once. Answers what came of it before: `NEW`, or null while nothing did, or the outcome. */
export const storeProviderEvent = async (
  db: TenantDb,
  customerId: CustomerId,
  event: { provider: string; eventId: string; type: string; payload: unknown; receivedAt: Date },
): Promise<'NEW' | string | null> => {
  const inserted = await db
    .insert(providerEvents)
    .values({ ...event, customerId, receivedAt: event.receivedAt.toISOString() })
    .onConflictDoNothing()
    .returning({ eventId: providerEvents.eventId })
  if (inserted.length > 0) return 'NEW'
  const [known] = await db.select().from(providerEvents).where(eventKey(customerId, event))
  return known?.outcome ?? null
}

export const closeProviderEvent = async (
  db: TenantDb,
  customerId: CustomerId,
  event: { provider: string; eventId: string },
  outcome: string,
) => {
  await db
    .update(providerEvents)
    .set({ outcome })
    .where(and(eventKey(customerId, event), isNull(providerEvents.outcome)))
}

const eventKey = (customerId: CustomerId, event: { provider: string; eventId: string }) =>
  and(
    eq(providerEvents.customerId, customerId),
    eq(providerEvents.provider, event.provider),
    eq(providerEvents.eventId, event.eventId),
  )

/** What a refund case of the desk knows: money that came in for an order that cannot take it any more. */
export interface RefundCase {
  kind: 'UNDUE_PAYMENT'
  reason: 'LATE' | 'AMOUNT_MISMATCH'
  orderId: string
  paymentId: string
  amount: number
  currency: string
}

const aboutPayment = (customerId: CustomerId, paymentId: string) =>
  and(
    eq(cases.customerId, customerId),
    eq(cases.type, 'ORDER_CANCEL'),
    sql`${cases.data} ->> 'paymentId' = ${paymentId}`,
    sql`${cases.data} ->> 'kind' = 'UNDUE_PAYMENT'`,
  )

/** Opens a refund case, once for a payment. Call it under the order's lock. */
export const openRefundCase = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: string,
  subject: string,
  data: RefundCase,
  now: Date,
) => {
  const [known] = await db.select({ id: cases.id }).from(cases).where(aboutPayment(customerId, data.paymentId))
  if (known) return
  await db.insert(cases).values({
    customerId,
    id: newId(),
    type: 'ORDER_CANCEL',
    memberId,
    subject,
    data: { ...data },
    createdAt: now.toISOString(),
  })
}

export const openRefundCases = async (db: TenantDb, customerId: CustomerId, limit: number): Promise<RefundCase[]> => {
  const rows = await db
    .select({ data: cases.data })
    .from(cases)
    .where(
      and(
        eq(cases.customerId, customerId),
        eq(cases.status, 'WAIT'),
        eq(cases.type, 'ORDER_CANCEL'),
        sql`${cases.data} ->> 'kind' = 'UNDUE_PAYMENT'`,
      ),
    )
    .orderBy(asc(cases.createdAt))
    .limit(limit)
  return rows.map((row) => row.data as unknown as RefundCase)
}

/** Closes a payment's refund case; false when it was closed before. */
export const closeRefundCase = async (db: TenantDb, customerId: CustomerId, paymentId: string, now: Date) => {
  const closed = await db
    .update(cases)
    .set({ status: 'COMPLETE', completedAt: now.toISOString() })
    .where(and(aboutPayment(customerId, paymentId), eq(cases.status, 'WAIT')))
    .returning({ id: cases.id })
  return closed.length > 0
}
