import { and, asc, eq, inArray } from 'drizzle-orm'
import { isReady } from '#api/modules/catalog/products.queries.ts'
import { named, type TenantDb } from '#api/platform/db/client.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { CategoryId, CustomerId, MemberId, PlanId, ProductCode, ProductId } from '#contract/ids.ts'
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
export const findPlan = async (
  db: TenantDb,
  customerId: CustomerId,
  id: PlanId,
  { lock = false } = {},
): Promise<PlanRow | null> => {
  const found = db
    .select()
    .from(plans)
    .where(and(eq(plans.customerId, customerId), eq(plans.id, id)))
  const [row] = await (lock ? found.for('no key update') : found)
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
    pausedAt: string | null
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
  pausedAt: string | null
}

/** For a query that aliases members as `m`. */
export const memberPlansColumns = `m.partnership_until AS "partnershipUntil", m.partnership_name AS "partnershipName",
  p.id AS "planId", p.scope, p.category_ids AS "planCategoryIds", p.streams, s.activated_at AS "activatedAt",
  s.period_end AS "periodEnd", s.cancel_at AS "cancelAt", s.grace_until AS "graceUntil",
  s.paused_at AS "pausedAt"`
export const memberPlansJoins = `LEFT JOIN subscriptions s ON s.customer_id = $1 AND s.member_id = m.id AND s.ended_at IS NULL
  LEFT JOIN plans p ON p.customer_id = $1 AND p.id = s.plan_id`

/**
 * Converts a row of the columns above. Without a row, the member has no partnership and no plan.
 */
export const memberPlansOf = (row: MemberPlansRow | undefined): MemberPlans => {
  if (!row) return { partnershipUntil: null, partnershipName: null, plan: null, subscription: null }
  const { planId, scope, planCategoryIds: categoryIds, streams, partnershipUntil, partnershipName } = row
  if (planId === null) return { partnershipUntil, partnershipName, plan: null, subscription: null }
  const { activatedAt, periodEnd, cancelAt, graceUntil, pausedAt } = row
  return {
    partnershipUntil,
    partnershipName,
    plan: { id: planId, scope, categoryIds, streams },
    subscription: { activatedAt, periodEnd, cancelAt, graceUntil, pausedAt, endedAt: null },
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

/** SQL: the number of products on sale that the plan of alias `l` opens. `$1` is the customer. */
const productsOpened = `(SELECT count(*)::int FROM products c WHERE c.customer_id = $1 AND c.status = 'ON_SALE'
  AND ${isReady('c')} AND ${hasPlanAccess('c')} AND ${isInPlanScope('l', 'c')})`

/**
 * All plans in their order, or the one with an id, with their live subscriptions and the products
 * on sale that they open.
 */
export const readPlanSummaries = async (db: TenantDb, customerId: CustomerId, id: PlanId | null = null) => {
  const { rows } = await db.$client.query<
    Pick<PlanRow, 'id' | 'code' | 'name' | 'priceAmount' | 'currency' | 'cycle' | 'onSale' | 'recommended'> & {
      subscribers: number
      products: number
    }
  >(
    `SELECT l.id, l.code, l.name, l.price_amount AS "priceAmount", l.currency, l.cycle, l.on_sale AS "onSale", l.recommended,
            (SELECT count(*)::int FROM subscriptions s WHERE s.customer_id = $1 AND s.plan_id = l.id
                AND s.ended_at IS NULL AND s.activated_at IS NOT NULL) AS subscribers,
            ${productsOpened} AS products
       FROM plans l WHERE l.customer_id = $1 AND ($2::uuid IS NULL OR l.id = $2)
      ORDER BY l.sort, l.price_amount, l.id`,
    [customerId, id],
  )
  return rows
}

/** Whether a plan of this scope would open a product on sale. */
export const opensAnything = async (
  db: TenantDb,
  customerId: CustomerId,
  { scope, categoryIds, productIds }: Pick<PlanRow, 'scope' | 'categoryIds'> & { productIds: readonly ProductId[] },
): Promise<boolean> => {
  const { rowCount } = await db.$client.query(
    `SELECT FROM products c WHERE c.customer_id = $1 AND c.status = 'ON_SALE' AND ${isReady('c')} AND ${hasPlanAccess('c')}
        AND ($2 = 'ALL' OR ($2 = 'CATEGORIES' AND c.category_ids && $3::uuid[]) OR ($2 = 'PRODUCTS' AND c.id = ANY($4::uuid[])))
      LIMIT 1`,
    [customerId, scope, categoryIds, productIds],
  )
  return rowCount !== 0
}

export interface ListedProduct {
  code: ProductCode
  title: string
}

/** The listed products of a plan by code. */
export const productsOfPlan = async (db: TenantDb, customerId: CustomerId, id: PlanId): Promise<ListedProduct[]> => {
  const { rows } = await db.$client.query<{ code: ProductCode; title: string }>(
    `SELECT c.code, c.title FROM plan_products l JOIN products c ON c.customer_id = $1 AND c.id = l.product_id
      WHERE l.customer_id = $1 AND l.plan_id = $2 ORDER BY c.code`,
    [customerId, id],
  )
  return rows
}

/** Whether the store has all of some categories. */
export const haveCategories = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly CategoryId[],
): Promise<boolean> => {
  const { rowCount } = await db.$client.query(
    'SELECT FROM categories WHERE customer_id = $1 AND id = ANY($2::uuid[])',
    [customerId, ids],
  )
  return rowCount === new Set(ids).size
}

/** Serializes changes of the order of plans until the transaction ends. */
export const lockPlanOrder = (db: TenantDb, customerId: CustomerId) =>
  db.$client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 8))', [`plans ${customerId}`])

