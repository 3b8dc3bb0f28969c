import * as z from 'zod/mini'

const uuid = <Brand extends string>() => z.uuid().brand<Brand>()

/** Ids are UUIDv7, branded so that kinds cannot be confused. */
export const customerId = uuid<'CustomerId'>()
export const memberId = uuid<'MemberId'>()
export const sessionId = uuid<'SessionId'>()
export const categoryId = uuid<'CategoryId'>()
export const productId = uuid<'ProductId'>()
export const optionId = uuid<'OptionId'>()
export const lessonId = uuid<'LessonId'>()
export const attachmentId = uuid<'AttachmentId'>()
export const commentId = uuid<'CommentId'>()
export const noticeId = uuid<'NoticeId'>()
export const faqId = uuid<'FaqId'>()
export const bannerId = uuid<'BannerId'>()
export const cartItemId = uuid<'CartItemId'>()
export const orderItemId = uuid<'OrderItemId'>()
export const paymentId = uuid<'PaymentId'>()
export const videoId = uuid<'VideoId'>()
export const planId = uuid<'PlanId'>()
export const subscriptionId = uuid<'SubscriptionId'>()
export const quoteId = uuid<'QuoteId'>()
export const cardId = uuid<'CardId'>()
export const inquiryFileId = uuid<'InquiryFileId'>()
export const videoJobId = uuid<'VideoJobId'>()
export const playId = uuid<'PlayId'>()
export const mailId = uuid<'MailId'>()
export const caseId = uuid<'CaseId'>()
export const guestId = uuid<'GuestId'>()
export const uploadId = uuid<'UploadId'>()
export const operatorTokenId = uuid<'OperatorTokenId'>()
export const staffId = uuid<'StaffId'>()
export const staffSessionId = uuid<'StaffSessionId'>()
export const staffInvitationId = uuid<'StaffInvitationId'>()
export const staffRoleId = uuid<'StaffRoleId'>()
export const savedReplyId = uuid<'SavedReplyId'>()
export const savedViewId = uuid<'SavedViewId'>()
export const catalogImportId = uuid<'CatalogImportId'>()
export const bulkJobId = uuid<'BulkJobId'>()
export const tableJobId = uuid<'TableJobId'>()
export const webhookEndpointId = uuid<'WebhookEndpointId'>()
export const webhookEventId = uuid<'WebhookEventId'>()
export const webhookDeliveryId = uuid<'WebhookDeliveryId'>()
export const staffPasskeyId = uuid<'StaffPasskeyId'>()

/**
 * The storefront's key of one payment: made once, when its form is shown, and sent with every
 * retry, so that the payment has effect once. `Idempotency-Key` headers are derived from it.
 */
export const idempotencyKey = z.string().check(z.regex(/^[\w-]{16,64}$/))

export type CustomerId = z.output<typeof customerId>
export type MemberId = z.output<typeof memberId>
export type SessionId = z.output<typeof sessionId>
export type CategoryId = z.output<typeof categoryId>
export type ProductId = z.output<typeof productId>
export type OptionId = z.output<typeof optionId>
export type LessonId = z.output<typeof lessonId>
export type AttachmentId = z.output<typeof attachmentId>
export type CommentId = z.output<typeof commentId>
export type NoticeId = z.output<typeof noticeId>
export type FaqId = z.output<typeof faqId>
export type BannerId = z.output<typeof bannerId>
export type CartItemId = z.output<typeof cartItemId>
export type OrderItemId = z.output<typeof orderItemId>
export type PaymentId = z.output<typeof paymentId>
export type VideoId = z.output<typeof videoId>
export type PlanId = z.output<typeof planId>
export type SubscriptionId = z.output<typeof subscriptionId>
export type QuoteId = z.output<typeof quoteId>
export type CardId = z.output<typeof cardId>
export type InquiryFileId = z.output<typeof inquiryFileId>
export type VideoJobId = z.output<typeof videoJobId>
export type PlayId = z.output<typeof playId>
export type MailId = z.output<typeof mailId>
export type CaseId = z.output<typeof caseId>
export type GuestId = z.output<typeof guestId>
export type UploadId = z.output<typeof uploadId>
export type OperatorTokenId = z.output<typeof operatorTokenId>
export type StaffId = z.output<typeof staffId>
export type StaffSessionId = z.output<typeof staffSessionId>
export type StaffInvitationId = z.output<typeof staffInvitationId>
export type StaffRoleId = z.output<typeof staffRoleId>
export type SavedReplyId = z.output<typeof savedReplyId>
export type SavedViewId = z.output<typeof savedViewId>
export type CatalogImportId = z.output<typeof catalogImportId>
export type BulkJobId = z.output<typeof bulkJobId>
export type TableJobId = z.output<typeof tableJobId>
export type WebhookEndpointId = z.output<typeof webhookEndpointId>
export type WebhookEventId = z.output<typeof webhookEventId>
export type WebhookDeliveryId = z.output<typeof webhookDeliveryId>
export type StaffPasskeyId = z.output<typeof staffPasskeyId>

// Ids that no request carries.
type Branded<Brand extends string> = string & z.core.$brand<Brand>
export type CartId = Branded<'CartId'>
export type OrderId = Branded<'OrderId'>
export type CancelRequestId = Branded<'CancelRequestId'>
export type InquiryId = Branded<'InquiryId'>
export type InquiryMessageId = Branded<'InquiryMessageId'>
export type EntitlementId = Branded<'EntitlementId'>
export type JoinVerificationId = Branded<'JoinVerificationId'>
export type PasswordResetId = Branded<'PasswordResetId'>
/** A row that no other row refers to, such as an event. */
export const rowId = uuid<'RowId'>()
export type RowId = z.output<typeof rowId>
/** Whose history it is: views and positions of a member or a guest. */
export type ViewerId = MemberId | GuestId

/** The code that identifies a tenant: lower case letters, digits and hyphens. */
export const customerCode = z
  .string()
  .check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/))
  .brand<'CustomerCode'>()
export type CustomerCode = z.output<typeof customerCode>

/** The code in the product's URL: `/products/{code}`. */
export const productCode = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/))
  .brand<'ProductCode'>()
export type ProductCode = z.output<typeof productCode>

/** A product's id or code, as its path names it. One that fits neither is an unknown product. */
export const productIdOrCode = z.string().check(z.minLength(1), z.maxLength(64))

/** The code of a plan, which catalogue files and banners name: `pass`. */
export const planCode = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/))
  .brand<'PlanCode'>()
export type PlanCode = z.output<typeof planCode>

/** The order number that members see: `20261121-7F3K9Q`. */
export const orderCode = z
  .string()
  .check(z.regex(/^\d{8}-[0-9A-HJKMNP-TV-Z]{6}$/))
  .brand<'OrderCode'>()
export type OrderCode = z.output<typeof orderCode>

/** The code of one of the store's inquiry types: `ORDER`, or a word of the store's own. */
export const inquiryTypeCode = z.string().brand<'InquiryTypeCode'>()
export type InquiryTypeCode = z.output<typeof inquiryTypeCode>

/** The inquiry number that members see: `Q-7F3K9Q`. */
export const inquiryCode = z
  .string()
  .check(z.regex(/^Q-[0-9A-HJKMNP-TV-Z]{6}$/))
  .brand<'InquiryCode'>()
export type InquiryCode = z.output<typeof inquiryCode>
