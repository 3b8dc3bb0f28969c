import type { Ctx } from '#api/context.ts'
import { type ProductState, readProductState } from '#api/db/queries/product-state.ts'
import { type Right, rightOf } from '#api/domain/entitlements/rights.ts'
import type { ProductId } from '#contract/ids.ts'

/** Whether a person may know of a product: a draft is nobody's, and a hidden one is nobody's but those who hold a right to it. */
export const isVisible = ({ status }: { status: string }, { held }: Pick<Right, 'held'>): boolean =>
  status !== 'DRAFT' && (status !== 'HIDDEN' || held)

/** A product the asking person may know of, by its id; null for everything else. */
export const visibleProduct = async (ctx: Ctx, id: ProductId): Promise<ProductState | null> => {
  const product = await readProductState(ctx.db, ctx.customer.id, id)
  if (product?.status !== 'HIDDEN') return product
  return isVisible(product, await rightOf(ctx, product)) ? product : null
}
