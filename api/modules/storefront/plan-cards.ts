import { listCategories } from '#api/modules/catalog/categories.ts'
import type { ProductSelection } from '#api/modules/catalog/product-lists.queries.ts'
import type { ProductIndexFilter } from '#api/modules/catalog/query-product-index.ts'
import { listedProducts, type PlanRow, planAccess, readPlans } from '#api/modules/plans/plans.queries.ts'
import type { PlanScope } from '#api/modules/plans/plans.schema.ts'
import { firstCharges, kindOfChange } from '#api/modules/plans/plans.ts'
import { findCurrentSubscription, hasHadTrial, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import { type ReaderCtx, translateRow } from '#api/platform/i18n/translations.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { SortOption } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { cardsInOrder } from './product-cards.ts'
import type { CatalogStores } from './search.ts'

/**
 * The products that a plan covers: every product available on plans, those of some categories, or a
 * list. `id` is null for a scope that covers everything.
 */
export type Scope = Pick<PlanRow, 'categoryIds'> & { id: PlanRow['id'] | null; scope: PlanScope }

/** Products whose access includes plans. The scope narrows this filter. */
const onPlans: ProductIndexFilter = {
  category: null,
  kind: null,
  access: planAccess,
  tag: null,
  priceMin: null,
  priceMax: null,
  durationMin: null,
  durationMax: null,
  video: false,
}

const selectionOf = ({ id, scope, categoryIds }: Scope, listed: ReadonlyMap<string, ProductId[]>): ProductSelection => {
  if (scope === 'ALL') return null
  return scope === 'CATEGORIES' ? { categoryIds } : { productIds: (id !== null && listed.get(id)) || [] }
}

/** Returns the number of products on sale that each plan covers. */
const countCovered = async (ctx: Ctx, stores: CatalogStores, scopes: readonly Scope[]) => {
  const lists = await stores.productIndexes.listsOf(ctx)
  const listed = await listedOf(ctx, scopes)
  const now = ctx.clock.now().getTime() / 1000
  const count = async (scope: Scope) => {
    const { total } = await lists.count(selectionOf(scope, listed), onPlans, now)
    return [scope.id, total] as const
  }
  return new Map(await Promise.all(scopes.map(count)))
}

/** Returns a page of the products on sale that a plan covers, as the viewer sees them. */
export const coveredProducts = async (
  ctx: Ctx,
  stores: CatalogStores,
  scope: Scope,
  { sort = 'sort,DESC', page, size }: { sort?: SortOption | undefined; page: number; size: number },
): Promise<Page<ProductCard>> => {
  const lists = await stores.productIndexes.listsOf(ctx)
  const selection = selectionOf(scope, await listedOf(ctx, [scope]))
  const now = ctx.clock.now().getTime() / 1000
  const ids = await lists.page(selection, onPlans, sort, { offset: (page - 1) * size, limit: size, now })
  const { total } = await lists.count(selection, onPlans, now)
  return { items: await cardsInOrder(ctx, ids), total, page, size }
}

const listedOf = (ctx: Ctx, scopes: readonly Scope[]) =>
  listedProducts(
    ctx.db,
    ctx.customer.id,
    scopes.flatMap(({ id, scope }) => (scope === 'PRODUCTS' && id !== null ? [id] : [])),
  )

/** The data of a plan that does not depend on the viewer. */
export interface PlanFacts {
  row: PlanRow
  categories: Plan['categories']
  productCount: number
}

/** Returns all plans of a tenant in display order, including those not on sale. */
export const planFacts = (ctx: Ctx, stores: CatalogStores): Promise<PlanFacts[]> =>
  stores.cache.get(ctx, 'plans', async () => {
    const rows = await readPlans(ctx.db, ctx.customer.id)
    const counts = await countCovered(
      ctx,
      stores,
      rows.map((row) => ({ ...row, scope: row.scope })),
    )
    const categories = await listCategories(ctx, stores.cache)
    return rows.map((row) => ({
      row,
      categories: categories
        .filter(({ id }) => row.categoryIds.includes(id))
        .map(({ id, name, languages }) => ({ id, name, ...(languages && { languages }) })),
      productCount: counts.get(row.id) ?? 0,
    }))
  })

/** The viewer's relation to the store's plans. */
export interface PlanViewer {
  hadTrial: boolean
  /** The current subscription, once it has started. */
  subscription: SubscriptionRow | null
}

/** Returns the viewer's relation to the store's plans. */
export const planViewer = async ({ db, customer, actor }: Ctx): Promise<PlanViewer> => {
  if (actor.kind !== 'USER') return { hadTrial: false, subscription: null }
  const subscription = await findCurrentSubscription(db, customer.id, actor.memberId)
  return {
    hadTrial: await hasHadTrial(db, customer.id, actor.memberId),
    subscription: subscription?.activatedAt ? subscription : null,
  }
}

/** Returns a plan's texts in the reader's language. */
const planTexts = (ctx: ReaderCtx, row: PlanRow): Pick<Plan, 'name' | 'summary' | 'benefits' | 'languages'> => {
  const { name, summary, benefits, languages } = translateRow(ctx, row, ['name', 'summary', 'benefits'])
  return { name, summary, benefits, ...(languages && { languages }) }
}

/** Returns a plan as the viewer sees it. `all` are the tenant's plans. */
export const viewPlan = (
  ctx: Pick<Ctx, 'customer' | 'locale' | 'clock'>,
  { row, categories, productCount }: PlanFacts,
  all: readonly PlanFacts[],
  viewer: PlanViewer,
): Plan => {
  const cycle = row.cycle
  const trialAvailable = row.trialDays > 0 && !viewer.hadTrial
  const { first, next } = firstCharges(
    { cycle, trialDays: row.trialDays },
    trialAvailable,
    ctx.clock.now(),
    ctx.customer.settings.base.timeZone,
  )
  return {
    id: row.id,
    code: row.code,
    ...planTexts(ctx, row),
    price: { amount: row.priceAmount, currency: row.currency },
    agreedPrice: agreedPrice(row, viewer.subscription),
    cycle,
    trialDays: row.trialDays,
    trialAvailable,
    scope: row.scope,
    categories,
    productCount,
    streams: row.streams,
    onSale: row.onSale,
    recommended: row.recommended,
    ifStartedNow: { firstChargeAt: first.toISOString(), nextChargeAt: next.toISOString() },
    relation: relationOf(row, all, viewer.subscription),
  }
}

/**
 * A price change does not affect members who have the plan or have chosen it for their next
 * renewal.
 */
const agreedPrice = (row: PlanRow, subscription: SubscriptionRow | null): Plan['agreedPrice'] => {
  if (!subscription) return null
  const { planId, priceAmount, nextPlanId, nextPriceAmount, currency } = subscription
  const agreed = nextPlanId === row.id ? nextPriceAmount : planId === row.id ? priceAmount : null
  return agreed === null || agreed === row.priceAmount ? null : { amount: agreed, currency }
}

const relationOf = (
  row: PlanRow,
  all: readonly PlanFacts[],
  subscription: SubscriptionRow | null,
): Plan['relation'] => {
  if (!subscription) return 'NONE'
  if (subscription.nextPlanId === row.id) return 'NEXT'
  const current = all.find((plan) => plan.row.id === subscription.planId)
  return current ? kindOfChange({ ...subscription, plan: current.row }, row) : 'NONE'
}
