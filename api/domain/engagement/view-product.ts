import { type Ctx, viewerOf } from '#api/context.ts'
import { recordView } from '#api/db/queries/histories.ts'
import { readProductState } from '#api/db/queries/product-state.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { ProductId } from '#contract/ids.ts'

/** Counts a look at a product's page, and keeps it in the viewer's history. */
export const viewProduct = async (ctx: Ctx, id: ProductId): Promise<Failure | undefined> => {
  const product = await readProductState(ctx.db, ctx.customer.id, id)
  if (!product || product.status === 'HIDDEN') return failure('NOT_FOUND')
  await recordView(ctx.db, ctx.customer.id, viewerOf(ctx.actor), id, ctx.clock.now())
  return undefined
}
