import { createHash } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { lockOrder, type OrderRow } from '#api/modules/orders/orders.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type CaseId, type CustomerId, caseId, type MemberId, type OrderId, type PaymentId } from '#contract/ids.ts'
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

/** Locks orders in one sequence, so that opposite matches do not block each other. */
export const lockOrders = async (db: TenantDb, customerId: CustomerId, ids: readonly OrderId[]) => {
  const locked = new Map<OrderId, OrderRow>()
  for (const id of [...new Set(ids)].toSorted()) {
    const order = await lockOrder(db, customerId, id)
    if (order) locked.set(id, order)
  }
  return locked
}

/** The characters of a day, which begins a reference, and of a hash. */
const [dayLength, hashLength] = ['2026-11-28'.length, 16]

/**
 * What remains of a reference after its member was erased, who may be named in it: the day, and a
 * hash by which the same transfer is found again.
 */
export const erasedReference = (customerId: CustomerId, providerRef: string): string => {
  const hash = createHash('sha256').update(`${customerId} ${providerRef}`).digest('hex')
  return `${providerRef.slice(0, dayLength)} #${hash.slice(0, hashLength)}`
}

/** SQL: `erasedReference` of a payment. */
export const erasedReferenceOf = (payment: string) =>
  `left(${payment}.provider_ref, ${dayLength}) || ' #' || left(encode(sha256(replace(
     ${payment}.customer_id || ' ' || ${payment}.provider_ref, '\\', '\\\\')::bytea), 'hex'), ${hashLength})`

const matchedPrefix = 'unapplied '

/** The reference of a payment for which staff used the unapplied payment of a case. */
export const matchedReference = (id: CaseId) => `${matchedPrefix}${id}`

/** The case that such a reference names; null for another reference. */
export const caseOfReference = (reference: string | null): CaseId | null =>
  reference?.startsWith(matchedPrefix) ? (caseId.safeParse(reference.slice(matchedPrefix.length)).data ?? null) : null

/** SQL: the reference of a payment names a case. */
export const hasMatchedReference = (payment: string) =>
  `${payment}.provider_ref ~ '^.{${dayLength}} ${matchedPrefix}[0-9a-f-]{36}$'`

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

/** Opens the case of a payment again that staff used for the wrong order. It needs an account. */
export const reopenUnappliedCase = async (db: TenantDb, customerId: CustomerId, id: CaseId) => {
  await db
    .update(cases)
    .set({
      status: 'WAIT',
      completedAt: null,
      data: sql`${cases.data} - 'outcome' - 'attempts' - 'nextAttemptAt' || '{"needsAccount":true}'::jsonb`,
    })
    .where(and(unapplied(customerId), eq(cases.id, id)))
}
