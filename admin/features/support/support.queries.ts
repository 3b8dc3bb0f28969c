import { queryOptions } from '@tanstack/react-query'
import type { ReplyPlaceholder } from '#contract/admin/inquiries.ts'
import type { InquiryCode } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { countQuery } from '../../platform/list-count'
import { listInput } from '../../platform/search'
import type { CasesSearch, InquiriesSearch } from './support.search'

export const inquiriesQuery = (api: AdminApi, search: InquiriesSearch) =>
  queryOptions({
    queryKey: ['inquiries', listInput(search)],
    queryFn: () => api.admin.inquiries.list(listInput(search)),
  })

export const inquiryQuery = (api: AdminApi, code: InquiryCode) =>
  queryOptions({ queryKey: ['inquiry', code], queryFn: () => api.admin.inquiries.get({ code }) })

/** Who answers inquiries, and the topics of the store. */
export const inquiryFacetsQuery = (api: AdminApi) =>
  queryOptions({
    queryKey: ['inquiry-facets'],
    queryFn: () => api.admin.inquiries.facets(),
    staleTime: 60_000,
  })

export const repliesKey = ['saved-replies'] as const

/** What a saved reply has in place of the member and the inquiry. */
export const replyPlaces = {
  name: '{name}',
  number: '{number}',
  subject: '{subject}',
} as const satisfies Record<string, ReplyPlaceholder>

export const repliesQuery = (api: AdminApi) =>
  queryOptions({ queryKey: repliesKey, queryFn: () => api.admin.savedReplies.list() })

/** What an answer or an assignment changes. */
export const inquiryChanges = (code: InquiryCode) => [['inquiry', code], ['inquiries'], ['cases'], ['home']]

export const casesQuery = (api: AdminApi, search: CasesSearch) =>
  queryOptions({ queryKey: ['cases', search], queryFn: () => api.admin.cases.list(withoutUndefined(search)) })

export const topicsKey = ['inquiry-topics'] as const

export const topicsQuery = (api: AdminApi) =>
  queryOptions({ queryKey: topicsKey, queryFn: () => api.admin.inquiryTopics.read() })

/** What else a change of the topics changes. */
export const topicChanges = [['inquiry-facets'], ['inquiries'], ['inquiry']] as const

export const inquiriesCountQuery = (api: AdminApi, search: InquiriesSearch) =>
  countQuery(['inquiries'], listInput(search), (filters) => api.admin.counts.inquiries(filters))

export const casesCountQuery = (api: AdminApi, search: CasesSearch) =>
  countQuery(['cases'], withoutUndefined(search), (filters) => api.admin.counts.cases(filters))
