import { type QueryClient, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey, type OrderCode, type PaymentId } from '#contract/ids.ts'
import { type Order, orderPath, orderPlace, paymentPath } from '#contract/orders.ts'
import { call } from '~/platform/api/call'
import { problemOf } from '~/platform/api/problem'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import { meQuery } from '~/platform/shell/shell.functions'
import { pay } from './checkout-form.server'

/**
 * Places the order and begins its payment, once per idempotency key. Returns the provider's URL.
 */
export const payOrder = writeFn()
  .validator(checked(z.object({ idempotencyKey, method: paymentMethod, place: orderPlace })))
  .handler(({ data, context }) => context.ask((api) => pay(api, data)))

/** Settles a payment as the provider reports it. Safe to repeat. */
const confirmPayment = writeFn()
  .validator(checked(paymentPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.confirmPayment(data)))

/** The product of a direct purchase, with its options. */
const getProductToBuy = readFn()
  .validator(checked(z.object({ code: z.string().check(z.minLength(1), z.maxLength(64)) })))
  .handler(({ data, context }) => context.ask((api) => api.catalog.product({ id: data.code, view: false })))

const getPlacedOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.order(data)))

/** The product of a direct purchase. */
export const productToBuyQuery = (code: string) =>
  queryOptions({
    queryKey: ['product-to-buy', code],
    queryFn: ({ signal }) =>
      call((s) => getProductToBuy({ data: { code }, signal: s }), { signal, expected: [404, 410] }),
  })

/** Milliseconds before each poll. After the last one the page polls no longer. */
const backOff = [1_000, 1_500, 2_500, 4_000, 6_000, 9_000, 12_000]

/** Milliseconds between the polls of a page that waits for a bank transfer. */
const depositPollInterval = 20_000

export const isBeingSettled = ({ status, payment }: Order) =>
  payment?.status === 'PROCESSING' || (status === null && payment?.status === 'READY')

/** Whether the page polls no longer by itself. */
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
