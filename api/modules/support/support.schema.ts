import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { members } from '#api/modules/identity/identity.schema.ts'
import { customers } from '#api/modules/tenancy/tenancy.schema.ts'
import { at, createdAt, customerId, id, translations } from '#api/platform/db/columns.ts'
import type { MediaKey } from '#api/platform/storage/storage.ts'
import type { SavedReply } from '#contract/admin/inquiries.ts'
import type { CaseStatus } from '#contract/enumerations.ts'
import type {
  CaseId,
  InquiryCode,
  InquiryFileId,
  InquiryId,
  InquiryMessageId,
  InquiryTypeCode,
  MemberId,
  OperatorTokenId,
  OrderId,
  ProductId,
  SavedReplyId,
  StaffId,
} from '#contract/ids.ts'

/** The tenant's inquiry types. Without rows, the types are PRODUCT, ORDER, ACCOUNT and ETC. */
export const inquiryTypes = pgTable(
  'inquiry_types',
  {
    customerId: customerId().references(() => customers.customerId),
    code: text('code').$type<InquiryTypeCode>().notNull(),
    /** Null for the storefront's translation of the code. */
    name: text('name'),
    translations: translations(),
    /** Whether members can no longer choose it. Their inquiries keep it. */
    hidden: boolean('hidden').notNull().default(false),
    sort: integer('sort').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.customerId, t.code] })],
)

export const inquiries = pgTable(
  'inquiries',
  {
    customerId: customerId(),
    id: id<InquiryId>(),
    code: text('code').$type<InquiryCode>().notNull(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    /** The case is in status WAIT until an operator answers. */
    caseId: uuid('case_id').$type<CaseId>().notNull(),
    /** One of `inquiry_types`, or one that the store has removed since. */
    type: text('type').$type<InquiryTypeCode>().notNull(),
    title: text('title').notNull(),
    status: text('status').$type<CaseStatus>().notNull().default('WAIT'),
    productId: uuid('product_id').$type<ProductId>(),
    orderId: uuid('order_id').$type<OrderId>(),
    timeSeconds: real('time_seconds'),
    /** The person of the staff who answers it; null until somebody does. */
    assigneeId: uuid('assignee_id').$type<StaffId>(),
    createdAt: createdAt(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('inquiries_code').on(t.customerId, t.code),
    index('inquiries_code_end').on(t.customerId, sql`right(${t.code}, 6)`),
    index('inquiries_member').on(t.customerId, t.memberId, t.updatedAt.desc()),
    index('inquiries_waiting').on(t.customerId, t.status, t.updatedAt),
    index('inquiries_assignee').on(t.customerId, t.assigneeId, t.status, t.updatedAt),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    check('inquiries_status', sql`${t.status} in ('WAIT', 'COMPLETE')`),
  ],
)

export const inquiryMessages = pgTable(
  'inquiry_messages',
  {
    customerId: customerId(),
    id: id<InquiryMessageId>(),
    inquiryId: uuid('inquiry_id').$type<InquiryId>().notNull(),
    author: text('author').$type<'MEMBER' | 'ADMIN'>().notNull(),
    body: text('body').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('inquiry_messages_inquiry').on(t.customerId, t.inquiryId, t.createdAt),
    foreignKey({ columns: [t.customerId, t.inquiryId], foreignColumns: [inquiries.customerId, inquiries.id] }),
    check('inquiry_messages_author', sql`${t.author} in ('MEMBER', 'ADMIN')`),
  ],
)

/** Files are uploaded before their message. Unused files are removed after a day. */
export const inquiryFiles = pgTable(
  'inquiry_files',
  {
    customerId: customerId(),
    id: id<InquiryFileId>(),
    memberId: uuid('member_id').$type<MemberId>().notNull(),
    /** The person or program that has sent it to the member; null for a file of the member. */
    senderId: uuid('sender_id').$type<StaffId | OperatorTokenId>(),
    messageId: uuid('message_id').$type<InquiryMessageId>(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** The key below the private part of the storage. */
    asset: text('asset').$type<MediaKey>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    index('inquiry_files_message').on(t.customerId, t.messageId),
    foreignKey({ columns: [t.customerId, t.memberId], foreignColumns: [members.customerId, members.id] }),
    foreignKey({
      columns: [t.customerId, t.messageId],
      foreignColumns: [inquiryMessages.customerId, inquiryMessages.id],
    }),
  ],
)

/** Answers that people of the staff have begun. They end with the answer. */
export const inquiryDrafts = pgTable(
  'inquiry_drafts',
  {
    customerId: customerId(),
    inquiryId: uuid('inquiry_id').$type<InquiryId>().notNull(),
    staffId: uuid('staff_id').$type<StaffId>().notNull(),
    body: text('body').notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.inquiryId, t.staffId] }),
    foreignKey({ columns: [t.customerId, t.inquiryId], foreignColumns: [inquiries.customerId, inquiries.id] }),
  ],
)

/** Texts that the staff of a store send often. */
export const savedReplies = pgTable(
  'saved_replies',
  {
    customerId: customerId(),
    id: id<SavedReplyId>(),
    title: text('title').notNull(),
    body: text('body').notNull(),
    translations: jsonb('translations').$type<SavedReply['translations']>().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.customerId, t.id] }),
    uniqueIndex('saved_replies_title').on(t.customerId, sql`lower(${t.title})`),
  ],
)
