import { and, desc, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { entitlements, orderItems } from '#api/db/schema/commerce.ts'
import { newId } from '#api/db/uuid.ts'
import type { CustomerId, MemberId, OrderItemId, ProductId } from '#contract/ids.ts'

export type EntitlementRow = typeof entitlements.$inferSelect

const alive = (now: Date) =>
  and(
    isNull(entitlements.revokedAt),
    eq(entitlements.suspended, false),
    or(isNull(entitlements.expiresAt), gt(entitlements.expiresAt, now.toISOString())),
    or(isNotNull(entitlements.startedAt), isNull(entitlements.startBy), gt(entitlements.startBy, now.toISOString())),
  )

/** A right with what was paid for it; all null where it was not bought. */
export interface HeldEntitlement extends EntitlementRow {
  /** In minor units: its own price, and that of the whole order. */
  priceAmount: number | null
  totalAmount: number | null
  currency: string | null
  paidAt: string | null
  openedAt: string | null
  refundedAt: string | null
}

/** Products a member holds a live right to, latest right first. */
export const entitledProducts = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  const rows = await db
    .select({ productId: entitlements.productId })
    .from(entitlements)
    .where(and(eq(entitlements.customerId, customerId), eq(entitlements.memberId, memberId), alive(now)))
    .orderBy(desc(entitlements.createdAt), desc(entitlements.id))
  return [...new Set(rows.map((row) => row.productId as ProductId))]
}

export interface Grant {
  memberId: MemberId
  productId: ProductId
  orderItemId: OrderItemId
  source: 'OWN' | 'RENT'
  rentalDays: number | null
  startBy: string | null
}

/** Writes rights; one order item gives one, however often it is granted. */
export const insertEntitlements = async (db: TenantDb, customerId: CustomerId, grants: readonly Grant[], now: Date) => {
  if (grants.length === 0) return
  await db
    .insert(entitlements)
    .values(grants.map((grant) => ({ ...grant, customerId, id: newId(), createdAt: now.toISOString() })))
    .onConflictDoNothing({ target: [entitlements.customerId, entitlements.orderItemId] })
}

/** Gives a member a product without an order, once. */
export const insertGrant = (
  db: TenantDb,
  customerId: CustomerId,
  { memberId, productId }: Pick<Grant, 'memberId' | 'productId'>,
  now: Date,
) =>
  db.$client.query(
    `INSERT INTO entitlements (customer_id, id, member_id, product_id, source, created_at)
     SELECT $1, $2, $3, $4, 'GRANT', $5 WHERE NOT EXISTS (
       SELECT FROM entitlements WHERE customer_id = $1 AND member_id = $3 AND product_id = $4 AND source = 'GRANT' AND revoked_at IS NULL)`,
    [customerId, newId(), memberId, productId, now],
  )

/**
 * Marks a right as begun, and the order item behind it as opened. Only the first time changes anything: `first` says whether this was
 * it. `expiresAt` is the right's end either way.
 */
export const beginEntitlement = async (
  db: TenantDb,
  customerId: CustomerId,
  entitlement: Pick<EntitlementRow, 'id' | 'orderItemId'>,
  begin: { at: Date; expiresAt: Date | null },
): Promise<{ first: boolean; expiresAt: string | null }> => {
  const right = and(eq(entitlements.customerId, customerId), eq(entitlements.id, entitlement.id))
  const [begun] = await db
    .update(entitlements)
    .set({
      startedAt: begin.at.toISOString(),
      ...(begin.expiresAt ? { expiresAt: begin.expiresAt.toISOString() } : {}),
    })
    // What was taken away meanwhile is not begun any more.
    .where(
      and(right, isNull(entitlements.startedAt), eq(entitlements.suspended, false), isNull(entitlements.revokedAt)),
    )
    .returning({ expiresAt: entitlements.expiresAt })
  if (!begun) {
    const [known] = await db.select({ expiresAt: entitlements.expiresAt }).from(entitlements).where(right)
    return { first: false, expiresAt: known?.expiresAt ?? null }
  }
  const answer = { first: true, expiresAt: begun.expiresAt }
  if (!entitlement.orderItemId) return answer
  await db
    .update(orderItems)
    .set({ openedAt: begin.at.toISOString() })
    .where(
      and(
        eq(orderItems.customerId, customerId),
        eq(orderItems.id, entitlement.orderItemId),
        isNull(orderItems.openedAt),
      ),
    )
  return answer
}

const ofItems = (customerId: CustomerId, orderItemIds: readonly string[]) =>
  and(
    eq(entitlements.customerId, customerId),
    inArray(entitlements.orderItemId, [...orderItemIds]),
    isNull(entitlements.revokedAt),
  )

/** Suspends rights that came from order items, or gives them back. Whoever begins one of them at this moment waits, or was first. */
export const suspendEntitlements = async (
  db: TenantDb,
  customerId: CustomerId,
  orderItemIds: readonly string[],
  suspended: boolean,
) => {
  if (orderItemIds.length === 0) return
  await db.update(entitlements).set({ suspended }).where(ofItems(customerId, orderItemIds))
}

/** Ends rights that came from order items, at once. */
export const revokeEntitlements = async (
  db: TenantDb,
  customerId: CustomerId,
  orderItemIds: readonly string[],
  now: Date,
) => {
  if (orderItemIds.length === 0) return
  await db.update(entitlements).set({ revokedAt: now.toISOString() }).where(ofItems(customerId, orderItemIds))
}
