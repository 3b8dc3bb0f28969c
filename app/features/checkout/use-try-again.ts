import { useQuery } from '@tanstack/react-query'
import type { ProductCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { cartQuery } from '~/features/cart/cart.queries'

/** Where another try begins: at the cart while it holds what was ordered, else at the one thing that was bought past it. */
export function useTryAgain(order: Order): { product?: ProductCode } {
  const { data: cart } = useQuery(cartQuery)
  const [first, second] = order.items
  if (!cart || !first || second) return {}
  const inCart = cart.items.some(({ product }) => product.id === first.product.id)
  return inCart ? {} : { product: first.product.code }
}
