import { queryOptions } from '@tanstack/react-query'
import type { OrderCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { amountLimits, listInput } from '../../platform/search'
import type { OrdersSearch } from './orders.search'

export const ordersQuery = (api: AdminApi, { min, max, ...search }: OrdersSearch) => {
  const input = { ...listInput(search), ...amountLimits({ min, max }) }
  return queryOptions({ queryKey: ['orders', input], queryFn: () => api.admin.orders.list(input) })
}

export const orderQuery = (api: AdminApi, code: OrderCode) =>
  queryOptions({ queryKey: ['order', code], queryFn: () => api.admin.orders.get({ code }) })
