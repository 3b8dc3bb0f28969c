import { isOpenedByPlan } from '#api/modules/entitlements/entitlements.ts'
import { listedProducts, memberPlans, readPlans } from '#api/modules/plans/plans.queries.ts'
import { openPlans, perYear, scopeTest } from '#api/modules/plans/plans.ts'
import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import { type Ctx, type Failure, failure, type MemberCtx } from '#api/platform/context.ts'
import { translateRow } from '#api/platform/i18n/translations.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { ProductAccess, SortOption } from '#contract/enumerations.ts'
import type { CategoryId, PlanId, ProductId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import type { ProductPlan } from '#contract/product-page.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { coveredProducts, type PlanFacts, planFacts, planViewer, viewPlan } from './plan-cards.ts'
import type { CatalogStores } from './search.ts'

/** Returns SUBSCRIBE_DISABLED if the store sells no plans, otherwise null. */
export const plansClosed = ({ customer }: Pick<Ctx, 'customer'>): Failure | null =>
  customer.settings.order.useSubscribe ? null : failure('SUBSCRIBE_DISABLED')

/** Whether a plan can be subscribed to: it is on sale and covers at least one product. */
const isOffered = ({ row, productCount }: PlanFacts) => row.onSale && productCount > 0

/** Whether a plan can be subscribed to. False for an unknown plan. */
export const isPlanOffered = async (ctx: Ctx, stores: CatalogStores, id: PlanId): Promise<boolean> =>
  (await planFacts(ctx, stores)).some((facts) => facts.row.id === id && isOffered(facts))

/**
 * Returns the offered plans, and the viewer's current and next plan whether offered or not. Fails
 * with SUBSCRIBE_DISABLED.
 */
export const listPlans = async (ctx: Ctx, stores: CatalogStores): Promise<{ items: Plan[] } | Failure> => {
  const closed = plansClosed(ctx)
  if (closed) return closed
  const all = await planFacts(ctx, stores)
  const viewer = await planViewer(ctx)
  const ownPlanIds = [viewer.subscription?.planId, viewer.subscription?.nextPlanId]
  const shown = all.filter((facts) => isOffered(facts) || ownPlanIds.includes(facts.row.id))
  return { items: shown.map((facts) => viewPlan(ctx, facts, all, viewer)) }
}

/** Returns one plan, on sale or not. Fails with SUBSCRIBE_DISABLED or NOT_FOUND. */
export const getPlan = async (ctx: Ctx, stores: CatalogStores, id: PlanId): Promise<Plan | Failure> => {
  const closed = plansClosed(ctx)
  if (closed) return closed
  const all = await planFacts(ctx, stores)
  const facts = all.find(({ row }) => row.id === id)
  return facts ? viewPlan(ctx, facts, all, await planViewer(ctx)) : failure('NOT_FOUND')
}

/**
 * Returns the products that a plan covers, in the store's order. Fails with SUBSCRIBE_DISABLED or
 * NOT_FOUND.
 */
export const planProducts = async (
  ctx: Ctx,
  stores: CatalogStores,
  { id, ...paging }: { id: PlanId; page: number; size: number },
): Promise<Page<ProductCard> | Failure> => {
  const closed = plansClosed(ctx)
  if (closed) return closed
  const facts = (await planFacts(ctx, stores)).find(({ row }) => row.id === id)
  if (!facts) return failure('NOT_FOUND')
  return coveredProducts(ctx, stores, { ...facts.row, scope: facts.row.scope }, paging)
}

/** Returns the products that the member's plans cover now. Empty without a plan. */
export const subscriptionProducts = async (
  ctx: MemberCtx,
  stores: CatalogStores,
  paging: { sort?: SortOption | undefined; page: number; size: number },
): Promise<Page<ProductCard>> => {
  const plans = await memberPlans(ctx.db, ctx.customer.id, ctx.actor.memberId)
  const { partnership, regular } = openPlans(plans, ctx.clock.now())
  const allProducts = { id: null, scope: 'ALL' as const, categoryIds: [] }
  const scope = partnership ? allProducts : regular ? plans.plan : null
  if (!scope) return { items: [], total: 0, page: paging.page, size: paging.size }
  return coveredProducts(ctx, stores, scope, paging)
}

/**
 * Returns the plans on sale that cover a product, the cheapest per year first. Empty if the store
 * sells no plans.
 */
export const plansOfProduct = async (
  ctx: Ctx,
  cache: TenantCache,
  product: { id: ProductId; access: ProductAccess; categoryIds: readonly CategoryId[] },
): Promise<ProductPlan[]> => {
  if (!ctx.customer.settings.order.useSubscribe || !isOpenedByPlan(product.access)) return []
  const onSale = await cache.get(ctx, 'plans-on-sale', () => readOnSale(ctx))
  return onSale
    .filter(({ row, listed }) => {
      const isInScope = scopeTest<typeof product>(row.scope, {
        isListed: ({ id }) => listed.has(id),
        sharesCategory: ({ categoryIds }) => row.categoryIds.some((id) => categoryIds.includes(id)),
      })
      return isInScope(product)
    })
    .map(({ row: found }) => translateRow(ctx, found, ['name']))
    .map(({ languages, ...row }) => ({
      id: row.id,
      code: row.code,
      name: row.name,
      ...(languages && { languages }),
      price: { amount: row.priceAmount, currency: row.currency },
      cycle: row.cycle,
    }))
}

const readOnSale = async ({ db, customer }: Ctx) => {
  const rows = (await readPlans(db, customer.id)).filter(({ onSale }) => onSale)
  const narrow = rows.filter(({ scope }) => scope === 'PRODUCTS')
  const listed = await listedProducts(
    db,
    customer.id,
    narrow.map(({ id }) => id),
  )
  return rows.sort((a, b) => perYear(a) - perYear(b)).map((row) => ({ row, listed: new Set(listed.get(row.id)) }))
}
