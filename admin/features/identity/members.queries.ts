import { queryOptions } from '@tanstack/react-query'
import type { MemberId, PlanId } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { listInput } from '../../platform/search'
import type { MembersSearch } from './members.search'

export const membersQuery = (api: AdminApi, search: MembersSearch) =>
  queryOptions({ queryKey: ['members', listInput(search)], queryFn: () => api.admin.members.list(listInput(search)) })

export const memberQuery = (api: AdminApi, id: MemberId) =>
  queryOptions({ queryKey: ['member', id], queryFn: () => api.admin.members.get({ id }) })

/** Its key begins with the member's, so that changes of the member load it again. */
export const memberSubscriptionQuery = (api: AdminApi, id: MemberId) =>
  queryOptions({
    queryKey: ['member', id, 'subscription'],
    queryFn: () => api.admin.members.subscription({ id }),
  })

/** What a change to a plan costs. Its price is valid for minutes, so that it is not cached. */
export const planQuoteQuery = (api: AdminApi, id: MemberId, planId: PlanId | undefined) =>
  queryOptions({
    queryKey: ['plan-quote', id, planId],
    queryFn: () => (planId === undefined ? null : api.admin.members.quotePlanChange({ id, planId })),
    enabled: planId !== undefined,
    gcTime: 0,
    staleTime: 10 * 60_000,
    retry: false,
  })

export const memberFacetsQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['member-facets'], queryFn: () => api.admin.members.facets() })

export const tagsQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['member-tags'], queryFn: () => api.admin.members.tags() })

export const membersCountQuery = (api: AdminApi, search: MembersSearch) =>
  countQuery(['members'], listInput(search), (filters) => api.admin.counts.members(filters))
