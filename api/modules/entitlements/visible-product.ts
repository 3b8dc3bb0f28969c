import { type ProductState, readProductState } from '#api/modules/catalog/products.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import type { ProductId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { type Right, rightOf } from './entitlements.ts'

interface VisibilityFacts {
  status: string
  freeOfCharge: boolean
}

/**
 * Whether a person may know of a product: a draft is nobody's. A hidden one, and one that is free of charge in a store that gives
 * nothing away, is nobody's but those who hold a right to it.
 */
export const isVisible = (
  { status, freeOfCharge }: VisibilityFacts,
  { held }: Pick<Right, 'held'>,
  { useFree }: Pick<SiteSettings['order'], 'useFree'>,
): boolean => status !== 'DRAFT' && (held || (status !== 'HIDDEN' && (useFree || !freeOfCharge)))

/** A product the viewer may know of, by its id; null for everything else. */
export const visibleProduct = async (ctx: Ctx, id: ProductId): Promise<ProductState | null> => {
  const product = await readProductState(ctx.db, ctx.customer.id, id)
  const { order } = ctx.customer.settings
  if (!product || isVisible(product, { held: false }, order)) return product
  return isVisible(product, await rightOf(ctx, product), order) ? product : null
}