/** Gives the plans the order of their ids. */
export const writePlanOrder = (db: TenantDb, customerId: CustomerId, ids: readonly PlanId[]) =>
  db.$client.query(
    `UPDATE plans l SET sort = placed.place::int
       FROM unnest($2::uuid[]) WITH ORDINALITY AS placed (id, place)
      WHERE l.customer_id = $1 AND l.id = placed.id AND l.sort <> placed.place`,
    [customerId, ids],
  )

/** Inserts a plan. Returns false if its code is taken. */
export const insertPlan = async (db: TenantDb, row: typeof plans.$inferInsert): Promise<boolean> =>
  (await db.insert(plans).values(row).onConflictDoNothing().returning({ id: plans.id })).length > 0

/** Changes the columns of a plan and the products that it lists. */
export const updatePlan = async (
  db: TenantDb,
  customerId: CustomerId,
  id: PlanId,
  columns: Partial<typeof plans.$inferInsert>,
  productIds: readonly ProductId[],
): Promise<void> => {
  await db
    .update(plans)
    .set(columns)
    .where(and(eq(plans.customerId, customerId), eq(plans.id, id)))
  await db.delete(planProducts).where(and(eq(planProducts.customerId, customerId), eq(planProducts.planId, id)))
  if (productIds.length > 0)
    await db.insert(planProducts).values(productIds.map((productId) => ({ customerId, planId: id, productId })))
}

/** Whether anybody has ever subscribed to a plan, or is going to change to it. */
export const isPlanUsed = async (db: TenantDb, customerId: CustomerId, id: PlanId): Promise<boolean> => {
  const { rowCount } = await db.$client.query(
    'SELECT FROM subscriptions WHERE customer_id = $1 AND (plan_id = $2 OR next_plan_id = $2) LIMIT 1',
    [customerId, id],
  )
  return rowCount !== 0
}

/** Removes a plan with the products that it lists. */
export const removePlan = async (db: TenantDb, customerId: CustomerId, id: PlanId): Promise<void> => {
  await db.delete(planProducts).where(and(eq(planProducts.customerId, customerId), eq(planProducts.planId, id)))
  await db.delete(plans).where(and(eq(plans.customerId, customerId), eq(plans.id, id)))
}
