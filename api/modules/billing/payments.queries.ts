import { and, desc, eq, gte, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { lockOrder, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import { cards } from '#api/modules/plans/cards.schema.ts'
import { subscriptionCharges } from '#api/modules/plans/plans.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CardId, CustomerId, MemberId, OrderCode, OrderId, PaymentId } from '#contract/ids.ts'
import { type EventOutcome, payments, providerEvents } from './billing.schema.ts'

export type PaymentRow = typeof payments.$inferSelect

/** The provider name on a payment with an amount of zero. */
export const noProvider = 'none'

/** The provider of payments that staff received themselves, such as a transfer to the store. */
export const manualProvider = 'manual'

/** The reference that staff entered. The day of the payment stands before it. */
export const enteredReference = (providerRef: string | null) => providerRef?.slice('2026-11-28 '.length) ?? null

const openStatuses = ['READY', 'PROCESSING'] as const

/** Inserts a payment and returns its row. */
export const insertPayment = async (db: TenantDb, payment: typeof payments.$inferInsert): Promise<PaymentRow> => {
  const [row] = await db.insert(payments).values(payment).returning()
  if (!row) throw new Error('The payment could not be inserted.')
  return row
}

/**
 * Inserts a payment that staff received. Returns null if one with its reference was recorded
 * before.
 */
export const insertManualPayment = async (
  db: TenantDb,
  payment: Omit<typeof payments.$inferInsert, 'provider' | 'method' | 'status'>,
): Promise<PaymentRow | null> => {
  const [row] = await db
    .insert(payments)
    .values({ ...payment, provider: manualProvider, method: 'BANK', status: 'PAID' })
    .onConflictDoNothing({ target: [payments.customerId, payments.provider, payments.providerRef] })
    .returning()
  return row ?? null
}

/** The order for which staff have recorded a payment with one of these references, or null. */
export const orderOfManualPayment = async (
  db: TenantDb,
  customerId: CustomerId,
  references: readonly string[],
): Promise<OrderCode | null> => {
  const [row] = await db
    .select({ code: orders.code })
    .from(payments)
    .innerJoin(orders, and(eq(orders.customerId, payments.customerId), eq(orders.id, payments.orderId)))
    .where(
      and(
        eq(payments.customerId, customerId),
        eq(payments.provider, manualProvider),
        inArray(payments.providerRef, [...references]),
      ),
    )
  return row?.code ?? null
}

/** Returns a payment, or null. */
export const findPayment = async (db: TenantDb, customerId: CustomerId, id: PaymentId): Promise<PaymentRow | null> => {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.id, id)))
  return row ?? null
}

/**
 * Locks the order of a payment like `lockOrder`, and returns both as they are under the lock, or
 * null.
 */
export const lockPayment = async (
  db: TenantDb,
  customerId: CustomerId,
  id: PaymentId,
): Promise<{ order: OrderRow; payment: PaymentRow } | null> => {
  const unlocked = await findPayment(db, customerId, id)
  const order = unlocked && (await lockOrder(db, customerId, unlocked.orderId))
  // Read again: the previous holder of the lock may have settled this payment.
  const payment = order && (await findPayment(db, customerId, id))
  return payment && { order, payment }
}

/** Returns a payment of the member's own order. */
export const findPaymentOf = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, id: PaymentId) => {
  const [row] = await db
    .select({ payment: payments, order: orders })
    .from(payments)
    .innerJoin(orders, and(eq(orders.customerId, payments.customerId), eq(orders.id, payments.orderId)))
    .where(and(eq(payments.customerId, customerId), eq(payments.id, id), eq(orders.memberId, memberId)))
  return row ?? null
}

/** Updates a payment and returns its new row. */
export const updatePayment = async (
  db: TenantDb,
  payment: Pick<PaymentRow, 'customerId' | 'id'>,
  change: Partial<
    Pick<
      PaymentRow,
      | 'status'
      | 'failure'
      | 'cardIssuer'
      | 'cardLastFour'
      | 'providerRef'
      | 'settledAt'
      | 'account'
      | 'dueAt'
      | 'refundedAmount'
      | 'nextCheckAt'
    >
  >,
): Promise<PaymentRow> => {
  const [row] = await db
    .update(payments)
    .set(change)
    .where(and(eq(payments.customerId, payment.customerId), eq(payments.id, payment.id)))
    .returning()
  if (!row) throw new Error('The payment does not exist.')
  return row
}

/** Returns payments of the given orders that can still be paid. */
export const openPayments = (db: TenantDb, customerId: CustomerId, orderIds: readonly OrderId[]) =>
  orderIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(payments)
        .where(
          and(
            eq(payments.customerId, customerId),
            inArray(payments.orderId, [...orderIds]),
            inArray(payments.status, [...openStatuses]),
          ),
        )

/**
 * Serializes a member's attempts to start a payment until the transaction ends. Take this lock
 * before any order's lock.
 */
