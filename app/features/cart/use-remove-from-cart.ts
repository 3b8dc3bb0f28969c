import { msg } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { CartItem } from '#contract/cart.ts'
import { call, keepaliveFetch } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { showToast } from '~/platform/toasts/toasts'
import { removeFromCart } from './cart.functions'
import { cartQuery } from './cart.queries'
import { withoutLine } from './cart-lines'
import { cartMutations, tellCartChanged } from './cart-writes'
import { useAddToCart } from './use-add-to-cart'

/** Long enough to notice that the wrong line went. */
const undoLife = 8_000

/** Takes a line out at once; the toast puts it back. */
export function useRemoveFromCart() {
  const queryClient = useQueryClient()
  const { add } = useAddToCart()
  const { mutate } = useMutation({
    ...cartMutations,
    mutationFn: ({ id }: CartItem) => {
      const version = queryClient.getQueryData(cartQuery.queryKey)?.version
      return call(
        (signal) =>
          removeFromCart({ data: { id, ...(version !== undefined && { version }) }, signal, fetch: keepaliveFetch }),
        { expected: [404, 409] },
      )
    },
    onMutate: async (item) => {
      await queryClient.cancelQueries(cartQuery)
      const before = queryClient.getQueryData(cartQuery.queryKey)
      if (before) queryClient.setQueryData(cartQuery.queryKey, withoutLine(before, item.id))
      return { before }
    },
    onSuccess: (cart, item) => {
      queryClient.setQueryData(cartQuery.queryKey, cart)
      showToast({
        severity: 'info',
        summary: msg`Removed from cart.`,
        detail: item.product.title,
        life: undoLife,
        action: { label: msg`Undo`, run: () => add(item.product, item.option) },
      })
    },
    onError: (error, _item, saved) => {
      if (saved?.before) queryClient.setQueryData(cartQuery.queryKey, saved.before)
      const status = problemOf(error)?.status
      if (status === 404 || status === 409) void tellCartChanged(queryClient)
    },
  })
  return mutate
}
