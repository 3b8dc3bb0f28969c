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
 * Runs one line operation on the actor's cart under its lock. Fails with CART_CHANGED and the
 * current cart if `version` is outdated, because another window was faster. A guest needs an id to
 * write.
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

/** More lines than anyone buys at once, and few enough to price together. */
export const mostLines = 100
const cartFull = failure('VALIDATION_FAILED', {
  errors: { productId: [`A cart holds at most ${mostLines} products.`] },
})

/**
 * Adds an option to the cart. The same option changes nothing. Another option of a product in the
 * cart replaces it, because a product is bought once.
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

/** Selects another option for a line and accepts its current price. */
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

/** Removes a line. A line outside the actor's own cart is not found. */
export const removeLine = (ctx: Ctx, input: { id: CartItemId; version?: number | undefined }) =>
  writeCart(ctx, input.version, async (cart) => {
    const deleted = await deleteCartItem(ctx.db, cart, input.id)
    return deleted.length === 0 ? failure('NOT_FOUND') : 'CHANGED'
  })

/** Returns the actor's cart, or an empty one of version 0 if none exists. */
export const getCart = async (ctx: Ctx) => {
  const owner = cartOwner(ctx.actor)
  return viewCart(ctx, owner && (await findCart(ctx.db, ctx.customer.id, owner)))
}

/**
 * Moves the lines of a guest's cart into the cart of the member who has signed in. The member's own
 * options take precedence, and lines beyond the limit are dropped. Safe to repeat.
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
