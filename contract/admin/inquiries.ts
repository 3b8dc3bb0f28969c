import * as z from 'zod/mini'
import { inquiryStatus, locale } from '../enumerations.ts'
import {
  inquiryCode,
  inquiryFileId,
  inquiryTypeCode,
  memberId,
  orderCode,
  productCode,
  savedReplyId,
  staffId,
} from '../ids.ts'
import { filesOfInquiry, inquiryUpload } from '../support.ts'
import { requiredText } from '../text.ts'
import { auditEntry } from './audit.ts'
import { exportedColumns, keysetPage, keysetQuery, searchText } from './lists.ts'

const assignee = z.object({ id: staffId, name: z.string() })

const inquiryListing = z.object({
  code: inquiryCode,
  type: z.string(),
  /** The store’s own name of the type; null where the console has one. */
  typeName: z.nullable(z.string()),
  title: z.string(),
  status: inquiryStatus,
  /** Who of the staff answers it; null until somebody does. */
  assignee: z.nullable(assignee),
  member: z.object({ id: memberId, email: z.string(), name: z.string() }),
  createdAt: z.iso.datetime(),
  /** The time of the last message, or since when it is closed or open again. */
  updatedAt: z.iso.datetime(),
})
export type InquiryListing = z.output<typeof inquiryListing>

/** What inquiries can be filtered by. */
export const inquirySelection = {
  status: z._default(z.enum([...inquiryStatus.options, 'ALL']), 'WAIT'),
  type: z.optional(inquiryTypeCode),
  /** Those of a person of the staff, or those that nobody answers. */
  assignee: z.optional(z.union([staffId, z.literal('NONE')])),
  /** Those of a member, in any status, the latest first. */
  memberId: z.optional(memberId),
  /** The start or the last six characters of a number, in any status, or the start of an email. */
  q: searchText,
  /** Part of the subject or of a message. */
  words: searchText,
}
export type InquirySelection = z.output<z.ZodMiniObject<typeof inquirySelection>>
export const storeInquiryQuery = z.object({ ...inquirySelection, ...keysetQuery })
export const storeInquiryExport = z.object({ ...inquirySelection, columns: exportedColumns })
export type InquiryQuery = z.output<typeof storeInquiryQuery>
export const storeInquiryPage = keysetPage(inquiryListing)

/** Who can answer inquiries, and the topics of the store. */
export const inquiryFacets = z.object({
  assignees: z.array(assignee),
  types: z.array(z.object({ code: inquiryTypeCode, name: z.nullable(z.string()) })),
})
export type InquiryFacets = z.output<typeof inquiryFacets>

const inquiryMessageFile = z.object({
  id: inquiryFileId,
  name: z.string(),
  contentType: z.string(),
  bytes: z.int(),
})

const answerText = requiredText(5000)

export const storeInquiry = z.extend(inquiryListing, {
  /** The language in which the member reads answers. */
  language: locale,
  /** Send it as `If-Match` with an answer or another assignee. */
  version: z.string(),
  messages: z.array(
    z.object({
      author: z.enum(['MEMBER', 'ADMIN']),
      body: z.string(),
      createdAt: z.iso.datetime(),
      files: z.array(inquiryMessageFile),
    }),
  ),
  product: z.nullable(z.object({ code: productCode, title: z.string() })),
  orderCode: z.nullable(orderCode),
  /** The position in the video, in seconds. */
  timeSeconds: z.nullable(z.number()),
  /** The answer that the caller has begun; null without one. */
  draft: z.nullable(z.string()),
  /** Others who have begun an answer, the latest first. */
  writers: z.array(z.object({ name: z.string(), updatedAt: z.iso.datetime() })),
  history: z.array(auditEntry),
})
export type StoreInquiry = z.output<typeof storeInquiry>

export const storeInquiryPath = z.object({ code: inquiryCode })
export const storeInquiryFilePath = z.object({ code: inquiryCode, id: inquiryFileId })
/** Of an unnamed kind, so that a browser saves it and shows nothing of it in the store. */
export const storeInquiryFile = z.file()
/** A file for the member, which an answer then names. */
export const storeInquiryUpload = z.extend(inquiryUpload, { code: inquiryCode })
export const storeInquiryUploaded = inquiryMessageFile

