import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { cancelRequest, refundAccountInput } from '#contract/billing.ts'
import { orderStatus, paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey, type OrderCode, orderCode } from '#contract/ids.ts'
import { type Order, orderPath, orderQuery } from '#contract/orders.ts'
import { call } from '~/platform/api/call'
import {
  code,
  firstPage,
  flag,
  lowerFirst,
  pageNumber,
  type SearchOf,
  searchSchema,
} from '~/platform/navigation/search-schema'
import { checked, readFn, writeFn } from '~/platform/request/server-fn'
import { cancelOrder, payAgain, submitRefundAccount } from './orders.server'

/** A page of the member's orders, latest first. */
const getOrders = readFn()
  // The address may hold a range in the wrong order.
  .validator(checked(z.object(orderQuery.shape)))
  .handler(({ data: { from, to, ...query }, context }) => {
    const [first, last] = lowerFirst(from, to)
    return context.callApi((api) => api.orders.orders({ ...query, from: first, to: last }))
  })

/** One order with its items, payment and money timeline. 404 for another member's. */
const getOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.callApi((api) => api.orders.order(data)))

/** The receipt of a paid order. 404 where nothing was paid. */
const getReceipt = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.callApi((api) => api.billing.receipt(data)))

/** Begins the payment of an open order, once per idempotency key. Returns the provider's URL. */
export const payOrderBy = writeFn()
  .validator(checked(z.object({ idempotencyKey, code: orderPath.shape.code, method: paymentMethod })))
  .handler(({ data, context }) => context.callApi((api) => payAgain(api, data)))

/** Cancels an order or requests a refund, once per idempotency key. Returns the updated order. */
export const requestCancel = writeFn()
  .validator(checked(z.object({ idempotencyKey, request: cancelRequest })))
  .handler(({ data, context }) => context.callApi((api) => cancelOrder(api, data)))

/** Withdraws a refund request that is not accepted yet. */
export const withdrawCancelRequest = writeFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.callApi((api) => api.billing.withdrawCancelRequest(data)))

/** Sets the bank account of a waiting refund, once per idempotency key. */
export const setRefundAccount = writeFn()
  .validator(checked(z.object({ idempotencyKey, account: refundAccountInput })))
  .handler(({ data, context }) => context.callApi((api) => submitRefundAccount(api, data)))

export const ordersPerPage = 10

export const ordersQuery = (search: OrdersSearch, size: number = ordersPerPage) =>
  queryOptions({
    queryKey: ['orders', search, size],
    queryFn: ({ signal }) => call((s) => getOrders({ data: { ...search, size }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

/** How often a page polls while a transfer or a refund is pending. Milliseconds. */
const moneyPollInterval = 30_000

/** A transfer or a refund is pending, so the page polls. */
const isAwaitingTransfer = ({ status }: Order) => status === 'DEPOSIT_WAITING' || status === 'CANCEL_REQUEST'

export const orderDetailQuery = (code: OrderCode) =>
  queryOptions({
    queryKey: ['orders', 'detail', code],
    queryFn: ({ signal }) => call((s) => getOrder({ data: { code }, signal: s }), { signal, expected: [404] }),
    refetchInterval: ({ state }) => state.data !== undefined && isAwaitingTransfer(state.data) && moneyPollInterval,
  })

export const receiptQuery = (code: OrderCode) =>
  queryOptions({
    queryKey: ['orders', 'receipt', code],
    queryFn: ({ signal }) => call((s) => getReceipt({ data: { code }, signal: s }), { signal, expected: [404, 409] }),
  })

const recentOrderCount = 3

const anyTime = { page: 1, from: undefined, to: undefined } as const

export const recentOrdersQuery = ordersQuery({ ...anyTime, status: undefined }, recentOrderCount)
export const waitingDepositsQuery = ordersQuery({ ...anyTime, status: 'DEPOSIT_WAITING' }, recentOrderCount)

export const ordersSearch = searchSchema(
  { status: orderStatus, from: z.iso.date(), to: z.iso.date(), page: pageNumber },
  firstPage,
)
export type OrdersSearch = SearchOf<typeof ordersSearch>

/** `cancel`: shows the cancel form on the page. `problem`: the code of a refused form post. */
export const orderDetailSearch = searchSchema({ cancel: flag, problem: code })
export type OrderDetailSearch = SearchOf<typeof orderDetailSearch>

/** Returns the order code of a URL; undefined if it is invalid. */
export const readOrderCode = (text: string): OrderCode | undefined => orderCode.safeParse(text).data
