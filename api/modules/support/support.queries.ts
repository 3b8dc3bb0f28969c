import { and, asc, count, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { cases } from '#api/modules/billing/billing.schema.ts'
import { products } from '#api/modules/catalog/catalog.schema.ts'
import { orders } from '#api/modules/orders/orders.schema.ts'
import type { TenantDb } from '#api/platform/db/client.ts'
import type { KeysetPosition } from '#api/platform/platform.queries.ts'
import type { CaseStatus, InquiryStatus } from '#contract/enumerations.ts'
import type {
  CaseId,
  CustomerId,
  InquiryCode,
  InquiryFileId,
  InquiryId,
  InquiryMessageId,
  MemberId,
  OperatorTokenId,
  OrderCode,
  StaffId,
} from '#contract/ids.ts'
import { inquiries, inquiryFiles, inquiryMessages, inquiryTypes } from './support.schema.ts'

export type InquiryRow = typeof inquiries.$inferSelect
export type InquiryFileRow = typeof inquiryFiles.$inferSelect

/** Returns the store's inquiry types in their order. */
export const selectInquiryTypes = (db: TenantDb, customerId: CustomerId) =>
  db
    .select({
      code: inquiryTypes.code,
      name: inquiryTypes.name,
      translations: inquiryTypes.translations,
      hidden: inquiryTypes.hidden,
    })
    .from(inquiryTypes)
    .where(eq(inquiryTypes.customerId, customerId))
    .orderBy(asc(inquiryTypes.sort), asc(inquiryTypes.code))

/** SQL: whether the last message is the store's. In a cluster, each part must name the store. */
const isAnsweredIn = (customerId: CustomerId) =>
  sql<boolean>`coalesce((SELECT m.author FROM ${inquiryMessages} m WHERE m.customer_id = ${customerId} AND m.inquiry_id = inquiries.id ORDER BY m.created_at DESC, m.id DESC LIMIT 1) = 'ADMIN', false)`

/** A page of a member's inquiries, the latest changed first, with the number of answers. */
export const selectInquiries = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId,
  { status, page, size }: { status?: InquiryStatus | undefined; page: number; size: number },
) => {
  const isMembers = and(
    eq(inquiries.customerId, customerId),
    eq(inquiries.memberId, memberId),
    status && eq(inquiries.status, status === 'WAIT' ? status : 'COMPLETE'),
    status && status !== 'WAIT' ? eq(isAnsweredIn(customerId), status === 'COMPLETE') : undefined,
  )
  const [{ total } = { total: 0 }] = await db.select({ total: count() }).from(inquiries).where(isMembers)
  const rows = await db
    .select({
      inquiry: inquiries,
      replies: sql<number>`(SELECT count(*) FROM ${inquiryMessages} m WHERE m.customer_id = ${customerId} AND m.inquiry_id = inquiries.id AND m.author = 'ADMIN')`,
      isAnswered: isAnsweredIn(customerId),
    })
    .from(inquiries)
    .where(isMembers)
    .orderBy(desc(inquiries.updatedAt), desc(inquiries.id))
    .limit(size)
    .offset((page - 1) * size)
  return { rows, total }
}

/**
 * Finds an inquiry by code. With `memberId` null it finds any, for operators. `lock` locks it until
 * the transaction ends.
 */
export const findInquiry = async (
  db: TenantDb,
  customerId: CustomerId,
  memberId: MemberId | null,
  code: InquiryCode,
  { lock = false } = {},
): Promise<InquiryRow | null> => {
  const query = db
    .select()
    .from(inquiries)
    .where(
      and(
        eq(inquiries.customerId, customerId),
        eq(inquiries.code, code),
        memberId ? eq(inquiries.memberId, memberId) : undefined,
      ),
    )
  const [row] = await (lock ? query.for('update') : query)
  return row ?? null
}

