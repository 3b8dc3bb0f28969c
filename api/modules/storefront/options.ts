import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { productOptions, products } from '#api/modules/catalog/catalog.schema.ts'
import { isReady } from '#api/modules/catalog/products.queries.ts'
import { visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, failure } from '#api/platform/context.ts'
import { type ReaderCtx, translateRow } from '#api/platform/i18n/translations.ts'
import type { ProductOption } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'

type OptionRow = typeof productOptions.$inferSelect

/** What an option is called, for whoever reads it. */
export const optionName = (ctx: ReaderCtx, row: OptionRow): Pick<ProductOption, 'name' | 'languages'> => {
  const { name, languages } = translateRow(ctx, row, ['name'])
  return { name, ...(languages && { languages }) }
}

const publicOption = (ctx: ReaderCtx, row: OptionRow): ProductOption => ({
  id: row.id,
  productId: row.productId,
  ...optionName(ctx, row),
  type: row.type,
  days: row.days,
  startWithinDays: row.startWithinDays,
  price: { amount: row.priceAmount, currency: row.currency },
  listPrice: row.listPriceAmount === null ? null : { amount: row.listPriceAmount, currency: row.currency },
})

/**
 * The options on sale of some products, in their own order. Without payments (only-plan mode) nothing is for sale, and neither is a
 * product with nothing to get; a store that gives nothing away has no option that costs nothing.
 */
export const optionsOf = async (ctx: Ctx, productIds: readonly ProductId[]): Promise<ProductOption[]> => {
  const { usePayment, useFree } = ctx.customer.settings.order
  if (!usePayment) return []
  const rows = await ctx.db
    .select({ option: productOptions })
    .from(productOptions)
    .innerJoin(
      products,
      and(eq(products.customerId, productOptions.customerId), eq(products.id, productOptions.productId)),
    )
    .where(
      and(
        eq(productOptions.customerId, ctx.customer.id),
        inArray(productOptions.productId, [...productIds]),
        eq(productOptions.onSale, true),
        eq(products.status, 'ON_SALE'),
        sql.raw(isReady('products')),
        useFree ? undefined : gt(productOptions.priceAmount, 0),
      ),
    )
    .orderBy(asc(productOptions.productId), asc(productOptions.sort), asc(productOptions.priceAmount))
  return rows.map(({ option }) => publicOption(ctx, option))
}

/** The ways to obtain one product. */
export const optionsOfProduct = async (ctx: Ctx, id: ProductId) => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  return { items: await optionsOf(ctx, [id]) }
}
