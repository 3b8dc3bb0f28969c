import { and, desc, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import {
  hasPlanAccess,
  isInPlanScope,
  type MemberPlans,
  type MemberPlansRow,
  memberPlansColumns,
  memberPlansJoins,
  memberPlansOf,
} from '#api/modules/plans/plans.queries.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { Statement } from '#api/platform/db/shared-reads.ts'
import type { CustomerId, EntitlementId, MemberId, OrderItemId, ProductId } from '#contract/ids.ts'
import { entitlements, fulfillments } from './entitlements.schema.ts'

export type EntitlementRow = typeof entitlements.$inferSelect

const alive = (now: Date) =>
  and(
    isNull(entitlements.revokedAt),
    eq(entitlements.suspended, false),
    or(isNull(entitlements.expiresAt), gt(entitlements.expiresAt, now.toISOString())),
    or(isNotNull(entitlements.startedAt), isNull(entitlements.startBy), gt(entitlements.startBy, now.toISOString())),
  )

/** A right with the price paid for it. The price fields are null if it was not bought. */
export interface HeldEntitlement extends EntitlementRow {
  /** Minor units: what is not refunded of the item's price, and the total of the order. */
  priceAmount: number | null
  totalAmount: number | null
  currency: string | null
  paidAt: string | null
  openedAt: string | null
  refundedAt: string | null
}

/** Returns the products a member holds an active right to, the latest right first. */
export const entitledProducts = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  const rows = await db
    .select({ productId: entitlements.productId })
    .from(entitlements)
    .where(and(eq(entitlements.customerId, customerId), eq(entitlements.memberId, memberId), alive(now)))
    .orderBy(desc(entitlements.createdAt), desc(entitlements.id))
  return [...new Set(rows.map((row) => row.productId))]
}

export interface Grant {
  memberId: MemberId
  productId: ProductId
  orderItemId: OrderItemId
  source: 'OWN' | 'RENT'
  rentalDays: number | null
  startBy: string | null
}

/** Inserts rights. An order item grants one right, however often this runs. */
export const insertEntitlements = async (db: TenantDb, customerId: CustomerId, grants: readonly Grant[], now: Date) => {
  if (grants.length === 0) return
  await db
    .insert(entitlements)
    .values(grants.map((grant) => ({ ...grant, customerId, id: newId<EntitlementId>(), createdAt: now.toISOString() })))
    .onConflictDoNothing({ target: [entitlements.customerId, entitlements.orderItemId] })
}

type GrantOf = Pick<Grant, 'memberId' | 'productId'>

/** Grants a member a product without an order, once until the grant ends. */
export const insertGrant = (
  db: TenantDb,
  customerId: CustomerId,
  { memberId, productId, expiresAt = null }: GrantOf & { expiresAt?: string | null },
  now: Date,
) =>
  db.$client.query(
    `INSERT INTO entitlements (customer_id, id, member_id, product_id, source, created_at, expires_at)
     SELECT m.customer_id, $2, m.id, $4, 'GRANT', $5, $6 FROM members m WHERE m.customer_id = $1 AND m.id = $3 AND NOT EXISTS (
       SELECT FROM entitlements WHERE customer_id = $1 AND member_id = $3 AND product_id = $4 AND source = 'GRANT'
          AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $5))`,
    [customerId, newId(), memberId, productId, now, expiresAt],
  )

/** Ends what a member was granted of a product. Returns the ends that it would have had. */
export const endGrants = (db: TenantDb, customerId: CustomerId, { memberId, productId }: GrantOf, now: Date) =>
  named<{ expiresAt: string | null }>(
    db,
    'end-grants',
    `UPDATE entitlements SET revoked_at = $4 WHERE customer_id = $1 AND member_id = $2 AND product_id = $3
        AND source = 'GRANT' AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $4) RETURNING expires_at AS "expiresAt"`,
    [customerId, memberId, productId, now.toISOString()],
  )

/**
 * Marks a right as started. Only the first call changes anything; `first` is true for it.
 * `expiresAt` is the end of the right.
 */
export const beginEntitlement = async (
  db: TenantDb,
  customerId: CustomerId,
  entitlement: Pick<EntitlementRow, 'id'>,
  begin: { at: Date; expiresAt: Date | null },
): Promise<{ first: boolean; expiresAt: string | null }> => {
  const right = and(eq(entitlements.customerId, customerId), eq(entitlements.id, entitlement.id))
  const [begun] = await db
    .update(entitlements)
    .set({
      startedAt: begin.at.toISOString(),
      ...(begin.expiresAt ? { expiresAt: begin.expiresAt.toISOString() } : {}),
    })
    // A right that was revoked in the meantime cannot be started.
    .where(
      and(right, isNull(entitlements.startedAt), eq(entitlements.suspended, false), isNull(entitlements.revokedAt)),
    )
    .returning({ expiresAt: entitlements.expiresAt })
  if (!begun) {
    const [row] = await db.select({ expiresAt: entitlements.expiresAt }).from(entitlements).where(right)
    return { first: false, expiresAt: row?.expiresAt ?? null }
  }
  return { first: true, expiresAt: begun.expiresAt }
}

