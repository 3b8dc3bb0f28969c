import { queryOptions } from '@tanstack/react-query'
import type { MemberId } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { given, searchParser, shared } from '../../platform/search'

export const parseMembersSearch = searchParser({ q: shared.text, cursor: shared.cursor })
export type MembersSearch = ReturnType<typeof parseMembersSearch>

export const membersQuery = (api: AdminApi, search: MembersSearch) =>
  queryOptions({ queryKey: ['members', search], queryFn: () => api.admin.members.list(given(search)) })

export const memberQuery = (api: AdminApi, id: MemberId) =>
  queryOptions({ queryKey: ['member', id], queryFn: () => api.admin.members.get({ id }) })