export const inquiryAnswer = z.object({
  code: inquiryCode,
  body: answerText,
  /** Files that were uploaded before. */
  files: z._default(z.array(inquiryFileId).check(z.maxLength(filesOfInquiry)), []),
})

/** Staff alone read the reason. */
export const inquiryClose = z.object({ code: inquiryCode, reason: requiredText(500) })

/** An empty text ends the draft. */
export const inquiryDraft = z.object({ code: inquiryCode, body: z.string().check(z.maxLength(5000)) })

/** Null if nobody of the staff is to answer it. */
const newAssignee = z.nullable(staffId)
export const inquiryAssignment = z.object({ code: inquiryCode, assigneeId: newAssignee })
export const inquiryAssignmentFields = { assigneeId: newAssignee }
export const inquiryAssignments = z.object({
  codes: z.array(inquiryCode).check(z.minLength(1), z.maxLength(100)),
  ...inquiryAssignmentFields,
  /** Inquiries of others than this person, null for nobody, stay as they are. */
  onlyFrom: z.optional(newAssignee),
})
export const inquiryAssignmentResult = z.object({
  items: z.array(
    z.object({
      code: inquiryCode,
      /** VERSION_CONFLICT: it was not `onlyFrom` who had it. */
      result: z.enum(['CHANGED', 'UNCHANGED', 'NOT_FOUND', 'VERSION_CONFLICT']),
      /** Who had it before. Null for nobody. */
      formerId: newAssignee,
    }),
  ),
})
export type InquiryAssignments = z.output<typeof inquiryAssignments>
export type InquiryAssignmentResult = z.output<typeof inquiryAssignmentResult>

const replyTranslations = z.partialRecord(locale, z.object({ body: answerText }))
const replyTitle = requiredText(60)

/** What the console replaces in a saved reply. */
export const replyPlaceholders = ['{name}', '{number}', '{subject}'] as const
export type ReplyPlaceholder = (typeof replyPlaceholders)[number]

/**
 * The console replaces `{name}` by the member’s name, and `{number}` and `{subject}` by those of
 * the inquiry.
 */
export const savedReplyForm = z.object({
  title: replyTitle,
  body: answerText,
  /** The text in other languages of the store, for members who read them. */
  translations: z._default(replyTranslations, {}),
})
export type SavedReplyForm = z.output<typeof savedReplyForm>
export const savedReply = z.object({
  id: savedReplyId,
  title: z.string(),
  body: z.string(),
  translations: replyTranslations,
  /** Send it as `If-Match` with a change. */
  version: z.string(),
})
export type SavedReply = z.output<typeof savedReply>
export const savedReplies = z.object({ items: z.array(savedReply) })
export const savedReplyPath = z.object({ id: savedReplyId })
export const savedReplyChange = z.object({
  id: savedReplyId,
  title: z.optional(replyTitle),
  body: z.optional(answerText),
  /** All of them: what is left out is removed. */
  translations: z.optional(replyTranslations),
})

const topicName = requiredText(60)
const topicTranslations = z.partialRecord(locale, z.object({ name: topicName }))

/** The topics that members choose from, in their order. */
export const inquiryTopics = z.object({
  /** Send it as `If-Match` with a change. */
  version: z.string(),
  items: z.array(
    z.object({
      code: inquiryTypeCode,
      /** Null where the storefront has a name for the topic. */
      name: z.nullable(z.string()),
      translations: topicTranslations,
      /** Whether members can no longer choose it. */
      isHidden: z.boolean(),
      /** How many inquiries have it. */
      inquiries: z.int(),
    }),
  ),
  history: z.array(auditEntry),
})
export type InquiryTopics = z.output<typeof inquiryTopics>

/** All topics in their order: what is left out is deleted. */
export const inquiryTopicsChange = z.object({
  items: z
    .array(
      z.object({
        /** Left out for a new one. */
        code: z.optional(inquiryTypeCode.check(z.maxLength(40))),
        name: z.nullable(topicName),
        translations: z._default(topicTranslations, {}),
        isHidden: z._default(z.boolean(), false),
      }),
    )
    .check(z.minLength(1), z.maxLength(50)),
})
export type InquiryTopicsChange = z.output<typeof inquiryTopicsChange>
