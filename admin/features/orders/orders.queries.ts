import { queryOptions } from '@tanstack/react-query'
import type { OrderCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { amountLimits, listInput } from '../../platform/search'
import type { OrdersSearch } from './orders.search'

const ordersInput = ({ min, max, ...search }: OrdersSearch) => ({ ...listInput(search), ...amountLimits({ min, max }) })

export const ordersQuery = (api: AdminApi, search: OrdersSearch) => {
  const input = ordersInput(search)
  return queryOptions({ queryKey: ['orders', input], queryFn: () => api.admin.orders.list(input) })
}

export const ordersCountQuery = (api: AdminApi, search: OrdersSearch) =>
  countQuery(['orders'], ordersInput(search), (filters) => api.admin.counts.orders(filters))

export const orderQuery = (api: AdminApi, code: OrderCode) =>
  queryOptions({ queryKey: ['order', code], queryFn: () => api.admin.orders.get({ code }) })
