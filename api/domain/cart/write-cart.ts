import type { Ctx } from '#api/context.ts'
import { type CartRow, lockCart, moveCartVersion } from '#api/db/queries/carts.ts'
import { type Failure, failure, isFailure } from '#api/domain/failure.ts'
import type { Cart } from '#contract/cart.ts'
import { cartOwner } from './owner.ts'
import { viewCart } from './view-cart.ts'

/**
 * Runs one line operation on the actor's cart, alone. A `version` that is not the cart's answers CART_CHANGED with the cart as it
 * is: someone else, or another window, was faster. The actor must be known: a guest without an id cannot write.
 */
export const writeCart = async (
  ctx: Ctx,
  version: number | undefined,
  operation: (cart: CartRow) => Promise<'CHANGED' | 'UNCHANGED' | Failure>,
): Promise<Cart | Failure> => {
  const owner = cartOwner(ctx.actor)
  if (!owner) throw new Error('A cart is written for a member or a guest with an id.')
  const cart = await lockCart(ctx.db, ctx.customer.id, owner)
  if (version !== undefined && version !== cart.version) {
    return failure('CART_CHANGED', { data: await viewCart(ctx, cart) })
  }
  const result = await operation(cart)
  if (isFailure(result)) return result
  return viewCart(ctx, result === 'CHANGED' ? await moveCartVersion(ctx.db, cart, ctx.clock.now()) : cart)
}
