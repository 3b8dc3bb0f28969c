import { type OptionRow, readOptionsOnSale } from '#api/modules/catalog/playables.queries.ts'
import { visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { type Ctx, failure } from '#api/platform/context.ts'
import { type ReaderCtx, translateRow } from '#api/platform/i18n/translations.ts'
import type { ProductOption } from '#contract/catalog.ts'
import type { ProductId } from '#contract/ids.ts'

/** The option's name in the reader's language. */
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
 * Returns the options on sale of the given products in their own order. There are none without
 * payments (only-plan mode) or for a product without content. Free options are omitted if the store
 * has disabled them.
 */
export const optionsOf = async (ctx: Ctx, productIds: readonly ProductId[]): Promise<ProductOption[]> => {
  const { usePayment, useFree } = ctx.customer.settings.order
  if (!usePayment) return []
  const rows = await readOptionsOnSale(ctx.db, ctx.customer.id, productIds, {
    withFree: useFree,
    now: ctx.clock.now(),
    previewed: ctx.previewed ?? null,
  })
  return rows.map((row) => publicOption(ctx, row))
}

/**
 * Returns the options on sale of one product, as `optionsOf` does. Fails with NOT_FOUND if the
 * viewer cannot see the product.
 */
export const optionsOfProduct = async (ctx: Ctx, id: ProductId) => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  return { items: await optionsOf(ctx, [id]) }
}
