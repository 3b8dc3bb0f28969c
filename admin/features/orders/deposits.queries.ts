import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { amountLimits, parameter, searchParser, shared } from '../../platform/search'

export const parseDepositsSearch = searchParser({
  /** Without one, the orders that wait for a deposit. */
  list: parameter(z.enum(['received'])),
  q: shared.text,
  from: shared.day,
  to: shared.day,
  min: shared.amount,
  max: shared.amount,
  cursor: shared.cursor,
  /** Pages of money to return. */
  unapplied: shared.cursor,
  refunds: shared.cursor,
})
type DepositsSearch = ReturnType<typeof parseDepositsSearch>

export const depositsQuery = (api: AdminApi, { q, cursor, size }: DepositsSearch & { size?: number }) => {
  const input = withoutUndefined({ q, cursor, size })
  return queryOptions({
    queryKey: ['deposits', 'expected', input],
    queryFn: () => api.admin.deposits.expected(input),
  })
}

export const receivedQuery = (api: AdminApi, { q, from, to, cursor, min, max }: DepositsSearch) => {
  const input = { ...withoutUndefined({ q, from, to, cursor }), ...amountLimits({ min, max }) }
  return queryOptions({
    queryKey: ['deposits', 'received', input],
    queryFn: () => api.admin.deposits.received(input),
  })
}

export const moneyToReturnQuery = (api: AdminApi, { unapplied, refunds }: DepositsSearch) => {
  const input = withoutUndefined({ unappliedCursor: unapplied, refundsCursor: refunds })
  return queryOptions({ queryKey: ['deposits', 'toReturn', input], queryFn: () => api.admin.deposits.toReturn(input) })
}

/** What changes with a deposit or a transfer, by the beginnings of the keys. */
export const depositChanges = [['deposits'], ['order'], ['orders'], ['home']]
