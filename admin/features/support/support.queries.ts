import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { inquiryStatus, type ReplyPlaceholder } from '#contract/admin/inquiries.ts'
import { caseStatus } from '#contract/enumerations.ts'
import { type InquiryCode, inquiryTypeCode, memberId, staffId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { listInput, parameter, searchParser, shared } from '../../platform/search'

export const parseInquiriesSearch = searchParser({
  q: shared.text,
  words: shared.text,
  status: parameter(inquiryStatus),
  type: parameter(inquiryTypeCode),
  assignee: parameter(z.union([staffId, z.literal('NONE')])),
  memberId: parameter(memberId),
  cursor: shared.cursor,
  columns: shared.columns,
})
export type InquiriesSearch = ReturnType<typeof parseInquiriesSearch>

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

export const parseCasesSearch = searchParser({ status: parameter(caseStatus) })
export type CasesSearch = ReturnType<typeof parseCasesSearch>

export const casesQuery = (api: AdminApi, search: CasesSearch) =>
  queryOptions({ queryKey: ['cases', search], queryFn: () => api.admin.cases.list(withoutUndefined(search)) })

export const topicsKey = ['inquiry-topics'] as const

export const topicsQuery = (api: AdminApi) =>
  queryOptions({ queryKey: topicsKey, queryFn: () => api.admin.inquiryTopics.read() })

/** What else a change of the topics changes. */
export const topicChanges = [['inquiry-facets'], ['inquiries'], ['inquiry']] as const
