import type { Ctx } from '#api/context.ts'
import { type CartLine, type CartRow, cartLines } from '#api/db/queries/carts.ts'
import { cardsOf } from '#api/domain/catalog/cards.ts'
import { optionName } from '#api/domain/catalog/options.ts'
import { rightsOf } from '#api/domain/entitlements/rights.ts'
import type { Cart, CartItem } from '#contract/cart.ts'
import type { ProductAccess } from '#contract/enumerations.ts'
import type { CartItemId, OptionId, ProductId } from '#contract/ids.ts'
import { blockedBy } from './blocked.ts'

/** A cart as its owner sees it: today's prices, what changed since, and what cannot be bought and why. */
export const viewCart = async (ctx: Ctx, cart: CartRow | null): Promise<Cart> => {
  const { currency } = ctx.customer.settings.base
  const lines = cart ? await cartLines(ctx.db, cart) : []
  const ids = lines.map((line) => line.product.id as ProductId)
  const cards = await cardsOf(ctx, ids)
  const rights = await rightsOf(
    ctx,
    lines.map(({ product }) => ({ id: product.id as ProductId, access: product.access as ProductAccess })),
  )
  const now = ctx.clock.now()
  const items = lines.flatMap((line): CartItem[] => {
    const id = line.product.id as ProductId
    const product = cards.get(id)
    const right = rights.get(id)
    if (!product || !right) return []
    return [{ ...lineOf(ctx, line), product, blocked: blockedBy(line, right, ctx.customer.settings, now) }]
  })
  const sum = (amountOf: (item: CartItem) => number) => ({
    amount: items.filter((item) => item.blocked === null).reduce((total, item) => total + amountOf(item), 0),
    currency,
  })
  return {
    version: cart?.version ?? 0,
    items,
    total: sum((item) => item.price.amount * item.quantity),
    listTotal: sum((item) => (item.option.listPrice ?? item.price).amount * item.quantity),
  }
}

const lineOf = (ctx: Ctx, { item, option }: CartLine): Omit<CartItem, 'product' | 'blocked'> => {
  const price = { amount: option.priceAmount, currency: option.currency }
  const before = { amount: item.priceAmount, currency: item.currency }
  const changed = before.amount !== price.amount || before.currency !== price.currency
  return {
    id: item.id as CartItemId,
    option: {
      id: option.id as OptionId,
      productId: option.productId as ProductId,
      ...optionName(ctx, option),
      type: option.type as 'OWN' | 'RENT',
      days: option.days,
      startWithinDays: option.startWithinDays,
      price,
      listPrice: option.listPriceAmount === null ? null : { amount: option.listPriceAmount, currency: option.currency },
    },
    quantity: item.quantity,
    price,
    priceBefore: changed ? before : null,
    addedAt: item.createdAt,
  }
}
