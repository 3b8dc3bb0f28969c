import { openPlans } from '#api/modules/entitlements/entitlements.ts'
import {
  type MemberPlans,
  type MemberPlansRow,
  memberPlansColumns,
  memberPlansJoins,
  memberPlansOf,
} from '#api/modules/plans/plans.queries.ts'
import { failure, type MemberCtx } from '#api/platform/context.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { Locale } from '#contract/enumerations.ts'
import type { Me } from '#contract/identity.ts'
import type { CustomerId, MemberId } from '#contract/ids.ts'

export interface MemberRow {
  id: MemberId
  email: string
  name: string
  locale: Locale | null
  cartCount: number
  createdAt: string
}

/** Returns the signed-in member's profile with the data their plan rights depend on. */
export const readMember = async (
  db: TenantDb,
  customerId: CustomerId,
  id: MemberId,
): Promise<{ member: MemberRow; plans: MemberPlans } | null> => {
  const [row] = await named<MemberRow & MemberPlansRow & Record<string, unknown>>(
    db,
    'member',
    `SELECT m.id, m.email, m.name, m.locale, m.created_at AS "createdAt",
            (SELECT count(*) FROM carts c JOIN cart_items i ON i.customer_id = c.customer_id AND i.cart_id = c.id
              WHERE c.customer_id = $1 AND c.member_id = $2) AS "cartCount",
            ${memberPlansColumns}
       FROM members m ${memberPlansJoins}
      WHERE m.customer_id = $1 AND m.id = $2`,
    [customerId, id],
  )
  if (!row) return null
  const { email, name, locale, cartCount, createdAt } = row
  return { member: { id: row.id, email, name, locale, cartCount, createdAt }, plans: memberPlansOf(row) }
}

/**
 * Returns the signed-in member with the size of the cart and whether plans are open to them. Fails
 * with SESSION_EXPIRED if the member no longer exists.
 */
export const getMe = async ({ customer, actor, db, clock }: MemberCtx) => {
  const found = await readMember(db, customer.id, actor.memberId)
  if (!found) return failure('SESSION_EXPIRED')
  return { ...found.member, usePlan: openPlans(found.plans, clock.now()) } satisfies Me
}
