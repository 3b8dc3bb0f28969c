import { and, asc, count, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { cases } from '#api/db/schema/accounts.ts'
import { orders } from '#api/db/schema/commerce.ts'
import { comments } from '#api/db/schema/engagement.ts'
import { plans, subscriptions } from '#api/db/schema/plans.ts'
import type { CustomerId, MemberId, OrderCode } from '#contract/ids.ts'

const mine = <Table extends typeof orders | typeof comments | typeof subscriptions>(
  table: Table,
  customerId: CustomerId,
  memberId: MemberId,
) => and(eq(table.customerId, customerId), eq(table.memberId, memberId))

export interface BlockingOrder {
  code: OrderCode
  status: 'DEPOSIT_WAITING' | 'CANCEL_REQUEST'
}

/** Orders with money under way. */
export const blockingOrders = (db: TenantDb, customerId: CustomerId, memberId: MemberId): Promise<BlockingOrder[]> =>
  db
    .select({ code: sql<OrderCode>`${orders.code}`, status: sql<BlockingOrder['status']>`${orders.status}` })
    .from(orders)
    .where(and(mine(orders, customerId, memberId), inArray(orders.status, ['DEPOSIT_WAITING', 'CANCEL_REQUEST'])))
    .orderBy(asc(orders.createdAt))

/** The member's unfinished orders, locked, so that none is paid or waited for while they leave. */
export const lockDrafts = (db: TenantDb, customerId: CustomerId, memberId: MemberId) =>
  db
    .select()
    .from(orders)
    .where(and(mine(orders, customerId, memberId), isNull(orders.status)))
    .orderBy(asc(orders.id))
    .for('update')

/** The codes of orders with money that goes back as soon as the member says where to. */
export const ordersWithoutRefundAccount = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const rows = await db
    .selectDistinct({ code: orders.code })
    .from(cases)
    .innerJoin(orders, and(eq(orders.customerId, cases.customerId), eq(orders.id, cases.orderId)))
    .where(
      and(
        mine(orders, customerId, memberId),
        eq(cases.customerId, customerId),
        eq(cases.status, 'WAIT'),
        sql`${cases.data} ->> 'kind' = 'UNDUE_PAYMENT' AND (${cases.data} ->> 'needsAccount')::boolean`,
      ),
    )
  return rows.map(({ code }) => code)
}

const one = async (rows: Promise<{ total: number }[]>) => (await rows)[0]?.total ?? 0

export const countComments = (db: TenantDb, customerId: CustomerId, memberId: MemberId) =>
  one(
    db
      .select({ total: count() })
      .from(comments)
      .where(and(mine(comments, customerId, memberId), ne(comments.state, 'DELETED'))),
  )

/** Orders whose records stay: all that were ever paid or waited for. */
export const countKeptOrders = (db: TenantDb, customerId: CustomerId, memberId: MemberId) =>
  one(
    db
      .select({ total: count() })
      .from(orders)
      .where(and(mine(orders, customerId, memberId), isNotNull(orders.status))),
  )

/** Products a member has a right to that lives. */
export const countOwnedProducts = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  const { rows } = await db.$client.query<{ total: number }>(
    `SELECT count(DISTINCT product_id) AS total FROM entitlements
      WHERE customer_id = $1 AND member_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)
        AND (started_at IS NOT NULL OR start_by IS NULL OR start_by > $3)`,
    [customerId, memberId, now],
  )
  return rows[0]?.total ?? 0
}

/** The subscription that stands, as far as it has begun. */
export const standingPlan = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const [row] = await db
    .select({ name: plans.name, until: subscriptions.periodEnd })
    .from(subscriptions)
    .innerJoin(plans, and(eq(plans.customerId, subscriptions.customerId), eq(plans.id, subscriptions.planId)))
    .where(
      and(
        mine(subscriptions, customerId, memberId),
        isNull(subscriptions.endedAt),
        isNotNull(subscriptions.activatedAt),
      ),
    )
  return row ?? null
}
