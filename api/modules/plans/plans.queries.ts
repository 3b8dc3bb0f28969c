import { and, asc, eq, inArray } from 'drizzle-orm'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { CategoryId, CustomerId, MemberId, PlanId, ProductId } from '#contract/ids.ts'
import { type PlanScope, planProducts, plans } from './plans.schema.ts'

export type PlanRow = typeof plans.$inferSelect

/** The access of products that plans cover. The scope of a plan narrows them: `isInPlanScope`. */
export const planAccess = ['PLAN', 'PURCHASE_OR_PLAN'] as const satisfies readonly ProductAccess[]

/** SQL: whether the access of a product includes plans. `product` is the alias of its row. */
export const hasPlanAccess = (product: string) => `${product}.access IN ('${planAccess.join("', '")}')`

/**
 * SQL: whether a product is in the scope of a plan. `$1` is the customer, `plan` and `product` are
 * the aliases of their rows. Products name the ancestors of their categories too, so a common
 * category is enough. `scopeTest` is the same rule in the process.
 */
export const isInPlanScope = (plan: string, product: string) => `(${plan}.scope = 'ALL'
  OR (${plan}.scope = 'CATEGORIES' AND ${product}.category_ids && ${plan}.category_ids)
  OR (${plan}.scope = 'PRODUCTS' AND EXISTS (SELECT FROM plan_products listed
       WHERE listed.customer_id = $1 AND listed.plan_id = ${plan}.id AND listed.product_id = ${product}.id)))`

/** All plans of a tenant in display order, including those not on sale. */
export const readPlans = (db: TenantDb, customerId: CustomerId): Promise<PlanRow[]> =>
  db
    .select()
    .from(plans)
    .where(eq(plans.customerId, customerId))
    .orderBy(asc(plans.sort), asc(plans.priceAmount), asc(plans.id))

/** Returns a plan, on sale or not, or null. */
export const findPlan = async (db: TenantDb, customerId: CustomerId, id: PlanId): Promise<PlanRow | null> => {
  const [row] = await db
    .select()
    .from(plans)
    .where(and(eq(plans.customerId, customerId), eq(plans.id, id)))
  return row ?? null
}

/** The listed products of plans whose scope is PRODUCTS. */
export const listedProducts = async (db: TenantDb, customerId: CustomerId, planIds: readonly PlanId[]) => {
  const listed = new Map<string, ProductId[]>()
  if (planIds.length === 0) return listed
  const rows = await db
    .select()
    .from(planProducts)
    .where(and(eq(planProducts.customerId, customerId), inArray(planProducts.planId, [...planIds])))
  for (const { planId, productId } of rows) {
    const products = listed.get(planId) ?? []
    listed.set(planId, [...products, productId])
  }
  return listed
}

export interface MemberPlans {
  partnershipUntil: string | null
  partnershipName: string | null
  plan: { id: PlanId; scope: PlanScope; categoryIds: CategoryId[]; streams: number } | null
  subscription: {
    activatedAt: string | null
    periodEnd: string | null
    cancelAt: string | null
    graceUntil: string | null
    endedAt: string | null
  } | null
}

/** A member's partnership and their current subscription with its plan's scope, as one row. */
export interface MemberPlansRow {
  partnershipUntil: string | null
  partnershipName: string | null
  planId: PlanId | null
  scope: PlanScope
  planCategoryIds: CategoryId[]
  streams: number
  activatedAt: string | null
  periodEnd: string | null
  cancelAt: string | null
  graceUntil: string | null
}

/** For a query that aliases members as `m`. */
export const memberPlansColumns = `m.partnership_until AS "partnershipUntil", m.partnership_name AS "partnershipName",
  p.id AS "planId", p.scope, p.category_ids AS "planCategoryIds", p.streams, s.activated_at AS "activatedAt",
  s.period_end AS "periodEnd", s.cancel_at AS "cancelAt", s.grace_until AS "graceUntil"`
export const memberPlansJoins = `LEFT JOIN subscriptions s ON s.customer_id = $1 AND s.member_id = m.id AND s.ended_at IS NULL
  LEFT JOIN plans p ON p.customer_id = $1 AND p.id = s.plan_id`

/**
 * Converts a row of the columns above. Without a row, the member has no partnership and no plan.
 */
export const memberPlansOf = (row: MemberPlansRow | undefined): MemberPlans => {
  if (!row) return { partnershipUntil: null, partnershipName: null, plan: null, subscription: null }
  const { planId, scope, planCategoryIds: categoryIds, streams, partnershipUntil, partnershipName } = row
  if (planId === null) return { partnershipUntil, partnershipName, plan: null, subscription: null }
  const { activatedAt, periodEnd, cancelAt, graceUntil } = row
  return {
    partnershipUntil,
    partnershipName,
    plan: { id: planId, scope, categoryIds, streams },
    subscription: { activatedAt, periodEnd, cancelAt, graceUntil, endedAt: null },
  }
}

/** Returns everything that a member's plan rights depend on, in one query. */
export const memberPlans = async (db: TenantDb, customerId: CustomerId, memberId: MemberId): Promise<MemberPlans> => {
  const [row] = await named<MemberPlansRow & Record<string, unknown>>(
    db,
    'member_plans',
    `SELECT ${memberPlansColumns}
       FROM members m
       ${memberPlansJoins}
      WHERE m.customer_id = $1 AND m.id = $2`,
    [customerId, memberId],
  )
  return memberPlansOf(row)
}

/**
 * SQL for a hash of a member's email that outlives the account: it is not readable and useless at
 * another tenant. `member` is the table alias in the query.
 */
export const emailHash = (member: string) =>
  `encode(sha256(convert_to(${member}.customer_id || ' ' || ${member}.email_lower, 'UTF8')), 'hex')`

/** Whether a plan includes the products of a category. */
export const hasPlanOfCategory = async (db: TenantDb, customerId: CustomerId, id: CategoryId): Promise<boolean> => {
  const { rowCount } = await db.$client.query(
    'SELECT FROM plans WHERE customer_id = $1 AND category_ids @> ARRAY[$2::uuid] LIMIT 1',
    [customerId, id],
  )
  return rowCount !== 0
}
