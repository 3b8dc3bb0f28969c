import { and, asc, eq, inArray } from 'drizzle-orm'
import type { TenantDb } from '#api/db/client.ts'
import { named } from '#api/db/named.ts'
import { planProducts, plans } from '#api/db/schema/plans.ts'
import type { CategoryId, CustomerId, PlanId, ProductId } from '#contract/ids.ts'

export type PlanRow = typeof plans.$inferSelect
export type PlanScope = 'ALL' | 'CATEGORIES' | 'PRODUCTS'

/** All plans of a tenant, in the order they are shown; those off sale too. */
export const readPlans = (db: TenantDb, customerId: CustomerId): Promise<PlanRow[]> =>
  db
    .select()
    .from(plans)
    .where(eq(plans.customerId, customerId))
    .orderBy(asc(plans.sort), asc(plans.priceAmount), asc(plans.id))

export const findPlan = async (db: TenantDb, customerId: CustomerId, id: PlanId): Promise<PlanRow | null> => {
  const [row] = await db
    .select()
    .from(plans)
    .where(and(eq(plans.customerId, customerId), eq(plans.id, id)))
  return row ?? null
}

/** The listed products of plans whose scope is PRODUCTS. */
export const listedProducts = async (db: TenantDb, customerId: CustomerId, planIds: readonly string[]) => {
  const listed = new Map<string, ProductId[]>()
  if (planIds.length === 0) return listed
  const rows = await db
    .select()
    .from(planProducts)
    .where(and(eq(planProducts.customerId, customerId), inArray(planProducts.planId, [...planIds])))
  for (const { planId, productId } of rows) {
    const products = listed.get(planId) ?? []
    listed.set(planId, [...products, productId as ProductId])
  }
  return listed
}

/** Which of some products a plan of narrower scope covers. */
export const coveredAmong = async (
  db: TenantDb,
  customerId: CustomerId,
  plan: { id: string; scope: PlanScope; categoryIds: readonly CategoryId[] },
  ids: readonly ProductId[],
): Promise<Set<ProductId>> => {
  const rows =
    plan.scope === 'CATEGORIES'
      ? await named<{ id: ProductId }>(
          db,
          'covered_by_categories',
          'SELECT id FROM products WHERE customer_id = $1 AND id = ANY($2::uuid[]) AND category_ids && $3::uuid[]',
          [customerId, ids, plan.categoryIds],
        )
      : await named<{ id: ProductId }>(
          db,
          'covered_by_list',
          `SELECT product_id AS id FROM plan_products
            WHERE customer_id = $1 AND plan_id = $3 AND product_id = ANY($2::uuid[])`,
          [customerId, ids, plan.id],
        )
  return new Set(rows.map(({ id }) => id))
}

export interface MemberPlans {
  partnershipUntil: string | null
  partnershipName: string | null
  plan: { id: string; scope: PlanScope; categoryIds: CategoryId[]; streams: number } | null
  subscription: {
    activatedAt: string | null
    periodEnd: string | null
    cancelAt: string | null
    graceUntil: string | null
    endedAt: string | null
  } | null
}

/** What a member's rights on plans rest on, in one look-up: the partnership, and the subscription that stands with its plan's scope. */
export const memberPlans = async (db: TenantDb, customerId: CustomerId, memberId: string): Promise<MemberPlans> => {
  const [row] = await named<{
    partnershipUntil: string | null
    partnershipName: string | null
    planId: string | null
    scope: PlanScope
    categoryIds: CategoryId[]
    streams: number
    activatedAt: string | null
    periodEnd: string | null
    cancelAt: string | null
    graceUntil: string | null
  }>(
    db,
    'member_plans',
    `SELECT m.partnership_until AS "partnershipUntil", m.partnership_name AS "partnershipName", p.id AS "planId", p.scope,
            p.category_ids AS "categoryIds", p.streams, s.activated_at AS "activatedAt", s.period_end AS "periodEnd",
            s.cancel_at AS "cancelAt", s.grace_until AS "graceUntil"
       FROM members m
       LEFT JOIN subscriptions s ON s.customer_id = $1 AND s.member_id = m.id AND s.ended_at IS NULL
       LEFT JOIN plans p ON p.customer_id = $1 AND p.id = s.plan_id
      WHERE m.customer_id = $1 AND m.id = $2`,
    [customerId, memberId],
  )
  if (!row) return { partnershipUntil: null, partnershipName: null, plan: null, subscription: null }
  const { planId, scope, categoryIds, streams, partnershipUntil, partnershipName, ...subscription } = row
  if (planId === null) return { partnershipUntil, partnershipName, plan: null, subscription: null }
  const plan = { id: planId, scope, categoryIds, streams }
  return { partnershipUntil, partnershipName, plan, subscription: { ...subscription, endedAt: null } }
}
