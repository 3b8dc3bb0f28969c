import { queryOptions } from '@tanstack/react-query'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { amountLimits } from '../../platform/search'
import type { DepositsSearch } from './deposits.search'

export const depositsQuery = (api: AdminApi, { q, cursor, size }: DepositsSearch & { size?: number }) => {
  const input = withoutUndefined({ q, cursor, size })
  return queryOptions({
    queryKey: ['deposits', 'expected', input],
    queryFn: () => api.admin.deposits.expected(input),
  })
}

const receivedInput = ({ q, from, to, cursor, min, max }: DepositsSearch) => ({
  ...withoutUndefined({ q, from, to, cursor }),
  ...amountLimits({ min, max }),
})

export const depositsCountQuery = (api: AdminApi, { q }: DepositsSearch) =>
  countQuery(['deposits', 'expected'], withoutUndefined({ q }), (filters) => api.admin.counts.deposits(filters))

export const receivedCountQuery = (api: AdminApi, search: DepositsSearch) =>
  countQuery(['deposits', 'received'], receivedInput(search), (filters) =>
    api.admin.counts.deposits({ list: 'RECEIVED', ...filters }),
  )

export const receivedQuery = (api: AdminApi, search: DepositsSearch) => {
  const input = receivedInput(search)
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
