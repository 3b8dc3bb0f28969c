import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { caseStatus } from '#contract/enumerations.ts'
import type { InquiryCode } from '#contract/ids.ts'
import type { AdminApi } from '../../platform/admin-api'
import { given, parameter } from '../../platform/search'

export const inquiriesQuery = (api: AdminApi) =>
  queryOptions({ queryKey: ['inquiries'], queryFn: () => api.admin.inquiries.queue() })

export const inquiryQuery = (api: AdminApi, code: InquiryCode) =>
  queryOptions({ queryKey: ['inquiry', code], queryFn: () => api.admin.inquiries.get({ code }) })

const schema = z.object({ status: parameter(caseStatus) })
export type CasesSearch = Partial<z.output<typeof schema>>
export const parseCasesSearch = (search: Record<string, unknown>): CasesSearch => given(schema.parse(search))

export const casesQuery = (api: AdminApi, search: CasesSearch) =>
  queryOptions({ queryKey: ['cases', search], queryFn: () => api.admin.cases.list(given(search)) })