const ofItems = (customerId: CustomerId, orderItemIds: readonly OrderItemId[]) =>
  and(
    eq(entitlements.customerId, customerId),
    inArray(entitlements.orderItemId, [...orderItemIds]),
    isNull(entitlements.revokedAt),
  )

/** Suspends or restores rights granted by order items. */
export const setSuspended = async (
  db: TenantDb,
  customerId: CustomerId,
  orderItemIds: readonly OrderItemId[],
  suspended: boolean,
) => {
  if (orderItemIds.length === 0) return
  await db.update(entitlements).set({ suspended }).where(ofItems(customerId, orderItemIds))
}

/** Ends rights granted by order items immediately. Detached ones let their items grant others. */
export const endEntitlements = async (
  db: TenantDb,
  customerId: CustomerId,
  orderItemIds: readonly OrderItemId[],
  end: { revokedAt: string; orderItemId?: null },
) => {
  if (orderItemIds.length === 0) return
  await db.update(entitlements).set(end).where(ofItems(customerId, orderItemIds))
}

/** Everything that a member's rights to the given products depend on. */
export interface HeldRights {
  /**
   * Rights that are active now: not revoked, not expired, and started in time. A right suspended
   * during a refund decision is included and marked.
   */
  entitlements: HeldEntitlement[]
  plans: MemberPlans
  /**
   * Of the products checked against a plan, those in the scope of the member's plan. Null if the
   * plan covers all of them.
   */
  inScope: ProductId[] | null
}

interface RightsQuery {
  memberId: MemberId
  productIds: readonly ProductId[]
  /** The given products that a plan may cover. */
  onPlan: readonly ProductId[]
}

export type HeldRightsRow = MemberPlansRow & { inScope: ProductId[] | null } & HeldEntitlement

/**
 * SQL for a query with `memberPlansJoins`. `$1` is the customer, `products` the placeholder of the
 * products' ids.
 */
export const planScopeColumn = (products: string) => `CASE WHEN p.scope <> 'ALL' THEN ARRAY(SELECT c.id FROM products c
    WHERE c.customer_id = $1 AND c.id = ANY(${products}::uuid[]) AND ${isInPlanScope('p', 'c')}) END AS "inScope"`

/** SQL: the active rights of member `$2` of customer `$1` to some products. */
export const activeEntitlements = ({ products, now }: Record<'products' | 'now', string>) => `
  SELECT e.customer_id AS "customerId", e.id, e.member_id AS "memberId", e.product_id AS "productId", e.source,
         e.order_item_id AS "orderItemId", e.rental_days AS "rentalDays", e.start_by AS "startBy",
         e.started_at AS "startedAt", e.expires_at AS "expiresAt", e.suspended, e.revoked_at AS "revokedAt",
         e.created_at AS "createdAt", i.price_amount - i.refunded_amount AS "priceAmount", i.currency, i.opened_at AS "openedAt",
         i.refunded_at AS "refundedAt", o.paid_at AS "paidAt", o.total_amount AS "totalAmount"
    FROM entitlements e
    LEFT JOIN order_items i ON i.customer_id = e.customer_id AND i.id = e.order_item_id
    LEFT JOIN orders o ON o.customer_id = e.customer_id AND o.id = i.order_id
   WHERE e.customer_id = $1 AND e.member_id = $2 AND e.product_id = ANY(${products}::uuid[])
     AND e.revoked_at IS NULL AND (NOT e.suspended OR o.status = 'CANCEL_REQUEST')
     AND (e.expires_at IS NULL OR e.expires_at > ${now}::timestamptz)
     AND (e.started_at IS NOT NULL OR e.start_by IS NULL OR e.start_by > ${now}::timestamptz)`

const iso = (text: string) => new Date(text).toISOString()
const isoOrNull = (text: string | null) => text && iso(text)

/** Converts a row of `activeEntitlements` that PostgreSQL returned as JSON. */
export const entitlementOfJson = (row: HeldEntitlement): HeldEntitlement => ({
  ...row,
  startBy: isoOrNull(row.startBy),
  startedAt: isoOrNull(row.startedAt),
  expiresAt: isoOrNull(row.expiresAt),
  createdAt: iso(row.createdAt),
  paidAt: isoOrNull(row.paidAt),
  openedAt: isoOrNull(row.openedAt),
  refundedAt: isoOrNull(row.refundedAt),
})

