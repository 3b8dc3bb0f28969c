import type { Ctx } from '#api/context.ts'
import { type PlanRow, type PlanScope, readPlans } from '#api/db/queries/plans.ts'
import { hasHadTrial, type SubscriptionRow, standingSubscription } from '#api/db/queries/subscriptions.ts'
import { listCategories } from '#api/domain/catalog/categories.ts'
import type { CatalogStores } from '#api/domain/catalog/search-products.ts'
import { type ReaderCtx, translateRow } from '#api/domain/translations.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import type { PlanId } from '#contract/ids.ts'
import type { Plan } from '#contract/plans.ts'
import { kindOfChange } from './change-kind.ts'
import { firstCharges } from './period.ts'
import { countCovered } from './plan-products.ts'

/** A plan with what is the same for everybody. */
export interface PlanFacts {
  row: PlanRow
  categories: Plan['categories']
  productCount: number
}

/** All plans of a tenant, those off sale too, in the order they are shown. */
export const planFacts = (ctx: Ctx, stores: CatalogStores): Promise<PlanFacts[]> =>
  stores.cache.get(ctx, 'plans', async () => {
    const rows = await readPlans(ctx.db, ctx.customer.id)
    const counts = await countCovered(
      ctx,
      stores,
      rows.map((row) => ({ ...row, scope: row.scope as PlanScope })),
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

/** What plans are to one person. */
export interface PlanViewer {
  hadTrial: boolean
  /** The subscription that stands and has begun. */
  subscription: SubscriptionRow | null
}

/** What plans are to the asking person. */
export const planViewer = async ({ db, customer, actor }: Ctx): Promise<PlanViewer> => {
  if (actor.kind !== 'USER') return { hadTrial: false, subscription: null }
  const standing = await standingSubscription(db, customer.id, actor.memberId)
  return {
    hadTrial: await hasHadTrial(db, customer.id, actor.memberId),
    subscription: standing?.activatedAt ? standing : null,
  }
}

/** What a plan says of itself, in the reader's language. */
const planTexts = (ctx: ReaderCtx, row: PlanRow): Pick<Plan, 'name' | 'summary' | 'benefits' | 'languages'> => {
  const { name, summary, benefits, languages } = translateRow(ctx, row, ['name', 'summary', 'benefits'])
  return { name, summary, benefits, ...(languages && { languages }) }
}

/** A plan as one person sees it; `all` are the tenant's plans. */
export const viewPlan = (
  ctx: Pick<Ctx, 'customer' | 'locale' | 'clock'>,
  { row, categories, productCount }: PlanFacts,
  all: readonly PlanFacts[],
  viewer: PlanViewer,
): Plan => {
  const cycle = row.cycle as PlanCycle
  const trialAvailable = row.trialDays > 0 && !viewer.hadTrial
  const { first, next } = firstCharges(
    { cycle, trialDays: row.trialDays },
    trialAvailable,
    ctx.clock.now(),
    ctx.customer.settings.base.timeZone,
  )
  return {
    id: row.id as PlanId,
    code: row.code,
    ...planTexts(ctx, row),
    price: { amount: row.priceAmount, currency: row.currency },
    agreedPrice: agreedPrice(row, viewer.subscription),
    cycle,
    trialDays: row.trialDays,
    trialAvailable,
    scope: row.scope as PlanScope,
    categories,
    productCount,
    streams: row.streams,
    onSale: row.onSale,
    recommended: row.recommended,
    begun: { firstChargeAt: first.toISOString(), nextChargeAt: next.toISOString() },
    standing: standingOf(row, all, viewer.subscription),
  }
}

/** A plan that becomes dearer or cheaper changes nothing for those who have it, or have chosen it for their next renewal. */
const agreedPrice = (row: PlanRow, subscription: SubscriptionRow | null): Plan['agreedPrice'] => {
  if (!subscription) return null
  const { planId, priceAmount, nextPlanId, nextPriceAmount, currency } = subscription
  const agreed = nextPlanId === row.id ? nextPriceAmount : planId === row.id ? priceAmount : null
  return agreed === null || agreed === row.priceAmount ? null : { amount: agreed, currency }
}

const standingOf = (
  row: PlanRow,
  all: readonly PlanFacts[],
  subscription: SubscriptionRow | null,
): Plan['standing'] => {
  if (!subscription) return 'NONE'
  if (subscription.nextPlanId === row.id) return 'NEXT'
  const current = all.find((one) => one.row.id === subscription.planId)
  return current ? kindOfChange({ ...subscription, plan: current.row }, row) : 'NONE'
}
