import { caseStatus } from '#contract/enumerations.ts'
import { type InquiryCode, inquiryCode, lessonId, orderCode, productCode } from '#contract/ids.ts'
import {
  amountUpTo,
  firstPage,
  pageNumber,
  type SearchOf,
  searchSchema,
  text,
} from '~/platform/navigation/search-schema'

export const inquiriesSearch = searchSchema({ status: caseStatus, page: pageNumber }, firstPage)
export type InquiriesSearch = SearchOf<typeof inquiriesSearch>

/** What an inquiry is about, filled in by the page it was begun from; `t` is the second of the video. */
export const inquiryInputSearch = searchSchema({
  type: text(40),
  product: productCode,
  lesson: lessonId,
  order: orderCode,
  t: amountUpTo(1_000_000),
})
export type InquiryInputSearch = SearchOf<typeof inquiryInputSearch>

/** The inquiry an address names; undefined for what cannot be a code. */
export const readInquiryCode = (text: string): InquiryCode | undefined => inquiryCode.safeParse(text).data
