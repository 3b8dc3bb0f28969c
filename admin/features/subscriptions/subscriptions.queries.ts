import { queryOptions } from '@tanstack/react-query'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { listInput } from '../../platform/search'
import type { SubscriptionsSearch } from './subscriptions.search'

export const subscriptionsQuery = (api: AdminApi, search: SubscriptionsSearch) =>
  queryOptions({
    queryKey: ['subscriptions', listInput(search)],
    queryFn: () => api.admin.subscriptions.list(listInput(search)),
  })

export const planNamesQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['subscription-plans'], queryFn: () => api.admin.subscriptions.plans() })

export const subscriptionsCountQuery = (api: AdminApi, search: SubscriptionsSearch) =>
  countQuery(['subscriptions'], listInput(search), (filters) => api.admin.counts.subscriptions(filters))
