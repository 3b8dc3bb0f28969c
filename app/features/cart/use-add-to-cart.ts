import { msg } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ProductCard, ProductOption } from '#contract/catalog.ts'
import { call, keepaliveFetch } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { showToast } from '~/platform/toasts/toasts'
import { addToCart } from './cart.functions'
import { cartQuery } from './cart.queries'
import { withLine } from './cart-lines'
import { cartMutations, tellCartChanged } from './cart-writes'

interface Choice {
  product: ProductCard
  option: ProductOption
}

/**
 * Puts an option into the cart: it is there at once, a toast says so and offers the cart, and it goes out again where the
 * server refuses. Who leaves the page at once finds it in the cart all the same. `inCart(optionId)` tells whether a line with this option is there.
 */
export function useAddToCart() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    ...cartMutations,
    mutationFn: ({ product, option }: Choice) =>
      call(
        (signal) => addToCart({ data: { productId: product.id, optionId: option.id }, signal, fetch: keepaliveFetch }),
        {
          expected: [409],
        },
      ),
    onMutate: async ({ product, option }) => {
      await queryClient.cancelQueries(cartQuery)
      const before = queryClient.getQueryData(cartQuery.queryKey)
      if (before) queryClient.setQueryData(cartQuery.queryKey, withLine(before, product, option))
      showToast({
        severity: 'success',
        summary: msg`Added to cart.`,
        detail: product.title,
        action: { label: msg`View cart`, run: () => void navigate({ to: '/carts' }) },
      })
      return { before }
    },
    onSuccess: (cart) => queryClient.setQueryData(cartQuery.queryKey, cart),
    onError: (error, _choice, saved) => {
      if (saved?.before) queryClient.setQueryData(cartQuery.queryKey, saved.before)
      const problem = problemOf(error)
      if (problem?.code === 'ALREADY_OWNED') {
        showToast({ severity: 'info', summary: msg`You already own this title, so you don’t need to buy it again.` })
      } else if (problem?.status === 409) {
        void tellCartChanged(queryClient)
      }
    },
  })
  return { add: (product: ProductCard, option: ProductOption) => mutate({ product, option }), isPending }
}
