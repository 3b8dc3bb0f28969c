import { and, asc, eq, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CustomerId, MemberId, PaymentId } from '#contract/ids.ts'
import { cases } from './billing.schema.ts'

/** What a refund case knows: money that came in and that the order cannot take. */
export interface UnappliedPayment {
  kind: 'UNAPPLIED_PAYMENT'
  /** LATE: nothing waits for it any more. AMOUNT_MISMATCH: not what was asked for. SURPLUS: the order had been paid. */
  reason: 'LATE' | 'AMOUNT_MISMATCH' | 'SURPLUS'
  orderId: string
  paymentId: PaymentId
  /** The provider's id of the deposit; null for a payment as a whole. */
  depositId: string | null
  amount: number
  currency: string
  /** Paid by bank, and nobody has said yet where the money goes back to, or the bank refused the account. */
  needsAccount: boolean
  /** Where it goes back to, encrypted; erased once it has gone. */
  account?: string | null
  /** How often giving it back has failed, and when it is tried again (ISO). */
  attempts?: number
  nextAttemptAt?: string
  /** How the case ended: given back by us, or taken back by the bank itself. */
  outcome?: 'RETURNED' | 'REVERSED'
}

export interface UnappliedCase {
  id: string
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

/** `unapplied` selects cases of this kind only. */
const unappliedData = sql<UnappliedPayment>`${cases.data}`

/** Every case of unapplied payment of an order, first things first. */
export const unappliedCasesOf = async (
  db: TenantDb,
  customerId: CustomerId,
  orderId: string,
): Promise<UnappliedCase[]> => {
  const rows = await db
    .select({ id: cases.id, status: cases.status, createdAt: cases.createdAt, data: unappliedData })
    .from(cases)
    .where(and(unapplied(customerId), eq(cases.orderId, orderId)))
    .orderBy(asc(cases.createdAt), asc(cases.id))
  return rows.map(({ id, status, createdAt, data }) => ({ id, open: status === 'WAIT', createdAt, data }))
}

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

/** Payments with unapplied payment that is due to go back at a moment, longest due first. Money without an account is never due. */
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
      ),
    )
    .orderBy(dueAt, asc(cases.id))
    .limit(limit)
  return rows.map((row) => row.data.paymentId)
}

export const updateUnappliedCase = async (
  db: TenantDb,
  customerId: CustomerId,
  id: string,
  change: Partial<Pick<UnappliedPayment, 'attempts' | 'nextAttemptAt' | 'needsAccount' | 'account'>>,
) => {
  await db
    .update(cases)
    .set({ data: sql`${cases.data} || ${JSON.stringify(change)}::jsonb` })
    .where(and(unapplied(customerId), eq(cases.id, id), eq(cases.status, 'WAIT')))
}

/** Closes a case and forgets its account; false when it was closed before. */
export const closeUnappliedCase = async (
  db: TenantDb,
  customerId: CustomerId,
  id: string,
  outcome: 'RETURNED' | 'REVERSED',
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
