import type { Ctx } from '#api/context.ts'
import { findCart } from '#api/db/queries/carts.ts'
import { cartOwner } from './owner.ts'
import { viewCart } from './view-cart.ts'

/** The actor's cart; an empty one of version 0 where none was ever begun. */
export const getCart = async (ctx: Ctx) => {
  const owner = cartOwner(ctx.actor)
  return viewCart(ctx, owner && (await findCart(ctx.db, ctx.customer.id, owner)))
}
