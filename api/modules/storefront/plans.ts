import { listCategories } from '#api/modules/catalog/categories.ts'
import type { ProductSelection } from '#api/modules/catalog/product-lists.queries.ts'
import type { ProductIndexFilter } from '#api/modules/catalog/query-product-index.ts'
import { isOpenedByPlan } from '#api/modules/entitlements/entitlements.ts'
import { listedProducts, memberPlans, type PlanRow, planAccess, readPlans } from '#api/modules/plans/plans.queries.ts'
import type { PlanScope } from '#api/modules/plans/plans.schema.ts'
import { firstCharges, kindOfChange, openPlans, perYear, scopeTest } from '#api/modules/plans/plans.ts'
import { findCurrentSubscription, hasHadTrial, type SubscriptionRow } from '#api/modules/plans/subscriptions.queries.ts'
import type { TenantCache } from '#api/modules/tenancy/stores.ts'
import { type Ctx, type Failure, failure, type MemberCtx } from '#api/platform/context.ts'
import { type ReaderCtx, translateRow } from '#api/platform/i18n/translations.ts'
import type { ProductCard } from '#contract/catalog.ts'
import type { ProductAccess, SortOption } from '#contract/enumerations.ts'
import type { CategoryId, PlanId, ProductId } from '#contract/ids.ts'
import type { Page } from '#contract/paging.ts'
import type { ProductPlan } from '#contract/product-page.ts'
import type { Plan } from '#contract/subscriptions.ts'
import { cardsInOrder } from './product-cards.ts'
import { anyProduct, type CatalogStores } from './search.ts'

/**
 * The products that a plan covers: every product available on plans, those of some categories, or a
 * list. `id` is null for a scope that covers everything.
 */
type Scope = Pick<PlanRow, 'categoryIds'> & { id: PlanRow['id'] | null; scope: PlanScope }

/** Products whose access includes plans. The scope narrows this filter. */
const onPlans: ProductIndexFilter = { ...anyProduct, access: planAccess }

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
const coveredProducts = async (
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
interface PlanFacts {
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
interface PlanViewer {
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
