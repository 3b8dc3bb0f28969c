import { type Ctx, cartOwner, type Failure, failure, isFailure } from '#api/platform/context.ts'
import type { EventHandler } from '#api/platform/events.ts'
import type { Cart } from '#contract/cart.ts'
import type { CartItemId, OptionId, ProductId } from '#contract/ids.ts'
import {
  type CartRow,
  cartLines,
  changeCartItem,
  deleteCart,
  deleteCartItem,
  findCart,
  insertCartItems,
  lockCart,
  moveCartVersion,
} from './cart.queries.ts'
import { buyableOffer, viewCart } from './cart-view.ts'

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

/** More lines than anyone buys at once, and few enough to price in one go. */
export const mostLines = 100
const cartFull = failure('VALIDATION_FAILED', {
  errors: { productId: [`A cart holds at most ${mostLines} products.`] },
})

/**
 * Puts an option into the cart. The same option again changes nothing; another option of a product that is there takes its place,
 * because a product is bought once.
 */
export const addToCart = (
  ctx: Ctx,
  input: { productId: ProductId; optionId: OptionId; version?: number | undefined },
) =>
  writeCart(ctx, input.version, async (cart) => {
    const offer = await buyableOffer(ctx, input.productId, input.optionId)
    if (isFailure(offer)) return offer
    const { optionId, productId } = input
    const { priceAmount, currency } = offer.option
    const lines = await cartLines(ctx.db, cart)
    const there = lines.find((line) => line.product.id === productId)
    if (there?.option.id === optionId) return 'UNCHANGED'
    if (there) await changeCartItem(ctx.db, cart, there.item.id, { optionId, priceAmount, currency })
    else if (lines.length >= mostLines) return cartFull
    else await insertCartItems(ctx.db, cart, [{ productId, optionId, priceAmount, currency, at: ctx.clock.now() }])
    return 'CHANGED'
  })

/** Chooses another option for a line, and accepts today's price with it. */
export const changeLine = (ctx: Ctx, input: { id: CartItemId; optionId?: OptionId | undefined; version: number }) =>
  writeCart(ctx, input.version, async (cart) => {
    const line = (await cartLines(ctx.db, cart)).find(({ item }) => item.id === input.id)
    if (!line) return failure('NOT_FOUND')
    const optionId = input.optionId ?? line.option.id
    const offer = await buyableOffer(ctx, line.product.id, optionId)
    if (isFailure(offer)) return offer
    const { priceAmount, currency } = offer.option
    if (optionId === line.option.id && priceAmount === line.item.priceAmount) return 'UNCHANGED'
    await changeCartItem(ctx.db, cart, line.item.id, { optionId, priceAmount, currency })
    return 'CHANGED'
  })

/** Takes a line out. One that is not in the actor's own cart is not found. */
export const removeLine = (ctx: Ctx, input: { id: CartItemId; version?: number | undefined }) =>
  writeCart(ctx, input.version, async (cart) => {
    const deleted = await deleteCartItem(ctx.db, cart, input.id)
    return deleted.length === 0 ? failure('NOT_FOUND') : 'CHANGED'
  })

/** The actor's cart; an empty one of version 0 where none was ever begun. */
export const getCart = async (ctx: Ctx) => {
  const owner = cartOwner(ctx.actor)
  return viewCart(ctx, owner && (await findCart(ctx.db, ctx.customer.id, owner)))
}

/**
 * Moves the lines of a guest's cart into the cart of the member who has signed in. The member's own choice of option stays, and
 * what does not fit into a cart any more is dropped. Done twice, it changes nothing the second time.
 */
export const mergeGuestCart: EventHandler<'memberSignedIn'> = async (
  { db, customer, clock },
  { guestId, memberId },
) => {
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
      productId: item.productId,
      optionId: item.optionId,
      priceAmount: item.priceAmount,
      currency: item.currency,
      at: new Date(item.createdAt),
    })),
  )
  if (brought.length > 0) await moveCartVersion(db, cart, clock.now())
  await deleteCart(db, guestCart)
}
