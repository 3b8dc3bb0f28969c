import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { Statement } from '#api/db/read-together.ts'
import type { CustomerId, ProductId } from '#contract/ids.ts'
import type { HeldEntitlement } from './entitlements.ts'
import { type MemberPlans, type MemberPlansRow, memberPlansColumns, memberPlansJoins, memberPlansOf } from './plans.ts'

/** All that a member's rights to some products rest on. */
export interface HeldRights {
  /**
   * Those that hold at this moment: not revoked, run out, or left unbegun too long. One that is suspended while it is decided whether its
   * order is sent back comes along, marked as suspended.
   */
  entitlements: HeldEntitlement[]
  plans: MemberPlans
  /** Of the products asked about for a plan, those in the scope of the one subscribed to; null where that is all of them. */
  inScope: ProductId[] | null
}

interface Asked {
  memberId: string
  productIds: readonly ProductId[]
  /** Those of them that a plan may open. */
  onPlan: readonly ProductId[]
}

type Row = MemberPlansRow & { inScope: ProductId[] | null } & HeldEntitlement

/** What a member holds, in one look-up: a row for each entitlement, with the member's plans on every one; one row without any. */
export const heldRightsStatement = (
  customerId: CustomerId,
  { memberId, productIds, onPlan }: Asked,
  now: Date,
): Statement => ({
  name: 'held_rights',
  text: `SELECT ${memberPlansColumns},
            CASE p.scope
              WHEN 'CATEGORIES' THEN ARRAY(SELECT c.id FROM products c
                WHERE c.customer_id = $1 AND c.id = ANY($4::uuid[]) AND c.category_ids && p.category_ids)
              WHEN 'PRODUCTS' THEN ARRAY(SELECT l.product_id FROM plan_products l
                WHERE l.customer_id = $1 AND l.plan_id = p.id AND l.product_id = ANY($4::uuid[]))
            END AS "inScope", e.*
       FROM members m
       ${memberPlansJoins}
       LEFT JOIN LATERAL (
         SELECT e.customer_id AS "customerId", e.id, e.member_id AS "memberId", e.product_id AS "productId", e.source,
                e.order_item_id AS "orderItemId", e.rental_days AS "rentalDays", e.start_by AS "startBy",
                e.started_at AS "startedAt", e.expires_at AS "expiresAt", e.suspended, e.revoked_at AS "revokedAt",
                e.created_at AS "createdAt", i.price_amount AS "priceAmount", i.currency, i.opened_at AS "openedAt",
                i.refunded_at AS "refundedAt", o.paid_at AS "paidAt", o.total_amount AS "totalAmount"
           FROM entitlements e
           LEFT JOIN order_items i ON i.customer_id = e.customer_id AND i.id = e.order_item_id
           LEFT JOIN orders o ON o.customer_id = i.customer_id AND o.id = i.order_id
          WHERE e.customer_id = $1 AND e.member_id = $2 AND e.product_id = ANY($3::uuid[])
            AND e.revoked_at IS NULL AND (NOT e.suspended OR o.status = 'CANCEL_REQUEST')
            AND (e.expires_at IS NULL OR e.expires_at > $5)
            AND (e.started_at IS NOT NULL OR e.start_by IS NULL OR e.start_by > $5)
       ) e ON true
      WHERE m.customer_id = $1 AND m.id = $2`,
  values: [customerId, memberId, `{${productIds.join()}}`, `{${onPlan.join()}}`, now.toISOString()],
})

export const heldRightsOf = (found: readonly Record<string, unknown>[]): HeldRights => {
  const rows = found as unknown as Row[]
  return {
    entitlements: rows.filter((row) => row.id !== null),
    plans: memberPlansOf(rows[0]),
    inScope: rows[0]?.inScope ?? null,
  }
}

export const heldRights = async (
  db: TenantDb,
  customerId: CustomerId,
  asked: Asked,
  now: Date,
): Promise<HeldRights> => {
  const { name, text, values } = heldRightsStatement(customerId, asked, now)
  return heldRightsOf(await named(db, name, text, values))
}
