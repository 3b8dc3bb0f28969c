import * as z from 'zod/mini'
import { caseStatus, inquiryStatus } from '#contract/enumerations.ts'
import { inquiryTypeCode, memberId, staffId } from '#contract/ids.ts'
import { parameter, searchParser, shared } from '../../platform/search'

export const parseInquiriesSearch = searchParser({
  q: shared.text,
  words: shared.text,
  status: parameter(z.enum([...inquiryStatus.options, 'ALL'])),
  type: parameter(inquiryTypeCode),
  assignee: parameter(z.union([staffId, z.literal('NONE')])),
  memberId: parameter(memberId),
  cursor: shared.cursor,
  columns: shared.columns,
})
export type InquiriesSearch = ReturnType<typeof parseInquiriesSearch>

export const parseCasesSearch = searchParser({ status: parameter(caseStatus), cursor: shared.cursor })
export type CasesSearch = ReturnType<typeof parseCasesSearch>
