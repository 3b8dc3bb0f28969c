import { type Ctx, viewerOf } from '#api/context.ts'
import { recordView } from '#api/db/queries/histories.ts'
import { visibleProduct } from '#api/domain/catalog/visible-product.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { ProductId } from '#contract/ids.ts'

/** Counts a look at a product's page, and keeps it in the viewer's history. */
export const viewProduct = async (ctx: Ctx, id: ProductId): Promise<Failure | undefined> => {
  if (!(await visibleProduct(ctx, id))) return failure('NOT_FOUND')
  await recordView(ctx.db, ctx.customer.id, viewerOf(ctx.actor), id, ctx.clock.now())
  return undefined
}
