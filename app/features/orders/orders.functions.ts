import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { paymentMethod } from '#contract/enumerations.ts'
import { idempotencyKey, type OrderCode } from '#contract/ids.ts'
import { cancelRequest, type Order, orderPath, orderQuery, refundAccountInput } from '#contract/orders.ts'
import { call } from '~/platform/api/call'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'
import type { OrdersSearch } from './orders.search'
import { cancelOrder, payAgain, submitRefundAccount } from './orders.server'

/** A page of the member's orders, latest first. */
const getOrders = readFn()
  .validator(checked(orderQuery))
  .handler(({ data, context }) => context.ask((api) => api.commerce.orders(data)))

/** One order with its items, payment and money timeline. 404 for another member's. */
const getOrder = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.order(data)))

/** The receipt of a paid order. 404 where nothing was paid. */
const getReceipt = readFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.receipt(data)))

/** Begins to pay an open order by a method, once per attempt. Answers where the browser goes. */
export const payOrderBy = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, code: orderPath.shape.code, method: paymentMethod })))
  .handler(({ data, context }) => context.ask((api) => payAgain(api, data)))

/** Cancels an order, or asks for money back, once per attempt. Answers the order as it stands then. */
export const requestCancel = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, request: cancelRequest })))
  .handler(({ data, context }) => context.ask((api) => cancelOrder(api, data)))

/** Takes a request back that nobody has accepted yet. */
export const withdrawCancelRequest = writeFn()
  .validator(checked(orderPath))
  .handler(({ data, context }) => context.ask((api) => api.commerce.withdrawCancelRequest(data)))

/** Says where money that waits to go back by bank is sent, once per attempt. */
export const setRefundAccount = writeFn()
  .validator(checked(z.object({ attempt: idempotencyKey, account: refundAccountInput })))
  .handler(({ data, context }) => context.ask((api) => submitRefundAccount(api, data)))

export const ordersPerPage = 10

export const ordersQuery = (search: OrdersSearch, size: number = ordersPerPage) =>
  queryOptions({
    queryKey: ['orders', search, size],
    queryFn: ({ signal }) => call((s) => getOrders({ data: { ...search, size }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

/** How often a page asks after money on its way, in milliseconds. */
const moneyPollInterval = 30_000

/** Money is on its way, in or back: the page that shows it asks again by itself. */
const isAwaitingMoney = ({ status }: Order) => status === 'DEPOSIT_WAITING' || status === 'CANCEL_REQUEST'

export const orderDetailQuery = (code: OrderCode) =>
  queryOptions({
    queryKey: ['orders', 'detail', code],
    queryFn: ({ signal }) => call((s) => getOrder({ data: { code }, signal: s }), { signal, expected: [404] }),
    refetchInterval: ({ state }) => state.data !== undefined && isAwaitingMoney(state.data) && moneyPollInterval,
  })

export const receiptQuery = (code: OrderCode) =>
  queryOptions({
    queryKey: ['orders', 'receipt', code],
    queryFn: ({ signal }) => call((s) => getReceipt({ data: { code }, signal: s }), { signal, expected: [404, 409] }),
  })

const recent = 3

const anyTime = { page: 1, from: undefined, to: undefined } as const

export const recentOrdersQuery = ordersQuery({ ...anyTime, status: undefined }, recent)
export const waitingDepositsQuery = ordersQuery({ ...anyTime, status: 'DEPOSIT_WAITING' }, recent)