/** The messages of an inquiry in order, with their files. */
export const inquiryMessagesOf = async (db: TenantDb, customerId: CustomerId, inquiryId: InquiryId) => {
  const messages = await db
    .select()
    .from(inquiryMessages)
    .where(and(eq(inquiryMessages.customerId, customerId), eq(inquiryMessages.inquiryId, inquiryId)))
    .orderBy(asc(inquiryMessages.createdAt), asc(inquiryMessages.id))
  const files = await db
    .select({ file: inquiryFiles })
    .from(inquiryFiles)
    .innerJoin(
      inquiryMessages,
      and(eq(inquiryMessages.customerId, inquiryFiles.customerId), eq(inquiryMessages.id, inquiryFiles.messageId)),
    )
    .where(and(eq(inquiryFiles.customerId, customerId), eq(inquiryMessages.inquiryId, inquiryId)))
    .orderBy(asc(inquiryFiles.createdAt), asc(inquiryFiles.id))
  return messages.map((message) => ({
    message,
    files: files.flatMap(({ file }) => (file.messageId === message.id ? file : [])),
  }))
}

/** The titles of the product and order of an inquiry. */
export const subjectsOf = async (db: TenantDb, customerId: CustomerId, { productId, orderId }: InquiryRow) => {
  const [product] = productId
    ? await db
        .select({ id: products.id, code: products.code, title: products.title, translations: products.translations })
        .from(products)
        .where(and(eq(products.customerId, customerId), eq(products.id, productId)))
    : []
  const [order] = orderId
    ? await db
        .select({ code: orders.code })
        .from(orders)
        .where(and(eq(orders.customerId, customerId), eq(orders.id, orderId)))
    : []
  return { product: product ?? null, orderCode: order?.code ?? null }
}

/** Whose files: those of a member, or those that a person or program of the store sends them. */
export interface FileOwner {
  memberId: MemberId
  senderId: StaffId | OperatorTokenId | null
}

const isOwnedBy = ({ memberId, senderId }: FileOwner) =>
  and(
    eq(inquiryFiles.memberId, memberId),
    senderId ? eq(inquiryFiles.senderId, senderId) : isNull(inquiryFiles.senderId),
  )

/** Locks files of an owner that no message uses. */
export const lockLooseFiles = (db: TenantDb, customerId: CustomerId, owner: FileOwner, ids: readonly InquiryFileId[]) =>
  db
    .select({ id: inquiryFiles.id })
    .from(inquiryFiles)
    .where(
      and(
        eq(inquiryFiles.customerId, customerId),
        isOwnedBy(owner),
        inArray(inquiryFiles.id, [...ids]),
        isNull(inquiryFiles.messageId),
      ),
    )
    .for('update')

/** Returns the number of an owner's files that no message has. */
export const countLooseFiles = async (db: TenantDb, customerId: CustomerId, owner: FileOwner) => {
  const [row] = await db
    .select({ loose: count() })
    .from(inquiryFiles)
    .where(and(eq(inquiryFiles.customerId, customerId), isOwnedBy(owner), isNull(inquiryFiles.messageId)))
  return row?.loose ?? 0
}

/** Assigns files to a message. */
export const attachFiles = (
  db: TenantDb,
  customerId: CustomerId,
  ids: readonly InquiryFileId[],
  messageId: InquiryMessageId,
) =>
  db
    .update(inquiryFiles)
    .set({ messageId })
    .where(and(eq(inquiryFiles.customerId, customerId), inArray(inquiryFiles.id, [...ids])))

/** Deletes rows of unused files from before `before`, at most `limit`. Returns their keys. */
export const deleteLooseFileRows = async (db: TenantDb, customerId: CustomerId, before: Date, limit: number) => {
  const old = db
    .select({ id: inquiryFiles.id })
    .from(inquiryFiles)
    .where(
      and(
        eq(inquiryFiles.customerId, customerId),
        isNull(inquiryFiles.messageId),
        lt(inquiryFiles.createdAt, before.toISOString()),
      ),
    )
    .limit(limit)
  const deleted = await db
    .delete(inquiryFiles)
    .where(and(eq(inquiryFiles.customerId, customerId), inArray(inquiryFiles.id, old)))
    .returning({ asset: inquiryFiles.asset })
  return deleted.map(({ asset }) => asset)
}

/** One file, for its download. */
export const findInquiryFile = async (
  db: TenantDb,
  customerId: CustomerId,
  id: InquiryFileId,
): Promise<InquiryFileRow | null> => {
  const [row] = await db
    .select()
    .from(inquiryFiles)
    .where(and(eq(inquiryFiles.customerId, customerId), eq(inquiryFiles.id, id)))
  return row ?? null
}

