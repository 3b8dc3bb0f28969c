import * as z from 'zod/mini'
import { inquiryStatus } from './enumerations.ts'
import { inquiryCode, inquiryFileId, inquiryTypeCode, orderCode, productCode, productId } from './ids.ts'
import { page, pageOf, size } from './paging.ts'
import { requiredText, trimmed } from './text.ts'
import { textLanguages } from './translations.ts'

export const largestInquiryFile = 10_000_000
export const filesOfInquiry = 5
/** The limit of most file systems. */
export const longestFileName = 255

/** A type of inquiries. Where `name` is null, the storefront uses its own label. */
export const inquiryType = z.object({ code: inquiryTypeCode, name: z.nullable(z.string()) })
export type InquiryType = z.output<typeof inquiryType>

const files = z._default(z.array(inquiryFileId).check(z.maxLength(filesOfInquiry)), [])
const body = requiredText(5000)

export const inquiryBody = z.object({
  type: inquiryTypeCode.check(z.minLength(1), z.maxLength(40)),
  title: z.string().check(trimmed, z.minLength(1), z.maxLength(150)),
  body,
  /** Files that were uploaded before with `inquiries/files`. */
  files,
  productId: z.optional(productId),
  orderCode: z.optional(orderCode),
  /** The position in the video, in seconds. */
  timeSeconds: z.optional(z.number().check(z.gte(0), z.lte(1_000_000))),
})

const inquirySummary = z.object({
  code: inquiryCode,
  type: inquiryType,
  title: z.string(),
  status: inquiryStatus,
  countOfReplies: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type InquirySummary = z.output<typeof inquirySummary>
export const inquiryPage = pageOf(inquirySummary)
export const inquiryQuery = z.object({ status: z.optional(inquiryStatus), page, size })

export const inquiryUpload = z.object({ file: z.file().check(z.minSize(1), z.maxSize(largestInquiryFile)) })

/** `url` is bound to the member and short-lived. */
export const inquiryFile = z.object({
  id: inquiryFileId,
  name: z.string(),
  contentType: z.string(),
  bytes: z.int(),
  url: z.nullable(z.string()),
})
export type InquiryFile = z.output<typeof inquiryFile>

const inquiryMessage = z.object({
  author: z.enum(['MEMBER', 'ADMIN']),
  body: z.string(),
  files: z.array(inquiryFile),
  createdAt: z.iso.datetime(),
})

export const inquiry = z.extend(inquirySummary, {
  messages: z.array(inquiryMessage),
  product: z.nullable(z.object({ id: productId, code: productCode, title: z.string(), languages: textLanguages })),
  orderCode: z.nullable(orderCode),
  timeSeconds: z.nullable(z.number()),
})
export type Inquiry = z.output<typeof inquiry>
export const inquiryPath = z.object({ code: inquiryCode })
/** A member's reply reopens the inquiry. */
export const inquiryReply = z.object({ code: inquiryCode, body, files })
