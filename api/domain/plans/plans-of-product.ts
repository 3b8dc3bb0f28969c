import type { Ctx } from '#api/context.ts'
import { listedProducts, readPlans } from '#api/db/queries/plans.ts'
import { accessTable } from '#api/domain/entitlements/access-table.ts'
import { translateRow } from '#api/domain/translations.ts'
import type { TenantCache } from '#api/tenant-cache.ts'
import type { ProductPlan } from '#contract/catalog.ts'
import type { PlanCycle, ProductAccess } from '#contract/enumerations.ts'
import type { PlanId, ProductId } from '#contract/ids.ts'
import { perYear } from './change-kind.ts'

/** The plans on sale that cover a product, the cheapest over a year first; none where the store sells none. */
export const plansOfProduct = async (
  ctx: Ctx,
  cache: TenantCache,
  product: { id: string; access: string; categoryIds: readonly string[] },
): Promise<ProductPlan[]> => {
  const access = accessTable[product.access as ProductAccess]
  if (!ctx.customer.settings.order.useSubscribe || !access.subscriber || access.member) return []
  const onSale = await cache.get(ctx, 'plans-on-sale', () => readOnSale(ctx))
  return onSale
    .filter(({ row, listed }) => {
      if (row.scope === 'ALL') return true
      if (row.scope === 'PRODUCTS') return listed.has(product.id as ProductId)
      return row.categoryIds.some((id) => product.categoryIds.includes(id))
    })
    .map(({ row: found }) => translateRow(ctx, found, ['name']))
    .map(({ languages, ...row }) => ({
      id: row.id as PlanId,
      code: row.code,
      name: row.name,
      ...(languages && { languages }),
      price: { amount: row.priceAmount, currency: row.currency },
      cycle: row.cycle as PlanCycle,
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
