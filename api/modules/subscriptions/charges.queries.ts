import { and, asc, count, desc, eq, gt, gte, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { subscriptionCharges as charges, plans } from '#api/modules/plans/plans.schema.ts'
import type { PaidPeriod } from '#api/modules/plans/plans.ts'
import type { SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { ChargeKind } from '#contract/admin/subscriptions.ts'
import { type CustomerId, type MemberId, type PaymentId, paymentId, type QuoteId, quoteId } from '#contract/ids.ts'

export type ChargeRow = typeof charges.$inferSelect

const of = (subscription: Pick<SubscriptionRow, 'customerId' | 'id'>) =>
  and(eq(charges.customerId, subscription.customerId), eq(charges.subscriptionId, subscription.id))

/** An upgrade's charge has the id of its quote, so that a quote is charged once. */
export const chargeOfQuote = (id: QuoteId): PaymentId => paymentId.parse(id)

/** Returns the quote of an upgrade's charge: both have the same id. */
export const quoteOfCharge = ({ id }: Pick<ChargeRow, 'id'>): QuoteId => quoteId.parse(id)

/** Inserts a charge and returns its row. */
export const insertCharge = async (db: TenantDb, charge: typeof charges.$inferInsert): Promise<ChargeRow> => {
  const [row] = await db.insert(charges).values(charge).returning()
  if (!row) throw new Error('The charge could not be inserted.')
  return row
}

/** Returns a subscription charge by its payment id, or null. */
export const findCharge = async (db: TenantDb, customerId: CustomerId, id: PaymentId): Promise<ChargeRow | null> => {
  const [row] = await db
    .select()
    .from(charges)
    .where(and(eq(charges.customerId, customerId), eq(charges.id, id)))
  return row ?? null
}

/** Updates a charge and returns its new row. */
export const updateCharge = async (
  db: TenantDb,
  charge: Pick<ChargeRow, 'customerId' | 'id'>,
  change: Partial<Omit<ChargeRow, 'customerId' | 'id' | 'subscriptionId' | 'memberId'>>,
): Promise<ChargeRow> => {
  const [row] = await db
    .update(charges)
    .set(change)
    .where(and(eq(charges.customerId, charge.customerId), eq(charges.id, charge.id)))
    .returning()
  if (!row) throw new Error('The charge does not exist.')
  return row
}

/** Returns the pending charge of a subscription. There is at most one. */
export const findPendingCharge = async (
  db: TenantDb,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id'>,
): Promise<ChargeRow | null> => {
  const [row] = await db
    .select()
    .from(charges)
    .where(and(of(subscription), eq(charges.status, 'PENDING')))
  return row ?? null
}

/**
 * Returns the charge of a subscription that was created last, in any state; null before the first.
 */
export const latestCharge = async (db: TenantDb, subscription: Pick<SubscriptionRow, 'customerId' | 'id'>) => {
  const [row] = await db
    .select()
    .from(charges)
    .where(of(subscription))
    .orderBy(sql`${charges.createdAt} desc`, sql`${charges.id} desc`)
    .limit(1)
  return row ?? null
}

/** Returns the number of charges of a kind for a period. */
export const countCharges = async (
  db: TenantDb,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id'>,
  kind: ChargeKind,
  periodStart: Date,
): Promise<number> => {
  const [row] = await db
    .select({ tries: count() })
    .from(charges)
    .where(and(of(subscription), eq(charges.kind, kind), eq(charges.periodStart, periodStart.toISOString())))
  return row?.tries ?? 0
}

/**
 * Pending charges older than a given time that are due to be queried, the longest waiting first.
 */
export const staleCharges = async (db: TenantDb, customerId: CustomerId, before: Date, now: Date, limit: number) => {
  const rows = await db
    .select({ id: charges.id, createdAt: charges.createdAt })
    .from(charges)
    .where(
      and(
        eq(charges.customerId, customerId),
        eq(charges.status, 'PENDING'),
        lte(charges.createdAt, before.toISOString()),
        or(isNull(charges.nextCheckAt), lte(charges.nextCheckAt, now.toISOString())),
      ),
    )
    .orderBy(sql`coalesce(${charges.nextCheckAt}, ${charges.createdAt})`)
    .limit(limit)
  return rows.map(({ id, createdAt }) => ({ id, createdAt }))
}

/**
 * Failure code of a charge whose money the subscription could not accept. The charge is refunded.
 */
export const unapplied = 'UNAPPLIED'
const isApplied = or(isNull(charges.failure), ne(charges.failure, unapplied))

/**
 * Paid charges of a subscription for time after `now`, latest first, without those that it could
 * not accept.
 */
export const chargesOfRest = (
  db: TenantDb,
  subscription: Pick<SubscriptionRow, 'customerId' | 'id'>,
  now: Date,
): Promise<ChargeRow[]> =>
  db
    .select()
    .from(charges)
    .where(and(of(subscription), eq(charges.status, 'PAID'), gt(charges.periodEnd, now.toISOString()), isApplied))
    .orderBy(desc(charges.createdAt), desc(charges.id))

/** Notes that a change of the plan has used the credit, less what staff had refunded. */
export const useCredit = async (db: TenantDb, subscription: Pick<SubscriptionRow, 'customerId' | 'id'>) => {
  await db
    .update(charges)
    .set({ refundedByStaff: 0 })
    .where(and(of(subscription), gt(charges.refundedByStaff, 0)))
}

/**
 * Returns the end of what is paid of the subscription's present period; null if nothing is. An
 * upgrade within the period is paid until its end, free days included, so the earliest end counts.
 */
const readPaidUntil = async (
  db: TenantDb,
  { periodStart, ...subscription }: Pick<SubscriptionRow, 'customerId' | 'id'> & { periodStart: string },
): Promise<string | null> => {
  const [row] = await db
    .select({ periodEnd: charges.periodEnd })
    .from(charges)
    .where(and(of(subscription), eq(charges.status, 'PAID'), gte(charges.periodStart, periodStart), isApplied))
    .orderBy(asc(charges.periodEnd))
    .limit(1)
  return row?.periodEnd ?? null
}

/**
 * Returns the part of a subscription's period that is paid, from which credits are calculated. Free
 * days that staff have added come after it.
 */
export const paidPeriodOf = async (
  db: TenantDb,
  row: Pick<SubscriptionRow, 'customerId' | 'id'> & { periodStart: string; periodEnd: string },
): Promise<PaidPeriod> => ({
  start: Date.parse(row.periodStart),
  end: Date.parse((await readPaidUntil(db, row)) ?? row.periodEnd),
})

/**
 * Charges that must be refunded and are not yet: those that no subscription could accept, and those
 * whose refund staff decided. A refund that the provider refused waits for its retry, and is
 * excluded once an operator has settled it, until a further refund is decided.
 */
export const chargesToRefund = (db: TenantDb, customerId: CustomerId, now: Date, limit: number): Promise<ChargeRow[]> =>
  db
    .select()
    .from(charges)
    .where(
      and(
        eq(charges.customerId, customerId),
        or(
          and(eq(charges.failure, unapplied), lt(charges.refundedAmount, charges.amount)),
          gt(charges.refundTotal, charges.refundedAmount),
        ),
        sql`NOT EXISTS (SELECT FROM cases WHERE cases.customer_id = ${customerId} AND cases.type = 'CUSTOM'
              AND cases.data ->> 'chargeId' = ${charges.id}::text
              AND CASE cases.status
                WHEN 'COMPLETE' THEN coalesce((cases.data ->> 'total')::bigint, ${charges.amount}) >= coalesce(${charges.refundTotal}, ${charges.amount})
                ELSE (cases.data ->> 'nextAttemptAt')::timestamptz > ${now.toISOString()}::timestamptz END)`,
      ),
    )
    .orderBy(asc(charges.createdAt))
    .limit(limit)

/** The latest hundred charges of a member with their plan names. */
export const readMemberCharges = (db: TenantDb, customerId: CustomerId, memberId: MemberId) =>
  db
    .select({
      at: charges.createdAt,
      plan: plans.name,
      kind: charges.kind,
      status: charges.status,
      amount: charges.amount,
      refunded: charges.refundedAmount,
      refundTotal: charges.refundTotal,
      currency: charges.currency,
      failure: charges.failure,
      id: charges.id,
    })
    .from(charges)
    .innerJoin(plans, and(eq(plans.customerId, charges.customerId), eq(plans.id, charges.planId)))
    .where(and(eq(charges.customerId, customerId), eq(charges.memberId, memberId)))
    .orderBy(desc(charges.createdAt))
    .limit(100)
