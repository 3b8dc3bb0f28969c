import { orderSort, orderStatus, orderWay } from '#contract/enumerations.ts'
import { memberId, productCode } from '#contract/ids.ts'
import { parameter, searchParser, shared } from '../../platform/search'

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
