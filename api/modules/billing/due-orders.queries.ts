import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { orders } from '#api/modules/orders/orders.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { CustomerId, MemberId, OrderCode, PaymentId } from '#contract/ids.ts'
import type { BankAccount } from '#contract/orders.ts'

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

export interface ExpectedDepositRow {
  keyset: KeysetPosition
  code: OrderCode
  totalAmount: number
  currency: string
  memberId: MemberId | null
  email: string | null
  name: string | null
  account: BankAccount | null
  dueAt: string
  createdAt: string
}

/** One more order that waits for its deposit than the page has, the earliest deadline first. */
export const readExpectedDeposits = async (
  db: TenantDb,
  customerId: CustomerId,
  { search, after, size }: { search: string; after: KeysetPosition | null; size: number },
) => {
  const { rows } = await db.$client.query<ExpectedDepositRow>(
    `SELECT jsonb_build_object('at', o.deposit_deadline::text, 'id', o.id) AS keyset, o.code,
            o.total_amount AS "totalAmount", o.currency, m.id AS "memberId", m.email, m.name,
            (SELECT p.account FROM payments p WHERE p.customer_id = $1 AND p.order_id = o.id AND p.status = 'READY'
                AND p.account IS NOT NULL ORDER BY p.created_at DESC LIMIT 1) AS account,
            o.deposit_deadline AS "dueAt", o.created_at AS "createdAt"
       FROM orders o
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = o.member_id AND m.withdrawn_at IS NULL
      WHERE o.customer_id = $1 AND o.status = 'DEPOSIT_WAITING' AND o.deposit_deadline IS NOT NULL
        AND ($2 = '' OR strpos(lower(o.code), $2) > 0 OR strpos(m.email_lower, $2) > 0 OR strpos(lower(m.name), $2) > 0)
        ${after ? 'AND (o.deposit_deadline, o.id) > ($3::timestamptz, $4::uuid)' : 'AND $3::timestamptz IS NULL AND $4::uuid IS NULL'}
      ORDER BY o.deposit_deadline, o.id LIMIT $5`,
    [customerId, search.toLowerCase(), after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}

export interface ReceivedDepositRow {
  keyset: KeysetPosition
  id: PaymentId
  code: OrderCode
  amount: number
  /** Of the order: what is returned of another payment for it is no part of this. */
  refundedAmount: number
  currency: string
  memberId: MemberId | null
  email: string | null
  name: string | null
  provider: string
  providerRef: string | null
  receivedAt: string
}

export interface ReceivedDepositFilter {
  /** A part of an order code, a reference, a name or an email address, in lower case. */
  search: string
  since: Date | null
  until: Date | null
  /** Minor units, both inclusive. */
  min: number | null
  max: number | null
  after: KeysetPosition | null
  size: number
}

/** One more received deposit than the page has, latest first, without recorded sales. */
export const readReceivedDeposits = async (db: TenantDb, customerId: CustomerId, filter: ReceivedDepositFilter) => {
  const { search, since, until, min, max, after, size } = filter
  const { rows } = await db.$client.query<ReceivedDepositRow>(
    `SELECT jsonb_build_object('at', p.settled_at::text, 'id', p.id) AS keyset, p.id, o.code, p.amount,
            o.refunded_amount AS "refundedAmount", p.currency, m.id AS "memberId", m.email, m.name, p.provider,
            p.provider_ref AS "providerRef", p.settled_at AS "receivedAt"
       FROM payments p
       JOIN orders o ON o.customer_id = $1 AND o.id = p.order_id AND o.recorded_as IS NULL
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = o.member_id AND m.withdrawn_at IS NULL
      WHERE p.customer_id = $1 AND p.method = 'BANK' AND p.status = 'PAID' AND p.settled_at IS NOT NULL
        ${
          search
            ? `AND (strpos(lower(o.code), $2) > 0 OR strpos(lower(p.provider_ref), $2) > 0 OR o.member_id IN (
                 SELECT f.id FROM members f WHERE f.customer_id = $1 AND f.withdrawn_at IS NULL AND strpos(f.search_text, $2) > 0))`
            : "AND $2 = ''"
        }
        AND ($3::timestamptz IS NULL OR p.settled_at >= $3) AND ($4::timestamptz IS NULL OR p.settled_at < $4)
        AND ($5::bigint IS NULL OR p.amount >= $5) AND ($6::bigint IS NULL OR p.amount <= $6)
        ${after ? 'AND (p.settled_at, p.id) < ($7::timestamptz, $8::uuid)' : 'AND $7::timestamptz IS NULL AND $8::uuid IS NULL'}
      ORDER BY p.settled_at DESC NULLS LAST, p.id DESC NULLS LAST LIMIT $9`,
    [customerId, search.toLowerCase(), since, until, min, max, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}
