import { msg } from '@lingui/core/macro'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CartItem } from '#contract/cart.ts'
import type { ProductCard, ProductOption } from '#contract/catalog.ts'
import { call, keepaliveFetch } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { showToast } from '~/platform/toasts/toasts'
import { addToCart, cartQuery, removeFromCart } from './cart.functions'
import { withLine, withoutLine } from './cart-lines'

/**
 * Runs writes of one cart one after the other, each on the version that the previous one returned.
 */
const cartMutations = { scope: { id: 'cart' } }

/** The cart changed elsewhere: reload it and tell the visitor. */
async function notifyCartChanged(queryClient: QueryClient): Promise<void> {
  showToast({
    severity: 'warn',
    summary: msg`Your cart was updated elsewhere.`,
    detail: msg`This is the latest version.`,
  })
  await queryClient.invalidateQueries(cartQuery)
}

interface Choice {
  product: ProductCard
  option: ProductOption
}

/**
 * Adds an option optimistically, shows a toast with a link to the cart, and reverts where the
 * server refuses. The write continues when the visitor leaves the page. `inCart(optionId)` returns
 * whether the cart has a line with the option.
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
        void notifyCartChanged(queryClient)
      }
    },
  })
  return { add: (product: ProductCard, option: ProductOption) => mutate({ product, option }), isPending }
}

/** How long the undo toast stays, in milliseconds. */
const undoLife = 8_000

/** Removes a line at once. The toast offers to undo it. */
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
      if (status === 404 || status === 409) void notifyCartChanged(queryClient)
    },
  })
  return mutate
}
