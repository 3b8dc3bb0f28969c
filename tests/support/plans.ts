import { inArray } from 'drizzle-orm'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { planProducts, plans } from '#api/modules/plans/plans.schema.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { PlanCycle } from '#contract/enumerations.ts'
import { type CategoryId, type PlanId, type ProductId, planCode } from '#contract/ids.ts'
import { plainSettings } from './settings.ts'
import { createTenant, type Tenant } from './tenant.ts'
import type { TestApi } from './test-api.ts'

export interface PlanInput {
  code?: string
  name?: string
  /** Minor units. */
  price?: number
  cycle?: PlanCycle
  trialDays?: number
  categoryIds?: CategoryId[]
  productIds?: ProductId[]
  streams?: number
  onSale?: boolean
  sort?: number
}

export interface TestPlan {
  id: PlanId
  price: { amount: number; currency: string }
}

/** A tenant that sells plans. */
export const createPlanTenant = (
  api: TestApi,
  change: (settings: ReturnType<typeof plainSettings>) => void = () => {},
) => {
  const settings = plainSettings()
  settings.order.useSubscribe = true
  change(settings)
  return createTenant(api, { settings })
}

/**
 * A plan of the tenant, by default for all products and 900 a month. A plan for all products needs
 * one: it is created where the tenant has none.
 */
export const createPlan = async (tenant: Tenant, input: PlanInput = {}): Promise<TestPlan> => {
  const id = newId<PlanId>()
  const { price = 900, productIds, categoryIds, cycle = 'MONTH', code = `plan-${id.slice(-12)}`, ...rest } = input
  const { currency } = tenant.settings.base
  const scope = categoryIds ? 'CATEGORIES' : productIds ? 'PRODUCTS' : 'ALL'
  const onPlans = inArray(products.access, ['PLAN', 'PURCHASE_OR_PLAN'])
  const isEmpty = scope === 'ALL' && (await tenant.within((db) => db.$count(products, onPlans))) === 0
  if (isEmpty) await tenant.createProduct({ access: 'PLAN' })
  await tenant.within(async (db) => {
    await db.insert(plans).values({
      customerId: tenant.id,
      id,
      code: planCode.parse(code),
      name: 'All access',
      priceAmount: price,
      currency,
      cycle,
      scope,
      categoryIds: categoryIds ?? [],
      ...rest,
    })
    if (productIds?.length)
      await db
        .insert(planProducts)
        .values(productIds.map((productId) => ({ customerId: tenant.id, planId: id, productId })))
  })
  return { id, price: { amount: price, currency } }
}
