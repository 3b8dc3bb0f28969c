import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Cart } from '#contract/cart.ts'
import type { Product, ProductCard, ProductOption } from '#contract/catalog.ts'
import type { CartItemId } from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { cartQuery } from '~/features/cart/cart.functions'
import { createIdempotencyKey } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { productToBuyQuery } from './checkout.functions'

export interface CheckoutLine {
  product: ProductCard
  option: ProductOption
  /** Missing for a purchase past the cart. */
  cartItemId?: CartItemId
}

/** The items to pay, or the reason why there are none. */
export type CheckoutState =
  | { code: 'READY'; lines: CheckoutLine[]; total: Money; leftOut: number }
  | { code: 'EMPTY' }
  | { code: 'OWNED'; product: Product }
  | { code: 'FREE'; product: Product }
  | { code: 'GONE' }

export interface Choice {
  product?: string | undefined
  option?: string | undefined
}

/** Loads the items at current prices. Returns the idempotency key of the order. */
export async function loadCheckout(queryClient: QueryClient, { product }: Choice) {
  if (product) {
    await queryClient.fetchQuery({ ...productToBuyQuery(product), staleTime: 0 }).catch((error: unknown) => {
      const status = problemOf(error)?.status
      if (status !== 404 && status !== 410) throw error
    })
  } else {
    await queryClient.fetchQuery({ ...cartQuery, staleTime: 0 })
  }
  return { idempotencyKey: createIdempotencyKey() }
}

/** Returns the items to pay: a direct purchase or the cart. */
export function useCheckout({ product, option }: Choice): CheckoutState {
  const single = useQuery({ ...productToBuyQuery(product ?? ''), enabled: product !== undefined })
  const cart = useQuery({ ...cartQuery, enabled: product === undefined })
  return product === undefined ? ofCart(cart.data) : ofProduct(single.data, option)
}

function ofCart(cart: Cart | undefined): CheckoutState {
  const lines = (cart?.items ?? []).filter(({ blocked }) => blocked === null)
  if (!cart || lines.length === 0) return { code: 'EMPTY' }
  return {
    code: 'READY',
    lines: lines.map(({ id, product, option, price }) => ({ product, option: { ...option, price }, cartItemId: id })),
    total: cart.total,
    leftOut: cart.items.length - lines.length,
  }
}

function ofProduct(product: Product | undefined, optionId: string | undefined): CheckoutState {
  const option = product?.options.find(({ id }) => id === optionId) ?? product?.options[0]
  if (product && (product.access === 'FREE' || product.access === 'MEMBER')) return { code: 'FREE', product }
  if (!product || !option) return { code: 'GONE' }
  const owned = product.viewer?.entitled && (product.viewer.source === 'OWN' || product.viewer.source === 'GRANT')
  if (owned) return { code: 'OWNED', product }
  return { code: 'READY', lines: [{ product, option }], total: option.price, leftOut: 0 }
}
