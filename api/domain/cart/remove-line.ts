import type { Ctx } from '#api/context.ts'
import { deleteCartItem } from '#api/db/queries/carts.ts'
import { failure } from '#api/domain/failure.ts'
import type { CartItemId } from '#contract/ids.ts'
import { writeCart } from './write-cart.ts'

/** Takes a line out. One that is not in the actor's own cart is not found. */
export const removeLine = (ctx: Ctx, input: { id: CartItemId; version?: number | undefined }) =>
  writeCart(ctx, input.version, async (cart) => {
    const gone = await deleteCartItem(ctx.db, cart, input.id)
    return gone.length === 0 ? failure('NOT_FOUND') : 'CHANGED'
  })
