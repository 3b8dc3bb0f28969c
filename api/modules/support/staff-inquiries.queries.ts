import { and, asc, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { members } from '#api/modules/identity/identity.schema.ts'
import { staff } from '#api/modules/staff/staff.schema.ts'
import type { CodeRange } from '#api/platform/crypto.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { InquiryStatus, Locale } from '#contract/enumerations.ts'
import type {
  CustomerId,
  InquiryCode,
  InquiryId,
  InquiryTypeCode,
  MemberId,
  SavedReplyId,
  StaffId,
} from '#contract/ids.ts'
import type { StaffRole } from '#contract/permissions.ts'
import { inquiries, inquiryDrafts, inquiryTypes, savedReplies } from './support.schema.ts'

export interface InquiryPageRow {
  keyset: KeysetPosition
  code: InquiryCode
  type: InquiryTypeCode
  title: string
  status: InquiryStatus
  assigneeId: StaffId | null
  assigneeName: string | null
  memberId: MemberId
  email: string
  name: string
  createdAt: string
  updatedAt: string
}

export interface InquiryPageFilter {
  /** Null for any. */
  status: InquiryStatus | null
  type: InquiryTypeCode | null
  assignee: StaffId | 'NONE' | null
  memberId: MemberId | null
  /** Null for any code. */
  codes: CodeRange | null
  /** The start of an email address in lower case; null without one. */
  emailStart: string | null
  /** Part of the subject or of a message, in lower case; empty for all. */
  words: string
  after: KeysetPosition | null
  size: number
}

/** SQL: whether the last message is the store's. An inquiry that is neither is closed. */
const isAnswered = `coalesce((SELECT t.author FROM inquiry_messages t WHERE t.customer_id = $1 AND t.inquiry_id = i.id
  ORDER BY t.created_at DESC, t.id DESC LIMIT 1) = 'ADMIN', false)`

/** SQL: `$2` is what is stored. */
const statusIs: Record<InquiryStatus, string> = {
  WAIT: 'i.status = $2',
  COMPLETE: `i.status = $2 AND ${isAnswered}`,
  CLOSED: `i.status = $2 AND NOT ${isAnswered}`,
}

/**
 * One more inquiry than the page has: those that wait for an answer longest waiting first, others
 * latest first. Those in any status are read from the index of each, which the database stores.
 */
export const readInquiryPage = async (db: TenantDb, customerId: CustomerId, filter: InquiryPageFilter) => {
  const { status, type, assignee, memberId, codes, emailStart, words, after, size } = filter
  const ofMember =
    'i.member_id IN (SELECT m.id FROM members m WHERE m.customer_id = $1 AND starts_with(m.email_lower, $6))'
  const inquiriesOf = 'SELECT i.id FROM inquiries i WHERE i.customer_id = $1'
  const ofEnd = `${inquiriesOf} AND right(i.code, 6) = $5`
  const ofEmail = `${inquiriesOf} AND ${ofMember} ${status ? `AND ${statusIs[status]}` : ''}`
  const isEnd = codes?.isEnd ?? false
  const isLatestFirst = status !== 'WAIT'
  const assigneeId = assignee === 'NONE' ? null : assignee
  const order = (row: string) =>
    isLatestFirst ? `${row}.updated_at DESC, ${row}.id DESC` : `${row}.updated_at, ${row}.id`
  const storedStatuses = status || codes || memberId ? [''] : ["AND i.status = 'WAIT'", "AND i.status = 'COMPLETE'"]
  const pageOf = (stored: string) => `
       (SELECT i.* FROM inquiries i
        WHERE i.customer_id = $1 ${stored}
          ${status && !isEnd ? `AND ${statusIs[status]}` : 'AND ($2::text IS NULL OR true)'}
          ${type ? 'AND i.type = $3' : 'AND $3::text IS NULL'}
          ${assigneeId ? 'AND i.assignee_id = $4' : 'AND $4::uuid IS NULL'}
          ${assignee === 'NONE' ? 'AND i.assignee_id IS NULL' : ''}
          ${memberId ? 'AND i.member_id = $11' : 'AND $11::uuid IS NULL'}
          ${codes && !isEnd ? 'AND i.code BETWEEN $5 AND $10' : ''}
          AND num_nulls($5::text, $6::text, $10::text) >= 0
          ${
            words
              ? `AND (strpos(lower(i.title), $12) > 0 OR EXISTS (SELECT FROM inquiry_messages t
                  WHERE t.customer_id = $1 AND t.inquiry_id = i.id AND strpos(lower(t.body), $12) > 0))`
              : "AND $12 = ''"
          }
          ${emailStart && !isEnd ? `AND ${ofMember}` : ''}
          ${isEnd ? `AND i.id IN (${ofEnd} UNION ${ofEmail})` : ''}
          ${after ? `AND (i.updated_at, i.id) ${isLatestFirst ? '<' : '>'} ($7::timestamptz, $8::uuid)` : 'AND $7::timestamptz IS NULL AND $8::uuid IS NULL'}
        ORDER BY ${order('i')} LIMIT $9)`
  const { rows } = await db.$client.query<InquiryPageRow>(
    `WITH page AS (SELECT * FROM (${storedStatuses.map(pageOf).join(' UNION ALL ')}) i ORDER BY ${order('i')} LIMIT $9)
     SELECT jsonb_build_object('at', i.updated_at::text, 'id', i.id) AS keyset, i.code, i.type, i.title,
            CASE WHEN i.status = 'COMPLETE' AND NOT ${isAnswered} THEN 'CLOSED' ELSE i.status END AS status,
            s.id AS "assigneeId", s.name AS "assigneeName", m.id AS "memberId", m.email, m.name,
            i.created_at AS "createdAt", i.updated_at AS "updatedAt"
       FROM page i
       JOIN members m ON m.customer_id = $1 AND m.id = i.member_id
       LEFT JOIN staff s ON s.id = i.assignee_id
      ORDER BY ${order('i')}`,
    [
      ...[customerId, status === 'CLOSED' ? 'COMPLETE' : status, type, assigneeId, codes?.first ?? null, emailStart],
      ...[after?.at ?? null, after?.id ?? null, size + 1, codes?.last ?? null, memberId, words],
    ],
  )
  return rows
}

/** A person who can be assigned to inquiries. */
export interface AnsweringPerson {
  id: StaffId
  name: string
  email: string
  locale: Locale
}

/**
 * The people of a store whose role is one of `roles`, or a role of its own that may answer. `lock`
 * keeps them in the store until the transaction ends.
 */
export const readAnsweringStaff = async (
  db: TenantDb,
  customerId: CustomerId,
  roles: readonly StaffRole[],
  { lock = false } = {},
) => {
  const { rows } = await db.$client.query<AnsweringPerson>(
    `SELECT s.id, s.name, s.email, s.locale
       FROM staff_memberships m
       JOIN staff s ON s.id = m.staff_id
       LEFT JOIN staff_roles r ON r.customer_id = m.customer_id AND r.id = m.role_id
      WHERE m.customer_id = $1 AND (m.role = ANY($2) OR 'inquiries:write' = ANY(r.permissions))
      ORDER BY s.name, s.id ${lock ? 'FOR SHARE OF m' : ''}`,
    [customerId, roles],
  )
  return rows
}

/** The member and the assignee of an inquiry, as staff read them. */
export const readPeopleOf = async (db: TenantDb, customerId: CustomerId, id: InquiryId) => {
  const [row] = await db
    .select({
      member: { id: members.id, email: members.email, name: members.name },
      assignee: { id: staff.id, name: staff.name },
      locale: members.locale,
    })
    .from(inquiries)
    .innerJoin(members, and(eq(members.customerId, inquiries.customerId), eq(members.id, inquiries.memberId)))
    .leftJoin(staff, eq(staff.id, inquiries.assigneeId))
    .where(and(eq(inquiries.customerId, customerId), eq(inquiries.id, id)))
  return row ?? null
}

/** Locks inquiries in one order, so that two such calls do not wait for each other. */
export const lockInquiries = (db: TenantDb, customerId: CustomerId, codes: readonly InquiryCode[]) =>
  db
    .select({ id: inquiries.id, code: inquiries.code, assigneeId: inquiries.assigneeId })
    .from(inquiries)
    .where(and(eq(inquiries.customerId, customerId), inArray(inquiries.code, [...codes])))
    .orderBy(asc(inquiries.code))
    .for('update')

/** Assigns inquiries to a person of the staff, or to nobody. */
export const setAssignee = async (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly InquiryId[],
  assigneeId: StaffId | null,
) => {
  await db
    .update(inquiries)
    .set({ assigneeId })
    .where(and(eq(inquiries.customerId, customerId), inArray(inquiries.id, [...ids])))
}

/** Takes the inquiries and drafts from a person who leaves the store. */
export const releaseAssignee = async (db: TenantDb, customerId: CustomerId, staffId: StaffId) => {
  await db
    .update(inquiries)
    .set({ assigneeId: null })
    .where(and(eq(inquiries.customerId, customerId), eq(inquiries.assigneeId, staffId)))
  await db
    .delete(inquiryDrafts)
    .where(and(eq(inquiryDrafts.customerId, customerId), eq(inquiryDrafts.staffId, staffId)))
}

/** Keeps the answer that a person has begun, in place of the one before. */
export const upsertDraft = async (db: TenantDb, row: typeof inquiryDrafts.$inferInsert) => {
  const { body, updatedAt } = row
  await db
    .insert(inquiryDrafts)
    .values(row)
    .onConflictDoUpdate({
      target: [inquiryDrafts.customerId, inquiryDrafts.inquiryId, inquiryDrafts.staffId],
      set: { body, updatedAt },
    })
}

/** Deletes the answer to an inquiry that a person has begun. */
export const deleteDraft = async (db: TenantDb, customerId: CustomerId, inquiryId: InquiryId, staffId: StaffId) => {
  await db
    .delete(inquiryDrafts)
    .where(
      and(
        eq(inquiryDrafts.customerId, customerId),
        eq(inquiryDrafts.inquiryId, inquiryId),
        eq(inquiryDrafts.staffId, staffId),
      ),
    )
}

/** The answers that people have begun since `since`, the latest first. */
export const readDrafts = (db: TenantDb, customerId: CustomerId, inquiryId: InquiryId, since: Date) =>
  db
    .select({
      staffId: inquiryDrafts.staffId,
      name: staff.name,
      body: inquiryDrafts.body,
      updatedAt: inquiryDrafts.updatedAt,
    })
    .from(inquiryDrafts)
    .innerJoin(staff, eq(staff.id, inquiryDrafts.staffId))
    .where(
      and(
        eq(inquiryDrafts.customerId, customerId),
        eq(inquiryDrafts.inquiryId, inquiryId),
        gt(inquiryDrafts.updatedAt, since.toISOString()),
      ),
    )
    .orderBy(desc(inquiryDrafts.updatedAt))

/** The saved replies of a store by title. */
export const readReplies = (db: TenantDb, customerId: CustomerId) =>
  db
    .select()
    .from(savedReplies)
    .where(eq(savedReplies.customerId, customerId))
    .orderBy(asc(sql`lower(${savedReplies.title})`))

export type SavedReplyRow = typeof savedReplies.$inferSelect

/** Locks a saved reply until the transaction ends; null without one. */
export const lockReply = async (db: TenantDb, customerId: CustomerId, id: SavedReplyId) => {
  const [row] = await db
    .select()
    .from(savedReplies)
    .where(and(eq(savedReplies.customerId, customerId), eq(savedReplies.id, id)))
    .for('update')
  return row ?? null
}

/** Inserts a saved reply. Returns false if the store has one of this title. */
export const insertReply = async (db: TenantDb, row: typeof savedReplies.$inferInsert): Promise<boolean> => {
  const inserted = await db.insert(savedReplies).values(row).onConflictDoNothing().returning({ id: savedReplies.id })
  return inserted.length > 0
}

/** Overwrites the title and texts of a saved reply. The store must have no other of its title. */
export const updateReply = async (db: TenantDb, { customerId, id, title, body, translations }: SavedReplyRow) => {
  await db
    .update(savedReplies)
    .set({ title, body, translations })
    .where(and(eq(savedReplies.customerId, customerId), eq(savedReplies.id, id)))
}

/** Deletes a saved reply. */
export const deleteReply = async (db: TenantDb, customerId: CustomerId, id: SavedReplyId) => {
  await db.delete(savedReplies).where(and(eq(savedReplies.customerId, customerId), eq(savedReplies.id, id)))
}

/** How many inquiries of the store have each topic. */
export const countByTopic = async (db: TenantDb, customerId: CustomerId): Promise<Map<string, number>> => {
  const { rows } = await db.$client.query<{ type: string; count: number }>(
    'SELECT type, count(*)::int AS count FROM inquiries WHERE customer_id = $1 GROUP BY type',
    [customerId],
  )
  return new Map(rows.map(({ type, count }) => [type, count]))
}

/** Writes all topics anew. What is not among the rows is deleted. */
export const replaceTopics = async (
  db: TenantDb,
  customerId: CustomerId,
  rows: readonly (typeof inquiryTypes.$inferInsert)[],
) => {
  await db.delete(inquiryTypes).where(eq(inquiryTypes.customerId, customerId))
  await db.insert(inquiryTypes).values([...rows])
}
