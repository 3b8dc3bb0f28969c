import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ProductCard, ProductOption } from '#contract/catalog.ts'
import type { CartItemId, OptionId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import type { Cart, CartItem } from '#contract/orders.ts'
import { call, keepaliveFetch } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { showToast } from '~/platform/toasts/toasts'
import { addToCart, buyableLines, cartQuery, removeFromCart } from './cart.functions'

/** Predicts the cart for an optimistic update. The server's answer replaces it, totals included. */
function withLine(cart: Cart, product: ProductCard, option: ProductOption): Cart {
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

const emptyCart = ({ price: { currency } }: ProductOption): Cart =>
  summed({ version: 0, items: [], total: { amount: 0, currency }, listTotal: { amount: 0, currency } })

const withoutLine = (cart: Cart, id: CartItemId): Cart =>
  summed({ ...cart, items: cart.items.filter((item) => item.id !== id) })

// The placeholder id of a line that the server has not confirmed. No request uses it.
const pendingLineId = (optionId: OptionId) => `pending-${optionId}` as CartItemId

/** A line that the server has not confirmed yet. It cannot be removed before. */
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

/**
 * Runs writes of one cart one after the other, each on the version that the previous one returned.
 */
const cartMutations = { scope: { id: 'cart' } }

/** The cart was changed elsewhere: reloads it and shows a toast. */
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
        { expected: [409] },
      ),
    onMutate: async ({ product, option }) => {
      await queryClient.cancelQueries(cartQuery)
      const before = queryClient.getQueryData(cartQuery.queryKey)
      // A cart that is not loaded yet counts as empty: loaded now, it could lack the line.
      queryClient.setQueryData(cartQuery.queryKey, withLine(before ?? emptyCart(option), product, option))
      const refused = new AbortController()
      showToast({
        severity: 'success',
        summary: msg`Added to cart.`,
        detail: product.title,
        signal: refused.signal,
        action: { label: msg`View cart`, run: () => void navigate({ to: '/carts' }) },
      })
      return { before, refused }
    },
    onSuccess: (cart) => queryClient.setQueryData(cartQuery.queryKey, cart),
    onError: (error, _choice, saved) => {
      saved?.refused.abort()
      if (saved?.before) queryClient.setQueryData(cartQuery.queryKey, saved.before)
      else void queryClient.resetQueries(cartQuery)
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
        // What cannot be bought now cannot be added again.
        ...(item.blocked === null && {
          life: undoLife,
          action: { label: msg`Undo`, run: () => add(item.product, item.option) },
        }),
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

/** The rental period and start deadline that the option's name may omit. Empty for purchases. */
export function useRentalTerms() {
  const { t } = useLingui()
  return ({ type, days, startWithinDays }: Pick<ProductOption, 'type' | 'days' | 'startWithinDays'>): string | null => {
    if (type === 'OWN') return null
    // Inside `t`, because a plural outside of it would use an instance that all requests share.
    const length = t`${plural(days ?? 0, { one: '# day from first play', other: '# days from first play' })}`
    if (!startWithinDays) return length
    const start = t`${plural(startWithinDays, { one: 'start within # day', other: 'start within # days' })}`
    return t`${length}, ${start}`
  }
}