/**
 * Reads a member's rights in one query: a row per entitlement, each with the member's plans, or one
 * row if there are no entitlements.
 */
export const heldRightsStatement = (
  customerId: CustomerId,
  { memberId, productIds, onPlan }: RightsQuery,
  now: Date,
): Statement<HeldRightsRow> => ({
  name: 'held_rights',
  text: `SELECT ${memberPlansColumns}, ${planScopeColumn('$4')}, e.*
       FROM members m
       ${memberPlansJoins}
       LEFT JOIN LATERAL (${activeEntitlements({ products: '$3', now: '$5' })}) e ON true
      WHERE m.customer_id = $1 AND m.id = $2`,
  values: [customerId, memberId, `{${productIds.join()}}`, `{${onPlan.join()}}`, now.toISOString()],
})

/** Converts the rows of `heldRightsStatement`. */
export const heldRightsOf = (rows: readonly HeldRightsRow[]): HeldRights => ({
  entitlements: rows.filter((row) => row.id !== null),
  plans: memberPlansOf(rows[0]),
  inScope: rows[0]?.inScope ?? null,
})

/** Returns the rights that a member holds now. */
export const heldRights = async (
  db: TenantDb,
  customerId: CustomerId,
  query: RightsQuery,
  now: Date,
): Promise<HeldRights> => {
  const { name, text, values } = heldRightsStatement(customerId, query, now)
  return heldRightsOf(await named<HeldRightsRow & Record<string, unknown>>(db, name, text, values))
}

/** How a right ended: a refund, its expiry, or the end or the pause of the plan that covered it. */
export type RightEnd = 'REFUNDED' | 'EXPIRED' | 'PLAN_ENDED' | 'PLAN_PAUSED'

/** Returns how a member's last right to a product ended. Null if they never had one. */
export const lastRightEnd = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  productId: ProductId,
  now: Date,
): Promise<RightEnd | null> => {
  const [row] = await named<{ reason: RightEnd }>(
    db,
    'last-right-end',
    `SELECT ended.reason FROM (
       SELECT 'REFUNDED' AS reason, i.refunded_at AS at
         FROM entitlements e
         JOIN order_items i ON i.customer_id = e.customer_id AND i.id = e.order_item_id
        WHERE e.customer_id = $1 AND e.member_id = $2 AND e.product_id = $3
          AND e.revoked_at IS NOT NULL AND i.refunded_at IS NOT NULL
       UNION ALL
       SELECT 'EXPIRED', coalesce(e.expires_at, e.start_by)
         FROM entitlements e
        WHERE e.customer_id = $1 AND e.member_id = $2 AND e.product_id = $3 AND e.revoked_at IS NULL
          AND (e.expires_at <= $4 OR (e.started_at IS NULL AND e.start_by <= $4))
       UNION ALL
       SELECT 'EXPIRED', m.partnership_until
         FROM members m, products p
        WHERE m.customer_id = $1 AND m.id = $2 AND m.partnership_until <= $4
          AND p.customer_id = $1 AND p.id = $3 AND ${hasPlanAccess('p')}
       UNION ALL
       SELECT CASE WHEN coalesce(s.ended_at, s.cancel_at, s.grace_until) IS NULL THEN 'PLAN_PAUSED' ELSE 'PLAN_ENDED' END,
              coalesce(s.ended_at, s.cancel_at, s.grace_until, CASE WHEN s.paused_at IS NOT NULL THEN s.period_end END)
         FROM subscriptions s
         JOIN plans l ON l.customer_id = s.customer_id AND l.id = s.plan_id
         JOIN products p ON p.customer_id = s.customer_id AND p.id = $3
        WHERE s.customer_id = $1 AND s.member_id = $2 AND s.activated_at IS NOT NULL
          AND coalesce(s.ended_at, s.cancel_at, s.grace_until, CASE WHEN s.paused_at IS NOT NULL THEN s.period_end END) <= $4
          AND ${hasPlanAccess('p')} AND ${isInPlanScope('l', 'p')}
     ) ended
      ORDER BY ended.at DESC LIMIT 1`,
    [customerId, memberId, productId, now.toISOString()],
  )
  return row?.reason ?? null
}

type Fulfillment = Omit<typeof fulfillments.$inferInsert, 'customerId' | 'id'>

/** Records that a product was watched or downloaded. */
export const insertFulfillment = async (db: TenantDb, customerId: CustomerId, fulfillment: Fulfillment) => {
  await db.insert(fulfillments).values({ ...fulfillment, customerId, id: newId() })
}
