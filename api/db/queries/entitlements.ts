import { and, desc, eq, gt, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { members } from '#api/db/schema/accounts.ts'
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

/** A member's rights to some products that hold at this moment: not revoked, suspended, run out, or left unbegun too long. */
export const liveEntitlements = (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  productIds: readonly ProductId[],
  now: Date,
): Promise<EntitlementRow[]> =>
  db
    .select()
    .from(entitlements)
    .where(
      and(
        eq(entitlements.customerId, customerId),
        eq(entitlements.memberId, memberId),
        inArray(entitlements.productId, [...productIds]),
        alive(now),
      ),
    )

/** Products a member holds a live right to, latest right first. */
export const entitledProducts = async (db: TenantDb, customerId: CustomerId, memberId: MemberId, now: Date) => {
  const rows = await db
    .select({ productId: entitlements.productId })
    .from(entitlements)
    .where(and(eq(entitlements.customerId, customerId), eq(entitlements.memberId, memberId), alive(now)))
    .orderBy(desc(entitlements.createdAt), desc(entitlements.id))
  return [...new Set(rows.map((row) => row.productId as ProductId))]
}

/** Until when a member has a partnership plan; null without one. */
export const partnershipUntil = async (db: TenantDb, customerId: CustomerId, memberId: MemberId) => {
  const [member] = await db
    .select({ until: members.partnershipUntil })
    .from(members)
    .where(and(eq(members.customerId, customerId), eq(members.id, memberId)))
  return member?.until ?? null
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

/** Marks a right as begun, and the order item behind it as opened. Only the first time changes anything. */
export const beginEntitlement = async (
  db: TenantDb,
  customerId: CustomerId,
  entitlement: Pick<EntitlementRow, 'id' | 'orderItemId'>,
  begin: { at: Date; expiresAt: Date | null },
) => {
  await db
    .update(entitlements)
    .set({
      startedAt: begin.at.toISOString(),
      ...(begin.expiresAt ? { expiresAt: begin.expiresAt.toISOString() } : {}),
    })
    .where(
      and(eq(entitlements.customerId, customerId), eq(entitlements.id, entitlement.id), isNull(entitlements.startedAt)),
    )
  if (!entitlement.orderItemId) return
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
}

/** Ends rights that came from order items, at once. */
export const revokeEntitlements = async (
  db: TenantDb,
  customerId: CustomerId,
  orderItemIds: readonly OrderItemId[],
  now: Date,
) => {
  if (orderItemIds.length === 0) return
  await db
    .update(entitlements)
    .set({ revokedAt: now.toISOString() })
    .where(
      and(
        eq(entitlements.customerId, customerId),
        inArray(entitlements.orderItemId, [...orderItemIds]),
        isNull(entitlements.revokedAt),
      ),
    )
}
