import type { Ctx } from '#api/context.ts'
import { cartLines, deleteCart, findCart, insertCartItems, lockCart, moveCartVersion } from '#api/db/queries/carts.ts'
import { movePositions, moveViewedProducts } from '#api/db/queries/guest-history.ts'
import type { MemberId, OptionId, ProductId } from '#contract/ids.ts'
import { mostLines } from './add-to-cart.ts'

/**
 * Makes a guest's traces the member's, inside the login transaction: the cart's lines (the member's own choice of option stays, and
 * what a cart cannot hold any more is left behind), what was looked at, and where videos stopped. Done twice, it finds nothing the second time.
 */
export const mergeGuest = async (ctx: Pick<Ctx, 'customer' | 'db' | 'clock'>, guestId: string, memberId: MemberId) => {
  const { db, customer, clock } = ctx
  await moveViewedProducts(db, customer.id, guestId, memberId)
  await movePositions(db, customer.id, guestId, memberId)

  if (!(await findCart(db, customer.id, { guestId }))) return
  const guestCart = await lockCart(db, customer.id, { guestId })
  const cart = await lockCart(db, customer.id, { memberId })
  const mine = new Set((await cartLines(db, cart)).map((line) => line.product.id))
  const brought = (await cartLines(db, guestCart))
    .filter((line) => !mine.has(line.product.id))
    .slice(0, Math.max(0, mostLines - mine.size))
  await insertCartItems(
    db,
    cart,
    brought.map(({ item }) => ({
      productId: item.productId as ProductId,
      optionId: item.optionId as OptionId,
      priceAmount: item.priceAmount,
      currency: item.currency,
      at: new Date(item.createdAt),
    })),
  )
  if (brought.length > 0) await moveCartVersion(db, cart, clock.now())
  await deleteCart(db, guestCart)
}
