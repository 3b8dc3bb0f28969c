import { queryOptions } from '@tanstack/react-query'
import { caseStatus } from '#contract/enumerations.ts'
import type { InquiryCode } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import type { AdminApi } from '../../platform/admin-api'
import { parameter, searchParser } from '../../platform/search'

export const inquiriesQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['inquiries'], queryFn: () => api.admin.inquiries.queue() })

export const inquiryQuery = (api: AdminApi, code: InquiryCode) =>
  queryOptions({ queryKey: ['inquiry', code], queryFn: () => api.admin.inquiries.get({ code }) })

export const parseCasesSearch = searchParser({ status: parameter(caseStatus) })
export type CasesSearch = ReturnType<typeof parseCasesSearch>

export const casesQuery = (api: AdminApi, search: CasesSearch) =>
  queryOptions({ queryKey: ['cases', search], queryFn: () => api.admin.cases.list(withoutUndefined(search)) })
