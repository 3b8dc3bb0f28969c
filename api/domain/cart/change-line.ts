import type { Ctx } from '#api/context.ts'
import { cartLines, changeCartItem } from '#api/db/queries/carts.ts'
import { failure, isFailure } from '#api/domain/failure.ts'
import type { CartItemId, OptionId, ProductId } from '#contract/ids.ts'
import { buyableOffer } from './offer.ts'
import { writeCart } from './write-cart.ts'

/** Chooses another option for a line, and accepts today's price with it. */
export const changeLine = (ctx: Ctx, input: { id: CartItemId; optionId?: OptionId | undefined; version: number }) =>
  writeCart(ctx, input.version, async (cart) => {
    const line = (await cartLines(ctx.db, cart)).find(({ item }) => item.id === input.id)
    if (!line) return failure('NOT_FOUND')
    const optionId = input.optionId ?? (line.option.id as OptionId)
    const offer = await buyableOffer(ctx, line.product.id as ProductId, optionId)
    if (isFailure(offer)) return offer
    const { priceAmount, currency } = offer.option
    if (optionId === line.option.id && priceAmount === line.item.priceAmount) return 'UNCHANGED'
    await changeCartItem(ctx.db, cart, line.item.id, { optionId, priceAmount, currency })
    return 'CHANGED'
  })
