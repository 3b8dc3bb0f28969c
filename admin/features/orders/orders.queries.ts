import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { orderStatus } from '#contract/enumerations.ts'
import { memberId, type OrderCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { given, parameter, shared } from '../../platform/search'

const schema = z.object({
  q: shared.text,
  status: parameter(orderStatus),
  memberId: parameter(memberId),
  from: shared.day,
  to: shared.day,
  cursor: shared.cursor,
})
export type OrdersSearch = Partial<z.output<typeof schema>>
export const parseOrdersSearch = (search: Record<string, unknown>): OrdersSearch => given(schema.parse(search))

export const ordersQuery = (api: AdminApi, search: OrdersSearch) =>
  queryOptions({ queryKey: ['orders', search], queryFn: () => api.admin.orders.list(given(search)) })

export const orderQuery = (api: AdminApi, code: OrderCode) =>
  queryOptions({ queryKey: ['order', code], queryFn: () => api.admin.orders.get({ code }) })
