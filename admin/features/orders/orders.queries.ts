import { queryOptions } from '@tanstack/react-query'
import { orderStatus } from '#contract/enumerations.ts'
import { memberId, type OrderCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { listInput, parameter, searchParser, shared } from '../../platform/search'

export const parseOrdersSearch = searchParser({
  q: shared.text,
  status: parameter(orderStatus),
  memberId: parameter(memberId),
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type OrdersSearch = ReturnType<typeof parseOrdersSearch>

export const ordersQuery = (api: AdminApi, search: OrdersSearch) =>
  queryOptions({ queryKey: ['orders', listInput(search)], queryFn: () => api.admin.orders.list(listInput(search)) })

export const orderQuery = (api: AdminApi, code: OrderCode) =>
  queryOptions({ queryKey: ['order', code], queryFn: () => api.admin.orders.get({ code }) })
