import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import type { MemberId } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { given, shared } from '../../platform/search'

const schema = z.object({ q: shared.text, cursor: shared.cursor })
export type MembersSearch = Partial<z.output<typeof schema>>
export const parseMembersSearch = (search: Record<string, unknown>): MembersSearch => given(schema.parse(search))

export const membersQuery = (api: AdminApi, search: MembersSearch) =>
  queryOptions({ queryKey: ['members', search], queryFn: () => api.admin.members.list(given(search)) })

export const memberQuery = (api: AdminApi, id: MemberId) =>
  queryOptions({ queryKey: ['member', id], queryFn: () => api.admin.members.get({ id }) })
