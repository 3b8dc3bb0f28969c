import { inquiryBody, inquiryPath, inquiryQuery, inquiryReply } from '#contract/inquiries.ts'
import { checked, readFn, writeFn } from '~/platform/api/server-fn'

/** What may be asked about in this store. */
export const getInquiryTypes = readFn().handler(({ context }) => context.ask((api) => api.inquiries.inquiryTypes()))

/** A page of the member's inquiries, latest first. */
export const getInquiries = readFn()
  .validator(checked(inquiryQuery))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.inquiries(data)))

/** One inquiry with its messages. 404 for another member's. */
export const getInquiry = readFn()
  .validator(checked(inquiryPath))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.inquiry(data)))

/** Sends an inquiry with files that were sent before. */
export const askInquiry = writeFn()
  .validator(checked(inquiryBody))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.ask(data)))

/** Replies, which opens the inquiry again. */
export const replyToInquiry = writeFn()
  .validator(checked(inquiryReply))
  .handler(({ data, context }) => context.ask((api) => api.inquiries.reply(data)))
