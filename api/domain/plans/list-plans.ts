import type { Ctx, MemberCtx } from '#api/context.ts'
import { memberPlans, type PlanScope } from '#api/db/queries/plans.ts'
import type { CatalogStores } from '#api/domain/catalog/search-products.ts'
import { openPlans } from '#api/domain/entitlements/plan-coverage.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { PlanId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import type { Plan } from '#contract/plans.ts'
import { coveredProducts } from './plan-products.ts'
import { planFacts, planViewer, viewPlan } from './view-plan.ts'

/** Whether a store sells plans at all; a failure where it does not. */
export const plansClosed = ({ customer }: Pick<Ctx, 'customer'>): Failure | null =>
  customer.settings.order.useSubscribe ? null : failure('SUBSCRIBE_DISABLED')

/** The plans on sale, and the ones the asking person has or has asked for, on sale or not. */
export const listPlans = async (ctx: Ctx, stores: CatalogStores): Promise<{ items: Plan[] } | Failure> => {
  const closed = plansClosed(ctx)
  if (closed) return closed
  const all = await planFacts(ctx, stores)
  const viewer = await planViewer(ctx)
  const own = [viewer.subscription?.planId, viewer.subscription?.nextPlanId]
  const shown = all.filter(({ row }) => row.onSale || own.includes(row.id))
  return { items: shown.map((facts) => viewPlan(ctx, facts, all, viewer)) }
}

/** One plan, on sale or not. */
export const getPlan = async (ctx: Ctx, stores: CatalogStores, id: PlanId): Promise<Plan | Failure> => {
  const closed = plansClosed(ctx)
  if (closed) return closed
  const all = await planFacts(ctx, stores)
  const facts = all.find(({ row }) => row.id === id)
  return facts ? viewPlan(ctx, facts, all, await planViewer(ctx)) : failure('NOT_FOUND')
}

/** What a plan covers, in the store's order. */
export const planProducts = async (
  ctx: Ctx,
  stores: CatalogStores,
  { id, ...paging }: { id: PlanId; page: number; size: number },
): Promise<Page<ProductCard> | Failure> => {
  const closed = plansClosed(ctx)
  if (closed) return closed
  const facts = (await planFacts(ctx, stores)).find(({ row }) => row.id === id)
  if (!facts) return failure('NOT_FOUND')
  return coveredProducts(ctx, stores, { ...facts.row, scope: facts.row.scope as PlanScope }, paging)
}

/** What the member's plans cover now: nothing without one. */
export const subscriptionProducts = async (
  ctx: MemberCtx,
  stores: CatalogStores,
  paging: { sort?: SortOption | undefined; page: number; size: number },
): Promise<Page<ProductCard>> => {
  const held = await memberPlans(ctx.db, ctx.customer.id, ctx.actor.memberId)
  const { partnership, regular } = openPlans(held, ctx.clock.now())
  const everything = { id: '', scope: 'ALL' as const, categoryIds: [] }
  const scope = partnership ? everything : regular ? held.plan : null
  if (!scope) return { items: [], total: 0, page: paging.page, size: paging.size }
  return coveredProducts(ctx, stores, scope, paging)
}
