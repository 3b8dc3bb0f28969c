import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OrderCode } from '#contract/ids.ts'
import type { Order } from '#contract/orders.ts'
import { call } from '~/platform/api/call'
import { getOrder, getOrders, getReceipt } from './orders.functions'
import type { OrdersSearch } from './orders.search'

export const ordersPerPage = 10

export const ordersQuery = (search: OrdersSearch, size: number = ordersPerPage) =>
  queryOptions({
    queryKey: ['orders', search, size],
    queryFn: ({ signal }) => call((s) => getOrders({ data: { ...search, size }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

/** How often a page asks after money on its way, in milliseconds. */
const moneyPause = 30_000

/** Money is on its way, in or back: the page that shows it asks again by itself. */
const awaitsMoney = ({ status }: Order) => status === 'DEPOSIT_WAITING' || status === 'CANCEL_REQUEST'

export const orderDetailQuery = (code: OrderCode) =>
  queryOptions({
    queryKey: ['orders', 'detail', code],
    queryFn: ({ signal }) => call((s) => getOrder({ data: { code }, signal: s }), { signal, expected: [404] }),
    refetchInterval: ({ state }) => state.data !== undefined && awaitsMoney(state.data) && moneyPause,
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
