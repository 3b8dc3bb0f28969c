import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { cartItemId } from '#contract/ids.ts'
import { type Cart, type CartItem, cartAdd, cartRemove } from '#contract/orders.ts'
import { call } from '~/platform/api/call'
import { isNewVisitor } from '~/platform/cookies'
import { withoutPrefix } from '~/platform/i18n/locales'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { useLoaded, useMe } from '~/platform/shell/shell.functions'

/** The visitor's cart, a member's or a guest's. */
const getCart = readFn().handler(({ context }) => context.callApi((api) => api.orders.cart()))

/** Adds one option and returns the whole cart. Adding an existing option changes nothing. */
export const addToCart = writeFn()
  .validator(checked(cartAdd))
  .handler(({ data, context }) => context.callApi((api) => api.orders.addToCart(data)))

/** Removes one line and returns the whole cart. 409 CART_CHANGED on an older version. */
export const removeFromCart = writeFn()
  .validator(checked(z.extend(cartRemove, { id: cartItemId })))
  .handler(({ data, context }) => context.callApi((api) => api.orders.removeCartItem(data)))

/** The cart. Writes store their result here, so it is fetched again only when it is stale. */
export const cartQuery = queryOptions({
  queryKey: ['cart'],
  queryFn: ({ signal }) => call((s) => getCart({ signal: s }), { signal }),
  staleTime: 30_000,
})

/** The cart as far as it is loaded. `load: false` loads nothing; a new visitor has none to load. */
export const useCart = ({ load = true } = {}): Cart | undefined =>
  useLoaded({ ...cartQuery, enabled: load && typeof window !== 'undefined' && !isNewVisitor() })

/**
 * The number of lines in the cart, for the header. For members the server renders it.
 */
export function useCartCount(): number {
  const member = useMe()
  const cart = useCart({ load: !member })
  return cart?.items.length ?? member?.cartCount ?? 0
}

/** The lines that can be bought now. */
export const buyableLines = (cart: Cart): CartItem[] => cart.items.filter((item) => item.blocked === null)

/**
 * Returns the guest's cart for a sign-in page on the way to the cart or checkout. Returns null
 * elsewhere, and where the store is closed to guests.
 */
export async function loadGuestCart(queryClient: QueryClient, returnTo: string | undefined): Promise<Cart | null> {
  const to = returnTo === undefined ? undefined : new URL(returnTo, 'https://store.invalid')
  const path = to && withoutPrefix(to.pathname)
  if (path !== '/carts' && !(path === '/payments' && !to?.searchParams.has('product'))) return null
  return queryClient.ensureQueryData(cartQuery).catch(() => null)
}
