import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { orders } from '#api/modules/orders/orders.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { CustomerId } from '#contract/ids.ts'

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
