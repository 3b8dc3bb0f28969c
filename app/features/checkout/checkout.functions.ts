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

/** Places the order and begins its payment, once per idempotency key. Returns the provider's URL. */
export const payOrder = writeFn()
  .validator(checked(z.object({ idempotencyKey, method: paymentMethod, place: orderPlace })))
  .handler(({ data, context }) => context.ask((api) => pay(api, data)))

/** Asks how a payment stands and settles it. Safe to repeat. */
const confirmPayment = writeFn()
  .validator(checked(paymentPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.confirmPayment(data)))

/** The product of a purchase past the cart, with its options. */
const getProductToBuy = readFn()
  .validator(checked(z.object({ code: z.string().check(z.minLength(1), z.maxLength(64)) })))
  .handler(({ data, context }) => context.ask((api) => api.catalog.product({ id: data.code, view: false })))

const getPlacedOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.order(data)))

/** The product of a purchase past the cart. */
export const productToBuyQuery = (code: string) =>
  queryOptions({
    queryKey: ['product-to-buy', code],
    queryFn: ({ signal }) =>
      call((s) => getProductToBuy({ data: { code }, signal: s }), { signal, expected: [404, 410] }),
  })

/** How long to wait before each next question, in milliseconds. After the last one the page stops asking. */
const backOff = [1_000, 1_500, 2_500, 4_000, 6_000, 9_000, 12_000]

/** How often a page that shows where to pay asks whether the money has come, in milliseconds. */
const depositPollInterval = 20_000

export const isBeingSettled = ({ status, payment }: Order) =>
  payment?.status === 'PROCESSING' || (status === null && payment?.status === 'READY')

/** The page has asked as often as it makes sense without being told to. */
export const hasStoppedPolling = (answers: number) => answers > backOff.length

/** Whether the money has come: being asked at this moment, and the way to ask. */
export interface Asking {
  pending: boolean
  ask: () => void
}

/** A payment on its way back from the provider: confirmed, and asked for again with growing pauses while it is settled. */
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

/** An order by its code, where the provider's answer names no payment. */
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

/** Settles the payment before the page is shown. One that is not the member's is said on the page. */
export async function loadPaymentResult(queryClient: QueryClient, { order, payment }: Returned): Promise<void> {
  const load = payment
    ? queryClient.fetchQuery(paymentResultQuery(payment))
    : order && queryClient.fetchQuery(placedOrderQuery(order))
  const answer = await Promise.resolve(load).catch((error: unknown) => {
    if (!problemOf(error)) throw error
  })
  // The header counts what is in the cart, which is empty once it is paid.
  if (answer) await queryClient.fetchQuery({ ...meQuery, staleTime: 0 })
}
