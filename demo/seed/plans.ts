import { type PlanScope, planProducts, plans } from '#api/modules/plans/plans.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import { type PlanId, planCode } from '#contract/ids.ts'
import { translationsIn } from '../content/model/phrases.ts'
import type { DemoPlan } from '../content/model/types.ts'
import type { SeededCatalog } from './catalog.ts'
import { productOf } from './people.ts'
import { daysAgo, type Seeding } from './seeding.ts'

const scopeOf = ({ categories, products }: DemoPlan): PlanScope =>
  categories ? 'CATEGORIES' : products ? 'PRODUCTS' : 'ALL'

export type SeededPlan = typeof plans.$inferSelect

/** Writes the plans of a store, and the products of plans with a narrower scope. */
export async function seedPlans(seeding: Seeding, catalog: SeededCatalog): Promise<SeededPlan[]> {
  const { customerId, db, tenant } = seeding
  if (tenant.plans.length === 0) return []
  const rows = tenant.plans.map((plan, sort) => ({
    customerId,
    id: newId<PlanId>(),
    code: planCode.parse(plan.code),
    name: plan.name,
    summary: plan.summary,
    benefits: [...plan.benefits],
    translations: translationsIn(tenant.phrases, {
      name: plan.name,
      summary: plan.summary,
      benefits: plan.benefits,
    }),
    priceAmount: plan.price,
    currency: tenant.settings.base.currency,
    cycle: plan.cycle,
    trialDays: plan.trialDays ?? 0,
    scope: scopeOf(plan),
    categoryIds: (plan.categories ?? []).map((slug) => {
      const id = catalog.categoryIds.get(slug)
      if (!id) throw new Error(`The plan ${plan.code} names ${slug}, which does not exist`)
      return id
    }),
    streams: plan.streams,
    onSale: plan.onSale ?? true,
    recommended: plan.recommended ?? false,
    sort,
    createdAt: daysAgo(seeding, 200, sort),
  }))
  const written = await db.insert(plans).values(rows).returning()
  const codesOf = new Map(tenant.plans.map(({ code, products = [] }) => [code, products]))
  const listed = rows.flatMap(({ id: planId, code }) =>
    (codesOf.get(code) ?? []).map((product) => ({ customerId, planId, productId: productOf(catalog, product).id })),
  )
  if (listed.length > 0) await db.insert(planProducts).values(listed)
  return written
}
