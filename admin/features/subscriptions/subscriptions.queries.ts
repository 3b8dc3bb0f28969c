import { queryOptions } from '@tanstack/react-query'
import { subscriptionSort, subscriptionState } from '#contract/enumerations.ts'
import { planCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { listInput, parameter, searchParser, shared } from '../../platform/search'

export const parseSubscriptionsSearch = searchParser({
  q: shared.text,
  state: parameter(subscriptionState),
  plan: parameter(planCode),
  sort: parameter(subscriptionSort),
  cursor: shared.cursor,
  columns: shared.columns,
})
export type SubscriptionsSearch = ReturnType<typeof parseSubscriptionsSearch>

export const subscriptionsQuery = (api: AdminApi, search: SubscriptionsSearch) =>
  queryOptions({
    queryKey: ['subscriptions', listInput(search)],
    queryFn: () => api.admin.subscriptions.list(listInput(search)),
  })

export const planNamesQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['subscription-plans'], queryFn: () => api.admin.subscriptions.plans() })
