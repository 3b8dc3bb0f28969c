import { freeProductsAt, type ProductState, readProductState } from '#api/modules/catalog/playables.queries.ts'
import type { Ctx } from '#api/platform/context.ts'
import { readOnce } from '#api/platform/db/shared-reads.ts'
import type { ProductStatus } from '#contract/enumerations.ts'
import type { ProductId } from '#contract/ids.ts'
import { type Right, rightOf } from './entitlements.ts'

interface VisibilityFacts {
  id: ProductId
  status: ProductStatus
  saleFrom: string | null
  freeOfCharge: boolean
}

/** The store and the time at which a product is seen. */
interface Visibility {
  useFree: boolean
  now: Date
  /** A product that is shown in any state. */
  previewed: ProductId | null
}

/** Returns on what the visibility of products depends besides themselves. */
export const visibilityOf = ({
  customer,
  clock,
  previewed = null,
}: Pick<Ctx, 'customer' | 'clock' | 'previewed'>): Visibility => ({
  previewed,
  useFree: customer.settings.order.useFree,
  now: clock.now(),
})

/**
 * Whether a person may see a product. Nobody sees a draft. A hidden product, one whose sale has not
 * begun, and a free one in a store without free products is visible only to holders of a right.
 */
export const isVisible = (
  { id, status, saleFrom, freeOfCharge }: VisibilityFacts,
  { owned }: Pick<Right, 'owned'>,
  { useFree, now, previewed }: Visibility,
): boolean => {
  if (id === previewed) return true
  if (status === 'DRAFT') return false
  const isScheduled = status === 'ON_SALE' && saleFrom !== null && Date.parse(saleFrom) > now.getTime()
  return owned || (status !== 'HIDDEN' && !isScheduled && (useFree || !freeOfCharge))
}

const stateKey = (id: ProductId) => `product state ${id}`

type StateCtx = Pick<Ctx, 'db' | 'customer' | 'previewed' | 'previewAt'>

/** Returns products with whether they are free at the time that a preview link shows. */
export const withPriceStateThen = async <Product extends Pick<ProductState, 'id' | 'freeOfCharge'>>(
  { db, customer, previewAt }: StateCtx,
  products: readonly Product[],
): Promise<readonly Product[]> => {
  if (!previewAt) return products
  const ids = products.map(({ id }) => id)
  const free = await freeProductsAt(db, customer.id, ids, previewAt)
  return products.map((product) => ({ ...product, freeOfCharge: free.has(product.id) }))
}

/** Returns the state of a product, or null if it does not exist or is a draft. */
export const productStateOf = (ctx: StateCtx, id: ProductId): Promise<ProductState | null> => {
  const { db, customer, previewed = null } = ctx
  return readOnce(db, stateKey(id), async () => {
    const stored = await readProductState(db, customer.id, id, previewed)
    const [product] = stored ? await withPriceStateThen(ctx, [stored]) : []
    return product ?? null
  })
}

/** Makes a product known to `productStateOf` of the same shared reads. */
export const shareProductState = ({ db }: Pick<Ctx, 'db'>, product: ProductState) =>
  readOnce(db, stateKey(product.id), () => Promise.resolve(product))

/** Returns a product that the viewer may see, by its id, or null. */
export const visibleProduct = async (ctx: Ctx, id: ProductId): Promise<ProductState | null> => {
  const product = await productStateOf(ctx, id)
  const visibility = visibilityOf(ctx)
  if (!product || isVisible(product, { owned: false }, visibility)) return product
  return isVisible(product, await rightOf(ctx, product), visibility) ? product : null
}
