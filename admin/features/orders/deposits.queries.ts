import { queryOptions } from '@tanstack/react-query'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { searchParser, shared } from '../../platform/search'

export const parseDepositsSearch = searchParser({ q: shared.text, cursor: shared.cursor })
type DepositsSearch = ReturnType<typeof parseDepositsSearch>

export const depositsQuery = (api: AdminApi, search: DepositsSearch & { size?: number }) =>
  queryOptions({
    queryKey: ['deposits', 'expected', search],
    queryFn: () => api.admin.deposits.expected(withoutUndefined(search)),
  })

export const moneyToReturnQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['deposits', 'toReturn'], queryFn: () => api.admin.deposits.toReturn() })

/** What changes with a deposit or a transfer, by the beginnings of the keys. */
export const depositChanges = [['deposits'], ['order'], ['orders'], ['home']]
