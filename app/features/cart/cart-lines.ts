import type { Cart, CartItem } from '#contract/cart.ts'
import type { ProductCard, ProductOption } from '#contract/catalog.ts'
import type { CartItemId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'

/** Predicts the cart for an optimistic update. The server's answer replaces it, totals included. */
export function withLine(cart: Cart, product: ProductCard, option: ProductOption): Cart {
  if (cart.items.some((item) => item.option.id === option.id)) return cart
  const line: CartItem = {
    id: pendingLineId(option.id),
    product,
    option,
    quantity: 1,
    price: option.price,
    priceBefore: null,
    blocked: null,
    addedAt: new Date().toISOString(),
  }
  return summed({ ...cart, items: [...cart.items, line] })
}

export const withoutLine = (cart: Cart, id: CartItemId): Cart =>
  summed({ ...cart, items: cart.items.filter((item) => item.id !== id) })

/** The lines that can be bought now. */
export const buyableLines = (cart: Cart): CartItem[] => cart.items.filter((item) => item.blocked === null)

const pendingLineId = (optionId: string) => `pending-${optionId}` as CartItemId

/** A line the server has not confirmed yet. It cannot be taken out before it is. */
export const isPending = (item: CartItem) => item.id.startsWith('pending-')

function summed(cart: Cart): Cart {
  const currency = cart.total.currency
  const lines = buyableLines(cart)
  const sum = (of: (item: CartItem) => number): Money => ({
    currency,
    amount: lines.reduce((total, item) => total + of(item), 0),
  })
  return {
    ...cart,
    total: sum((item) => item.price.amount),
    listTotal: sum((item) => (item.option.listPrice ?? item.price).amount),
  }
}
