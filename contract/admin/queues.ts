import * as z from 'zod/mini'
import { caseStatus, commentState } from '../enumerations.ts'
import { caseId, commentId, memberId, orderCode, productCode } from '../ids.ts'
import { inOrder } from '../paging.ts'
import { requiredText, textUpTo } from '../text.ts'
import { exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'

/** A comment that is held, or shown with reports that nobody has decided about. */
const commentToReview = z.object({
  id: commentId,
  productCode,
  productTitle: z.string(),
  /** Null once the account is deleted. */
  memberId: z.nullable(memberId),
  author: z.string(),
  body: z.string(),
  state: z.string(),
  /** The blocked word that holds it; null if it has a link, or is not held. */
  heldPhrase: z.nullable(z.string()),
  /** Whether the text has something that looks like a link. */
  hasLink: z.boolean(),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
  /** By reason, the most frequent first. */
  reports: z.array(z.object({ reason: z.string(), count: z.int() })),
})
export const commentQueue = z.object({
  items: z.array(commentToReview),
  held: z.int(),
  reported: z.int(),
})
const storeComment = z.object({
  id: commentId,
  product: z.object({ code: productCode, title: z.string() }),
  /** Null for a reply of the store. */
  memberId: z.nullable(memberId),
  /** Empty for a reply of the store. */
  author: z.string(),
  isReply: z.boolean(),
  /** Null once its author has deleted it. */
  body: z.nullable(z.string()),
  state: commentState,
  /** The blocked word that holds it; null if it has a link, or is not held. */
  heldPhrase: z.nullable(z.string()),
  /** By reason, the most frequent first: all, and of these the unresolved ones. */
  reports: z.array(z.object({ reason: z.string(), count: z.int(), open: z.int() })),
  createdAt: z.iso.datetime(),
  editedAt: z.nullable(z.iso.datetime()),
})
export type StoreComment = z.output<typeof storeComment>

/** What comments can be filtered by. */
const commentSelection = {
  state: z.optional(commentState),
  /** `OPEN`: with reports that nobody has decided about. `ANY`: also with decided ones. */
  reported: z.optional(z.enum(['OPEN', 'ANY'])),
  product: z.optional(productCode),
  memberId: z.optional(memberId),
  /** Words that the text has, in any order. */
  q: searchText,
  /** Days in the store’s time zone, both inclusive. */
  from: z.optional(z.iso.date()),
  to: z.optional(z.iso.date()),
}
export type CommentSelection = z.output<z.ZodMiniObject<typeof commentSelection>>
export const commentListQuery = z.object({ ...commentSelection, ...keysetQuery }).check(inOrder('from', 'to'))
export const commentExport = z.object({ ...commentSelection, columns: exportedColumns }).check(inOrder('from', 'to'))
export type CommentListQuery = z.output<typeof commentListQuery>
export const commentList = keysetPage(storeComment)

/** What a moderator makes of a comment. `HELD`: it waits for a decision again. */
const moderatedState = z.enum(['SHOWN', 'HELD', 'HIDDEN'])
export type ModeratedState = z.output<typeof moderatedState>
export const commentsChange = z.object({
  ids: z.array(commentId).check(z.minLength(1), z.maxLength(100)),
  state: moderatedState,
  /**
   * When their authors had last changed the texts that the caller has read, by comment; null for
   * never. A comment that is left out may have any text.
   */
  editedAt: z.optional(z.record(commentId, z.nullable(z.iso.datetime()))),
  /** For the audit log. */
  note: z.optional(textUpTo(500)),
})
/** A changed comment as it was before, and its version after the change. */
const commentBefore = z.object({ id: commentId, state: moderatedState, version: z.string() })
export type CommentBefore = z.output<typeof commentBefore>
/** Sends back the `before` of results. */
export const commentsRestore = z.object({ items: z.array(commentBefore).check(z.minLength(1), z.maxLength(100)) })
/** VERSION_CONFLICT: it, or the text that was read, was changed since. It stays as it is. */
export const commentsChangeResult = z.object({
  items: z.array(
    z.object({
      id: commentId,
      result: z.enum(['CHANGED', 'UNCHANGED', 'DELETED', 'NOT_FOUND', 'VERSION_CONFLICT']),
      /** Restores a changed comment. Null for others. */
      before: z.nullable(commentBefore),
    }),
  ),
})
export type CommentsChangeResult = z.output<typeof commentsChangeResult>

/**
 * When its author had last changed the text that the caller has read; null for never. A text that
 * was changed since answers CONFLICT.
 */
const readText = { editedAt: z.optional(z.nullable(z.iso.datetime())) }
export const commentApproval = z.object({ id: commentId, ...readText })
export const commentHide = z.object({
  id: commentId,
  /** For the audit log. */
  note: z.optional(textUpTo(500)),
})
export const commentReply = z.object({
  id: commentId,
  ...readText,
  body: requiredText(1000),
  /** Publishes a held comment with the reply. */
  approves: z._default(z.boolean(), false),
})

export const blockedPhrases = z.object({
  phrases: z.array(z.string()),
  /** Send it as `If-Match` with a change. */
  version: z.string(),
})
export type BlockedPhrases = z.output<typeof blockedPhrases>
export const blockedPhrasesChange = z.object({
  phrases: z.array(requiredText(60)).check(z.maxLength(500)),
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

const caseFilters = { status: z._default(caseStatus, 'WAIT') }
export const caseQuery = z.object({ ...caseFilters, ...keysetQuery })
export const caseExport = z.object({ ...caseFilters, columns: exportedColumns })
export const caseQueue = keysetPage(
  z.object({
    id: caseId,
    type: z.enum(['INQUIRY', 'WITHDRAWAL', 'ORDER_CANCEL', 'CUSTOM']),
    /** Null for a case of another type. */
    orderKind: z.nullable(z.enum(orderCaseKinds)),
    status: caseStatus,
    subject: z.string(),
    /** Null for a case without a member, and of a deleted account. */
    email: z.nullable(z.string()),
    memberId: z.nullable(memberId),
    /** The code of the order it is about, or null. */
    order: z.nullable(orderCode),
    /** False for a case that closes by an answer or a decision. */
    closable: z.boolean(),
    createdAt: z.iso.datetime(),
  }),
)
export const caseClose = z.object({
  id: caseId,
  /** How it was resolved, for the audit log. */
  note: requiredText(500),
})
