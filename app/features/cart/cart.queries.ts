import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '~/platform/api/call'
import { shellFreshness } from '~/platform/constants'
import { useMe } from '~/platform/shell/shell.queries'
import { getCart, getCartSuggestions } from './cart.functions'

/** The cart as the server has it. Writes put their answer here, so it is asked for again only when it may have aged. */
export const cartQuery = queryOptions({
  queryKey: ['cart'],
  queryFn: ({ signal }) => call((s) => getCart({ signal: s }), { signal }),
  staleTime: 30_000,
})

/** How many lines are in the cart, for the header. A member's number is there from the first paint. */
export function useCartCount(): number {
  const member = useMe()
  const cart = useQuery({ ...cartQuery, enabled: typeof window !== 'undefined' && !member })
  return cart.data?.items.length ?? member?.cartCount ?? 0
}

export const cartSuggestionsQuery = queryOptions({
  queryKey: ['products', 'cart-suggestions'],
  queryFn: ({ signal }) => call((s) => getCartSuggestions({ signal: s }), { signal }),
  staleTime: shellFreshness,
  // What one may watch already is nothing to put into a cart.
  select: ({ items }) => items.filter(({ viewer }) => !viewer?.entitled),
})
