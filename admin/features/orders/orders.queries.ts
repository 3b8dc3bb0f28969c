import { queryOptions } from '@tanstack/react-query'
import { orderSort, orderStatus, orderWay } from '#contract/enumerations.ts'
import { memberId, type OrderCode, productCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { amountLimits, listInput, parameter, searchParser, shared } from '../../platform/search'

export const parseOrdersSearch = searchParser({
  q: shared.text,
  status: parameter(orderStatus),
  way: parameter(orderWay),
  product: parameter(productCode),
  min: shared.amount,
  max: shared.amount,
  sort: parameter(orderSort),
  memberId: parameter(memberId),
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type OrdersSearch = ReturnType<typeof parseOrdersSearch>

export const ordersQuery = (api: AdminApi, { min, max, ...search }: OrdersSearch) => {
  const input = { ...listInput(search), ...amountLimits({ min, max }) }
  return queryOptions({ queryKey: ['orders', input], queryFn: () => api.admin.orders.list(input) })
}

export const orderQuery = (api: AdminApi, code: OrderCode) =>
  queryOptions({ queryKey: ['order', code], queryFn: () => api.admin.orders.get({ code }) })
