import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { OrderCode } from '#contract/ids.ts'
import { call } from '~/platform/api/call'
import { getOrder, getOrders } from './orders.functions'
import type { OrdersSearch } from './orders.search'

export const ordersPerPage = 10

export const ordersQuery = (search: OrdersSearch, size: number = ordersPerPage) =>
  queryOptions({
    queryKey: ['orders', search, size],
    queryFn: ({ signal }) => call((s) => getOrders({ data: { ...search, size }, signal: s }), { signal }),
    placeholderData: keepPreviousData,
  })

export const orderDetailQuery = (code: OrderCode) =>
  queryOptions({
    queryKey: ['orders', 'detail', code],
    queryFn: ({ signal }) => call((s) => getOrder({ data: { code }, signal: s }), { signal, expected: [404] }),
  })

const recent = 3

export const recentOrdersQuery = ordersQuery({ page: 1, status: undefined, from: undefined, to: undefined }, recent)
