import { queryOptions } from '@tanstack/react-query'
import type { MemberId } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { listInput, searchParser, shared } from '../../platform/search'

export const parseMembersSearch = searchParser({
  q: shared.text,
  tag: shared.text,
  cursor: shared.cursor,
  columns: shared.columns,
})
export type MembersSearch = ReturnType<typeof parseMembersSearch>

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

export const tagsQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['member-tags'], queryFn: () => api.admin.members.tags() })
