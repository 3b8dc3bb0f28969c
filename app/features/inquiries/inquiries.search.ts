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

/**
 * The subject of an inquiry from the previous page. `t` is the position in the video in seconds.
 */
export const inquiryInputSearch = searchSchema({
  type: text(40),
  product: productCode,
  lesson: lessonId,
  order: orderCode,
  t: amountUpTo(1_000_000),
})
export type InquiryInputSearch = SearchOf<typeof inquiryInputSearch>

/** Returns the inquiry code of a URL; undefined where it is invalid. */
export const readInquiryCode = (text: string): InquiryCode | undefined => inquiryCode.safeParse(text).data
