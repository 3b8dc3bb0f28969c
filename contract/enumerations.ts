import * as z from 'zod/mini'

/** The enumerations of the specification, unchanged. */
export const orderStatus = z.enum([
  'PAYMENT_COMPLETE',
  'PAYMENT_FAIL',
  'DEPOSIT_WAITING',
  'CANCEL_REQUEST',
  'CANCEL_COMPLETE',
])
export type OrderStatus = z.output<typeof orderStatus>

export const refundStep = z.enum(['PENDING', 'ACCEPT', 'REFUND'])
export type RefundStep = z.output<typeof refundStep>

export const displayType = z.enum(['TEXT', 'LOGO', 'LOGO_TEXT'])
/** How a store names the videos of a product. */
export const lessonTerm = z.enum(['EPISODE', 'LESSON'])
export const paymentMethod = z.enum(['CARD', 'BANK'])
export type PaymentMethod = z.output<typeof paymentMethod>

/** How a sale outside of the store was paid. TERMINAL: a card terminal of the store. */
export const recordedMethod = z.enum(['CASH', 'TRANSFER', 'TERMINAL', 'OTHER'])
export type RecordedMethod = z.output<typeof recordedMethod>

/**
 * The way in which an order was or is to be paid. RECORDED: a sale outside of the store. FREE: its
 * titles cost nothing.
 */
export const orderWay = z.enum(['CARD', 'BANK', 'RECORDED', 'COMPLIMENTARY', 'FREE'])
export type OrderWay = z.output<typeof orderWay>

/** TOTAL: the highest first. */
export const orderSort = z.enum(['NEWEST', 'OLDEST', 'TOTAL'])
export type OrderSort = z.output<typeof orderSort>

export const productKind = z.enum(['PAY', 'FREE', 'VOD'])
export type ProductKind = z.output<typeof productKind>

export const sortOption = z.enum([
  'sort,DESC',
  'createdAt,DESC',
  'createdAt,ASC',
  'countOfViews,DESC',
  'countOfViews,ASC',
  'countOfPlays,DESC',
  'countOfPlays,ASC',
  'duration,DESC',
  'duration,ASC',
])
export type SortOption = z.output<typeof sortOption>

export const bannerType = z.enum(['HEADER_BANNER', 'MAIN_SLIDER_BANNER', 'BANNER', 'CUSTOM', 'GRID', 'NONE'])
export type BannerType = z.output<typeof bannerType>

/** Who may watch or download a product. */
export const productAccess = z.enum(['FREE', 'MEMBER', 'PURCHASE', 'PLAN', 'PURCHASE_OR_PLAN'])
export type ProductAccess = z.output<typeof productAccess>

/**
 * Nobody sees a DRAFT. Those who have a right to a HIDDEN or ENDED product keep it; an ENDED one
 * still has its page.
 */
export const productStatus = z.enum(['DRAFT', 'ON_SALE', 'HIDDEN', 'ENDED'])
export type ProductStatus = z.output<typeof productStatus>

/**
 * The status of a product with its sale period: one that is ON_SALE is SCHEDULED before its sale
 * begins, and ENDED after it.
 */
export const saleState = z.enum(['DRAFT', 'SCHEDULED', 'ON_SALE', 'HIDDEN', 'ENDED'])
export type SaleState = z.output<typeof saleState>

/**
 * PRICE: it is for sale and has none. POSTER: only a colour. CONTENT: no video, no lesson with one,
 * and no file.
 */
export const productLack = z.enum(['PRICE', 'POSTER', 'CONTENT', 'CATEGORY', 'DESCRIPTION'])
export type ProductLack = z.output<typeof productLack>

/** PRICE_LOW, PRICE_HIGH: the lowest or highest first, those without a price last. */
export const productSort = z.enum(['NEWEST', 'OLDEST', 'TITLE', 'PRICE_LOW', 'PRICE_HIGH'])
export type ProductSort = z.output<typeof productSort>

/** A way to obtain a product: permanently, or for a number of days. */
export const optionType = z.enum(['OWN', 'RENT'])
export type OptionType = z.output<typeof optionType>

export const locale = z.enum(['en', 'ko', 'ja', 'ar'])
export type Locale = z.output<typeof locale>

/** HELD: waits for a moderator. HIDDEN: removed by a moderator. The author still sees both. */
export const commentState = z.enum(['SHOWN', 'HELD', 'HIDDEN', 'DELETED'])
export type CommentState = z.output<typeof commentState>

/** The status of a case or an inquiry. */
export const caseStatus = z.enum(['WAIT', 'COMPLETE'])
export type CaseStatus = z.output<typeof caseStatus>

/** COMPLETE: the last message is the store’s. CLOSED: it needs no answer to its last message. */
export const inquiryStatus = z.enum([...caseStatus.options, 'CLOSED'])
export type InquiryStatus = z.output<typeof inquiryStatus>

/** PROCEEDING is active. PENDING waits for its first charge, or is overdue. */
export const subscriptionStatus = z.enum(['PROCEEDING', 'PENDING'])

export const planCycle = z.enum(['MONTH', 'YEAR'])
export type PlanCycle = z.output<typeof planCycle>

/** NOT_SENT: the installation has no mail server. */
export const videoJobStatus = z.enum(['QUEUED', 'RUNNING', 'READY', 'FAILED', 'CANCELLED'])
export type VideoJobStatus = z.output<typeof videoJobStatus>

export const mailStatus = z.enum(['QUEUED', 'SENT', 'FAILED', 'NOT_SENT'])
export type MailStatus = z.output<typeof mailStatus>

/**
 * TRIAL, ACTIVE: renewed. OVERDUE: a renewal failed and is tried again. CANCELLED: ends with its
 * paid period. PAUSED: by staff, until they resume it or a day.
 */
export const subscriptionState = z.enum(['TRIAL', 'ACTIVE', 'OVERDUE', 'PAUSED', 'CANCELLED', 'ENDED'])
export type SubscriptionState = z.output<typeof subscriptionState>

/** STARTED: latest first. NEXT_CHARGE: the next one first, without those that are not renewed. */
export const subscriptionSort = z.enum(['STARTED', 'NEXT_CHARGE'])
export type SubscriptionSort = z.output<typeof subscriptionSort>

export const webhookDeliveryStatus = z.enum(['QUEUED', 'DELIVERED', 'FAILED'])
export type WebhookDeliveryStatus = z.output<typeof webhookDeliveryStatus>

/** LEFT: the account was deleted. Without a state, ACTIVE and BLOCKED ones are listed. */
export const memberState = z.enum(['ACTIVE', 'BLOCKED', 'LEFT'])
export type MemberState = z.output<typeof memberState>

/**
 * JOINED: latest first. NAME: in alphabetical order. SEEN: who was seen last first, without those
 * who have no session.
 */
export const memberSort = z.enum(['JOINED', 'NAME', 'SEEN'])
export type MemberSort = z.output<typeof memberSort>

export const memberMarketing = z.enum(['YES', 'NO'])
