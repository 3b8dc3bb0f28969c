import type { Ctx } from '#api/context.ts'
import { cartProductIds } from '#api/db/queries/carts.ts'
import type { ProductId } from '#contract/ids.ts'
import { cartOwner } from './owner.ts'

/** Which products lie in the actor's cart. */
export const productsInCart = async (ctx: Ctx): Promise<Set<ProductId>> => {
  const owner = cartOwner(ctx.actor)
  return new Set(owner ? await cartProductIds(ctx.db, ctx.customer.id, owner) : [])
}
