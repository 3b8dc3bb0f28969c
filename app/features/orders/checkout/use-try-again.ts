import { useQuery } from '@tanstack/react-query'
import type { ProductCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { cartQuery } from '~/features/orders/cart/cart.functions'

/**
 * Where to try again: the cart while it has the order's items, else the product of a direct
 * purchase.
 */
export function useTryAgain(order: Order): { product?: ProductCode } {
  const { data: cart } = useQuery(cartQuery)
  const [first, second] = order.items
  if (!cart || !first || second) return {}
  const inCart = cart.items.some(({ product }) => product.id === first.product.id)
  return inCart ? {} : { product: first.product.code }
}
