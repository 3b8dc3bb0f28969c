import * as z from 'zod/mini'
import { caseStatus } from '../enumerations.ts'
import { caseId, commentId, orderCode, productCode } from '../ids.ts'

/** A comment that is held, or shown with reports that nobody has decided about. */
const commentToReview = z.object({
  id: commentId,
  productCode,
  author: z.string(),
  body: z.string(),
  state: z.string(),
  /** The blocked word that holds it; null if it has a link, or is not held. */
  heldPhrase: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  /** By reason, the most frequent first. */
  reports: z.array(z.object({ reason: z.string(), count: z.int() })),
})
export const commentQueue = z.object({
  items: z.array(commentToReview),
  held: z.int(),
  reported: z.int(),
})
export const commentPath = z.object({ id: commentId })
export const commentHide = z.object({
  id: commentId,
  /** For the audit log. */
  note: z.optional(z.string().check(z.trim(), z.maxLength(500))),
})
export const commentReply = z.object({
  id: commentId,
  body: z.string().check(z.trim(), z.minLength(1), z.maxLength(1000)),
})

export const blockedPhrases = z.object({
  phrases: z.array(z.string()),
  /** Send it as `If-Match` with a change. */
  version: z.string(),
})
export type BlockedPhrases = z.output<typeof blockedPhrases>
export const blockedPhrasesChange = z.object({
  phrases: z.array(z.string().check(z.trim(), z.minLength(1), z.maxLength(60))).check(z.maxLength(500)),
})

/** What a case of an order (`ORDER_CANCEL`) is about. */
export const orderCaseKinds = [
  'CANCEL_REQUEST',
  'UNAPPLIED_PAYMENT',
  'REFUND_REFUSED',
  'CHARGE_REFUND_REFUSED',
  'DEPOSIT_REVERSED',
] as const
export type OrderCaseKind = (typeof orderCaseKinds)[number]

export const caseQuery = z.object({ status: z._default(caseStatus, 'WAIT') })
export const caseQueue = z.object({
  items: z.array(
    z.object({
      id: caseId,
      type: z.enum(['INQUIRY', 'WITHDRAWAL', 'ORDER_CANCEL', 'CUSTOM']),
      /** Null for a case of another type. */
      orderKind: z.nullable(z.enum(orderCaseKinds)),
      status: caseStatus,
      subject: z.string(),
      /** Null for a case without a member. */
      email: z.nullable(z.string()),
      /** The code of the order it is about, or null. */
      order: z.nullable(orderCode),
      /** False for a case that closes by an answer or a decision. */
      closable: z.boolean(),
      createdAt: z.iso.datetime(),
    }),
  ),
})
export const caseClose = z.object({
  id: caseId,
  /** How it was resolved, for the audit log. */
  note: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
})
