import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import * as z from 'zod/mini'

import { paymentPath } from '#contract/billing.ts'
import type { ProductCard, ProductOption } from '#contract/catalog.ts'
import { type PaymentMethod, paymentMethod } from '#contract/enumerations.ts'
import { createIdempotencyKey } from '#contract/http.ts'
import {
  type CartItemId,
  idempotencyKey,
  type OptionId,
  type OrderCode,
  type PaymentId,
  productIdOrCode,
} from '#contract/ids.ts'
import type { Money } from '#contract/money.ts'
import { type Cart, type Order, orderPath, orderPlace } from '#contract/orders.ts'
import type { ProductDetail } from '#contract/product-page.ts'
import { cartQuery } from '~/features/orders/cart/cart.functions'
import { call } from '~/platform/api/call'
import type { CustomerApi } from '~/platform/api/client'
import { problemOf } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { meQuery } from '~/platform/shell/shell.functions'

interface Purchase {
  idempotencyKey: string
  method: PaymentMethod
  place: z.input<typeof orderPlace>
}

/**
 * Places the order and begins its payment, once per idempotency key: a double click or Back and
 * again leads to the same payment.
 */
export async function pay(api: CustomerApi, { idempotencyKey, method, place }: Purchase) {
  const order = await api.orders.placeOrder(place, { context: { idempotencyKey: `${idempotencyKey}-order` } })
  const { payment, redirectUrl } = await api.billing.startPayment(
    { code: order.code, method, returnUrl: '/payments/result' },
    { context: { idempotencyKey: `${idempotencyKey}-payment` } },
  )
  return { orderCode: order.code, paymentId: payment.id, redirectUrl }
}

/**
 * Places the order and begins its payment, once per idempotency key. Returns the provider's URL.
 */
export const payOrder = writeFn()
  .validator(checked(z.object({ idempotencyKey, method: paymentMethod, place: orderPlace })))
  .handler(({ data, context }) => context.callApi((api) => pay(api, data)))

/** Settles a payment as the provider reports it. Safe to repeat. */
const confirmPayment = writeFn()
  .validator(checked(paymentPath))
  .handler(({ data, context }) => context.callApi((api) => api.billing.confirmPayment(data)))

/** The product of a direct purchase, with its options. */
const getProductToBuy = readFn()
  .validator(checked(z.object({ code: productIdOrCode })))
  .handler(({ data, context }) => context.callApi((api) => api.catalog.product({ id: data.code, view: false })))

const getPlacedOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.callApi((api) => api.orders.order(data)))

/** The product of a direct purchase. */
export const productToBuyQuery = (code: string) =>
  queryOptions({
    queryKey: ['product-to-buy', code],
    queryFn: ({ signal }) =>
      call((s) => getProductToBuy({ data: { code }, signal: s }), { signal, expected: [404, 410] }),
  })

export interface CheckoutLine {
  product: ProductCard
  option: ProductOption
  /** Missing for a purchase past the cart. */
  cartItemId?: CartItemId
}

/** The items to pay, or the reason why there are none. */
export type CheckoutState =
  | { code: 'READY'; lines: CheckoutLine[]; total: Money; omittedCount: number }
  | { code: 'EMPTY' }
  | { code: 'OWNED'; product: ProductDetail }
  | { code: 'INCLUDED'; product: ProductDetail }
  /** With what it costs to own it, if that is sold. */
  | { code: 'RENTED'; product: ProductDetail; own: ProductOption | undefined }
  /** An order of it waits for the member's bank transfer. */
  | { code: 'AWAITING'; product: ProductDetail; order: OrderCode }
  | { code: 'FREE'; product: ProductDetail }
  | { code: 'GONE' }

export interface Choice {
  product?: string | undefined
  option?: OptionId | undefined
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
    omittedCount: cart.items.length - lines.length,
  }
}

function ofProduct(product: ProductDetail | undefined, optionId: OptionId | undefined): CheckoutState {
  const option = product?.options.find(({ id }) => id === optionId) ?? product?.options[0]
  if (product && (product.access === 'FREE' || product.access === 'MEMBER')) return { code: 'FREE', product }
  if (!product) return { code: 'GONE' }
  const source = product.viewer?.entitled ? product.viewer.source : null
  if (source === 'OWN' || source === 'GRANT') return { code: 'OWNED', product }
  if (source === 'PLAN') return { code: 'INCLUDED', product }
  if (!option) return { code: 'GONE' }
  if (source === 'RENT' && option.type === 'RENT')
    return { code: 'RENTED', product, own: product.options.find(({ type }) => type === 'OWN') }
  const awaiting = product.viewer?.awaitingTransfer
  if (awaiting) return { code: 'AWAITING', product, order: awaiting.order }
  return { code: 'READY', lines: [{ product, option }], total: option.price, omittedCount: 0 }
}

/** Milliseconds before each poll. After the last one the page polls no longer. */
const backOff = [1_000, 1_500, 2_500, 4_000, 6_000, 9_000, 12_000]

/** Milliseconds between the polls of a page that waits for a bank transfer. */
const depositPollInterval = 20_000

export const isBeingSettled = ({ status, payment }: Order) =>
  payment?.status === 'PROCESSING' || (status === null && payment?.status === 'READY')

/** Whether automatic polling has stopped. */
export const hasStoppedPolling = (polls: number) => polls > backOff.length

/** Checks now whether a payment has arrived. */
export interface PaymentCheck {
  pending: boolean
  check: () => void
}

/** Confirms a returned payment and polls with growing pauses until it is settled. */
export const paymentResultQuery = (id: PaymentId) =>
  queryOptions({
    queryKey: ['payment-result', id],
    queryFn: ({ signal }) =>
      call((s) => confirmPayment({ data: { id }, signal: s }), { signal, expected: [404, 409, 502] }),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data?.order.status === 'DEPOSIT_WAITING') return depositPollInterval
      if (!state.data || !isBeingSettled(state.data.order)) return false
      return backOff[state.dataUpdateCount - 1] ?? false
    },
  })

/** An order by its code, where the provider's redirect names no payment. */
export const placedOrderQuery = (code: OrderCode) =>
  queryOptions({
    queryKey: ['placed-order', code],
    queryFn: ({ signal }) => call((s) => getPlacedOrder({ data: { code }, signal: s }), { signal, expected: [404] }),
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.status === 'DEPOSIT_WAITING' && depositPollInterval,
  })

interface Returned {
  order?: OrderCode | undefined
  payment?: PaymentId | undefined
}

/** Settles the payment before the page is shown, which reports one of another member. */
export async function loadPaymentResult(queryClient: QueryClient, { order, payment }: Returned): Promise<void> {
  const load = payment
    ? queryClient.fetchQuery(paymentResultQuery(payment))
    : order && queryClient.fetchQuery(placedOrderQuery(order))
  const answer = await Promise.resolve(load).catch((error: unknown) => {
    if (!problemOf(error)) throw error
  })
  // The cart is empty after the payment, and the header shows its count.
  if (answer) await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
}

/** A purchase changes the cart, the purchases and all badges. */
export function useRefreshAfterPurchase(paid: boolean) {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!paid) return
    const touched = [
      'cart',
      'me',
      'orders',
      'paid-products',
      'products',
      'product',
      'product-to-watch',
      'product-to-buy',
    ]
    for (const key of touched) void queryClient.invalidateQueries({ queryKey: [key] })
  }, [paid, queryClient])
}
