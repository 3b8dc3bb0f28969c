import { type Ctx, viewerOf } from '#api/context.ts'
import { dismissPositions } from '#api/db/queries/positions.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import type { ProductId } from '#contract/ids.ts'

/** Takes a product off the asking person's continue-watching list, or puts it back. Where they stopped stays known. */
export const dismissWatched = async (
  ctx: Ctx,
  productId: ProductId,
  dismissed: boolean,
): Promise<{ dismissed: boolean } | Failure> => {
  const viewer = viewerOf(ctx.actor)
  if (viewer === null) return failure('NOT_FOUND')
  const at = dismissed ? ctx.clock.now().toISOString() : null
  const known = await dismissPositions(ctx.db, { customerId: ctx.customer.id, viewer, productId }, at)
  return known ? { dismissed } : failure('NOT_FOUND')
}