/** Inserts an inquiry without its messages. The database refuses it if the member has left. */
export const insertInquiry = async (db: TenantDb, row: typeof inquiries.$inferInsert) => {
  await db.insert(inquiries).values(row)
}

/** Adds a message of the member or an operator. `attachFiles` assigns its files to it. */
export const insertInquiryMessage = async (db: TenantDb, row: typeof inquiryMessages.$inferInsert) => {
  await db.insert(inquiryMessages).values(row)
}

/** Inserts a file that no message has yet. */
export const insertInquiryFile = async (db: TenantDb, row: typeof inquiryFiles.$inferInsert) => {
  await db.insert(inquiryFiles).values(row)
}

/**
 * Sets the status of an inquiry and its case: COMPLETE once it is answered or closed, WAIT after a
 * member's message or once staff open it again.
 */
export const setInquiryStatus = async (db: TenantDb, inquiry: InquiryRow, status: CaseStatus, now: Date) => {
  const updatedAt = now.toISOString()
  await db
    .update(inquiries)
    .set({ status, updatedAt })
    .where(and(eq(inquiries.customerId, inquiry.customerId), eq(inquiries.id, inquiry.id)))
  await db
    .update(cases)
    .set({ status, completedAt: status === 'COMPLETE' ? updatedAt : null })
    .where(and(eq(cases.customerId, inquiry.customerId), eq(cases.id, inquiry.caseId)))
}

export type CaseRow = typeof cases.$inferSelect

/** Inserts a case for the operators, who find it by its type and state. */
export const insertCase = async (db: TenantDb, row: typeof cases.$inferInsert) => {
  await db.insert(cases).values(row)
}

/** Locks a case until the transaction ends; null without one. */
export const lockCase = async (db: TenantDb, customerId: CustomerId, id: CaseId): Promise<CaseRow | null> => {
  const [row] = await db
    .select()
    .from(cases)
    .where(and(eq(cases.customerId, customerId), eq(cases.id, id)))
    .for('update')
  return row ?? null
}

/** Completes a case and stores its data. */
export const completeCase = async (
  db: TenantDb,
  { customerId, id }: Pick<CaseRow, 'customerId' | 'id'>,
  data: CaseRow['data'],
  now: Date,
) => {
  await db
    .update(cases)
    .set({ status: 'COMPLETE', completedAt: now.toISOString(), data })
    .where(and(eq(cases.customerId, customerId), eq(cases.id, id)))
}

type CasePage = { status: CaseStatus; after: KeysetPosition | null; size: number }
/** A case with its order and its member, where it has them and the account is not deleted. */
export type CasePageRow = Pick<CaseRow, 'id' | 'type' | 'status' | 'subject' | 'data' | 'createdAt' | 'completedAt'> & {
  keyset: KeysetPosition
  email: string | null
  memberId: MemberId | null
  order: OrderCode | null
}

/** One more case than a page has: open ones with the oldest first, closed ones with the latest. */
export const readCases = async (db: TenantDb, customerId: CustomerId, { status, after, size }: CasePage) => {
  const [order, isAfter] = status === 'WAIT' ? ['ASC', '>'] : ['DESC', '<']
  const { rows } = await db.$client.query<CasePageRow>(
    `SELECT jsonb_build_object('at', c.created_at::text, 'id', c.id) AS keyset, c.id, c.type, c.status, c.subject, c.data,
            c.created_at AS "createdAt", c.completed_at AS "completedAt", m.email, m.id AS "memberId", o.code AS "order"
       FROM cases c LEFT JOIN orders o ON o.customer_id = $1 AND o.id = c.order_id
       LEFT JOIN members m ON m.customer_id = $1 AND m.id = c.member_id AND m.withdrawn_at IS NULL
      WHERE c.customer_id = $1 AND c.status = $2
        AND ${after ? `(c.created_at, c.id) ${isAfter} ($3::timestamptz, $4::uuid)` : '$3::timestamptz IS NULL AND $4::uuid IS NULL'}
      ORDER BY c.created_at ${order}, c.id ${order} LIMIT $5`,
    [customerId, status, after?.at ?? null, after?.id ?? null, size + 1],
  )
  return rows
}
