import type { Ctx } from '#api/context.ts'
import { cartLines, changeCartItem, insertCartItems } from '#api/db/queries/carts.ts'
import { failure, isFailure } from '#api/domain/failure.ts'
import type { OptionId, ProductId } from '#contract/ids.ts'
import { buyableOffer } from './offer.ts'
import { writeCart } from './write-cart.ts'

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
