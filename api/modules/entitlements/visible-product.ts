import { type ProductState, readProductState } from '#api/modules/catalog/playables.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import { readOnce } from '#api/platform/db/shared-reads.ts'
import type { ProductStatus } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import type { SiteSettings } from '#contract/tenancy.ts'
import { type Right, rightOf } from './entitlements.ts'

interface VisibilityFacts {
  status: ProductStatus
  freeOfCharge: boolean
}

/**
 * Whether a person may see a product. Nobody sees a draft. A hidden product, and a free one in a
 * store without free products, is visible only to holders of a right to it.
 */
export const isVisible = (
  { status, freeOfCharge }: VisibilityFacts,
  { owned }: Pick<Right, 'owned'>,
  { useFree }: Pick<SiteSettings['order'], 'useFree'>,
): boolean => status !== 'DRAFT' && (owned || (status !== 'HIDDEN' && (useFree || !freeOfCharge)))

const stateKey = (id: ProductId) => `product state ${id}`

/** Returns the state of a product, or null if it does not exist or is a draft. */
export const productStateOf = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, id: ProductId) =>
  readOnce(db, stateKey(id), () => readProductState(db, customer.id, id))

/** Makes a product known to `productStateOf` of the same shared reads. */
export const shareProductState = ({ db }: Pick<Ctx, 'db'>, product: ProductState) =>
  readOnce(db, stateKey(product.id), () => Promise.resolve(product))

/** Returns a product that the viewer may see, by its id, or null. */
export const visibleProduct = async (ctx: Ctx, id: ProductId): Promise<ProductState | null> => {
  const product = await productStateOf(ctx, id)
  const { order } = ctx.customer.settings
  if (!product || isVisible(product, { owned: false }, order)) return product
  return isVisible(product, await rightOf(ctx, product), order) ? product : null
}