export const lockBuyer = async (db: TenantDb, memberId: MemberId) => {
  // Each kind of lock hashes with its own seed: `lockPayer` locks the same member with 2.
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${memberId}, 1))`)
}

/** Returns the payment that paid an order, or null. */
export const paidPayment = async (db: TenantDb, customerId: CustomerId, orderId: OrderId) => {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.orderId, orderId), eq(payments.status, 'PAID')))
  return row ?? null
}

/** Returns the latest payment of an order. */
export const latestPayment = async (db: TenantDb, customerId: CustomerId, orderId: OrderId) => {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.orderId, orderId)))
    .orderBy(desc(payments.createdAt), desc(payments.id))
    .limit(1)
  return row ?? null
}

const isDue = (now: Date) => or(isNull(payments.nextCheckAt), lte(payments.nextCheckAt, now.toISOString()))
/** Orders by the longest wait, so that every payment is processed eventually. */
const checkOrder = sql`coalesce(${payments.nextCheckAt}, ${payments.createdAt})`

/**
 * Card payments that have been open for longer than a buyer needs and are due to be queried at the
 * provider.
 */
export const stalePayments = (db: TenantDb, customerId: CustomerId, before: Date, now: Date, limit: number) =>
  db
    .select({ id: payments.id, createdAt: payments.createdAt })
    .from(payments)
    .where(
      and(
        eq(payments.customerId, customerId),
        inArray(payments.status, [...openStatuses]),
        eq(payments.method, 'CARD'),
        lte(payments.createdAt, before.toISOString()),
        isDue(now),
      ),
    )
    .orderBy(checkOrder)
    .limit(limit)

/**
 * Accounts due to be queried at the provider, because deposits may arrive or be reversed: open
 * accounts, and accounts settled since a given time.
 */
export const accountsDueForCheck = (
  db: TenantDb,
  customerId: CustomerId,
  settledSince: Date,
  now: Date,
  limit: number,
) =>
  db
    .select({ id: payments.id, createdAt: payments.createdAt })
    .from(payments)
    .where(
      and(
        eq(payments.customerId, customerId),
        eq(payments.method, 'BANK'),
        isNotNull(payments.providerRef),
        ne(payments.provider, manualProvider),
        or(inArray(payments.status, [...openStatuses]), gte(payments.settledAt, settledSince.toISOString())),
        isDue(now),
      ),
    )
    .orderBy(checkOrder)
    .limit(limit)

/**
 * Stores a provider's event once. Returns `NEW`, the outcome of an earlier delivery, or null if an
 * earlier delivery has no outcome yet.
 */
export const storeProviderEvent = async (
  db: TenantDb,
  customerId: CustomerId,
  event: { provider: string; eventId: string; type: string; payload: unknown; receivedAt: Date },
): Promise<'NEW' | EventOutcome | null> => {
  const inserted = await db
    .insert(providerEvents)
    .values({ ...event, customerId, receivedAt: event.receivedAt.toISOString() })
    .onConflictDoNothing()
    .returning({ eventId: providerEvents.eventId })
  if (inserted.length > 0) return 'NEW'
  const [stored] = await db.select().from(providerEvents).where(eventKey(customerId, event))
  return stored?.outcome ?? null
}

/** Stores the outcome of a provider's event, unless one is stored. */
export const closeProviderEvent = async (
  db: TenantDb,
  customerId: CustomerId,
  event: { provider: string; eventId: string },
  outcome: EventOutcome,
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

/** Returns the provider's own id of a payment or of a stored card's charge. */
export const providerRefOf = async (db: TenantDb, customerId: CustomerId, id: PaymentId): Promise<string | null> => {
  const [payment] = await db
    .select({ ref: payments.providerRef })
    .from(payments)
    .where(and(eq(payments.customerId, customerId), eq(payments.id, id)))
  if (payment) return payment.ref
  const [charge] = await db
    .select({ ref: subscriptionCharges.providerRef })
    .from(subscriptionCharges)
    .where(and(eq(subscriptionCharges.customerId, customerId), eq(subscriptionCharges.id, id)))
  return charge?.ref ?? null
}

/** Returns the provider's reference to a card; null without one. */
export const cardRefOf = async (db: TenantDb, customerId: CustomerId, id: CardId): Promise<string | null> => {
  const [card] = await db
    .select({ ref: cards.providerRef })
    .from(cards)
    .where(and(eq(cards.customerId, customerId), eq(cards.id, id)))
  return card?.ref ?? null
}

/** Whether a payment can still be paid or a card still be registered. */
export const isOpenAtProvider = async (db: TenantDb, customerId: CustomerId, reference: string): Promise<boolean> => {
  const [payment] = await db
    .select({ status: payments.status })
    .from(payments)
    .where(and(eq(payments.customerId, customerId), sql`${payments.id} = ${reference}`))
  if (payment) return openStatuses.some((status) => status === payment.status)
  const [card] = await db
    .select({ status: cards.status })
    .from(cards)
    .where(and(eq(cards.customerId, customerId), sql`${cards.id} = ${reference}`))
  return card?.status === 'READY'
}
