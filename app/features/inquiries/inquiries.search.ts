import * as z from 'zod/mini'
import { caseStatus } from '#contract/enumerations.ts'
import { type InquiryCode, inquiryCode, lessonId, orderCode, productCode } from '#contract/ids.ts'

export const inquiriesSearch = z.object({
  status: z.catch(z.optional(caseStatus), undefined),
  page: z.catch(z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000)), 1), 1),
})
export type InquiriesSearch = z.output<typeof inquiriesSearch>

/** What an address need not say. */
export const inquiriesSearchDefaults = { page: 1 } as const

/** What an inquiry is about, filled in by the page it was begun from; `t` is the second of the video. */
export const inquiryInputSearch = z.object({
  type: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(40))), undefined),
  product: z.catch(z.optional(productCode), undefined),
  lesson: z.catch(z.optional(lessonId), undefined),
  order: z.catch(z.optional(orderCode), undefined),
  t: z.catch(z.optional(z.coerce.number().check(z.gte(0), z.lte(1_000_000))), undefined),
})
export type InquiryInputSearch = z.output<typeof inquiryInputSearch>

/** The inquiry an address names; undefined for what cannot be a code. */
export const readInquiryCode = (text: string): InquiryCode | undefined => inquiryCode.safeParse(text).data
