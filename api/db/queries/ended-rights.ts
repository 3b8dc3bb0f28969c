import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import type { CustomerId, MemberId, ProductId } from '#contract/ids.ts'

/** How a right to a product ended: its money went back, its time is over, or the plan it was part of has ended. */
export type RightEnd = 'REFUNDED' | 'EXPIRED' | 'PLAN_ENDED'

/** How the right to a product that a member lost last ended; null where they never had one. */
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
          AND p.customer_id = $1 AND p.id = $3 AND p.access IN ('PLAN', 'PURCHASE_OR_PLAN')
       UNION ALL
       SELECT 'PLAN_ENDED', coalesce(s.ended_at, s.cancel_at, s.grace_until)
         FROM subscriptions s
         JOIN plans l ON l.customer_id = s.customer_id AND l.id = s.plan_id
         JOIN products p ON p.customer_id = s.customer_id AND p.id = $3
        WHERE s.customer_id = $1 AND s.member_id = $2 AND s.activated_at IS NOT NULL
          AND coalesce(s.ended_at, s.cancel_at, s.grace_until) <= $4
          AND p.access IN ('PLAN', 'PURCHASE_OR_PLAN')
          AND (l.scope = 'ALL' OR (l.scope = 'CATEGORIES' AND p.category_ids && l.category_ids)
            OR EXISTS (SELECT 1 FROM plan_products o
                        WHERE o.customer_id = $1 AND o.plan_id = l.id AND o.product_id = $3))
     ) ended
      ORDER BY ended.at DESC LIMIT 1`,
    [customerId, memberId, productId, now.toISOString()],
  )
  return row?.reason ?? null
}
