import { visibleProduct } from '#api/modules/entitlements/visible-product.ts'
import { refuseLines } from '#api/modules/identity/profile.ts'
import { findOrder } from '#api/modules/orders/orders.queries.ts'
import { dayMilliseconds, toWholeMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, failure, invalidField, isFailure, type MemberCtx } from '#api/platform/context.ts'
import { randomCode } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { emit } from '#api/platform/events.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { translateRow } from '#api/platform/i18n/translations.ts'
import { signMedia } from '#api/platform/storage/media-urls.ts'
import { mediaKey } from '#api/platform/storage/storage.ts'
import type { CaseStatus, InquiryStatus } from '#contract/enumerations.ts'
import {
  type CustomerId,
  type InquiryCode,
  type InquiryFileId,
  type InquiryId,
  type InquiryMessageId,
  type InquiryTypeCode,
  inquiryCode,
  inquiryTypeCode,
  type OrderCode,
  type PlayId,
  type ProductId,
} from '#contract/ids.ts'
import type { Inquiry, InquiryFile, InquirySummary, InquiryType } from '#contract/support.ts'
import { openCase } from './cases.ts'
import {
  attachFiles,
  countLooseFiles,
  deleteLooseFileRows,
  type FileOwner,
  findInquiry,
  type InquiryFileRow,
  type InquiryRow,
  inquiryMessagesOf,
  insertInquiry,
  insertInquiryFile,
  insertInquiryMessage,
  lockLooseFiles,
  selectInquiries,
  selectInquiryTypes,
  setInquiryStatus,
  subjectsOf,
} from './support.queries.ts'

export type StoredType = Awaited<ReturnType<typeof selectInquiryTypes>>[number]

/** The default inquiry types. The storefront translates them. */
export const defaultTypes: readonly StoredType[] = ['PRODUCT', 'ORDER', 'ACCOUNT', 'ETC'].map((code) => ({
  code: inquiryTypeCode.parse(code),
  name: null,
  translations: {},
  hidden: false,
}))

/** The inquiry types of the tenant with all their texts, or the default ones. */
export const storedTypesOf = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>): Promise<readonly StoredType[]> => {
  const ownTypes = await selectInquiryTypes(db, customer.id)
  return ownTypes.length > 0 ? ownTypes : defaultTypes
}

/** The inquiry types in the reader's language; `isOffered`: without those that are hidden. */
export const inquiryTypesOf = async (ctx: Ctx, { isOffered = false } = {}): Promise<readonly InquiryType[]> =>
  (await storedTypesOf(ctx))
    .filter(({ hidden }) => !(isOffered && hidden))
    .map((type) => ({ code: type.code, name: translateRow(ctx, type, ['name']).name }))

const fileMinutes = 30

/** Finds a type by code. A type that the tenant has removed falls back to its code. */
const typeByCode = (types: readonly InquiryType[], code: InquiryTypeCode): InquiryType =>
  types.find((type) => type.code === code) ?? { code, name: null }

/** An inquiry that ended without an answer to its last message is shown as closed. */
export const shownStatus = (status: CaseStatus, isAnswered: boolean): InquiryStatus =>
  status === 'COMPLETE' && !isAnswered ? 'CLOSED' : status

/** Returns an inquiry as a list shows it. */
const viewSummary = (
  { inquiry: row, replies, isAnswered }: { inquiry: InquiryRow; replies: number; isAnswered: boolean },
  types: readonly InquiryType[],
): InquirySummary => ({
  code: row.code,
  type: typeByCode(types, row.type),
  title: row.title,
  status: shownStatus(row.status, isAnswered),
  countOfReplies: replies,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** A file with an address that is valid for half an hour, for its sender only. */
const viewFile = (ctx: Ctx, file: InquiryFileRow, mediaSecret: string): InquiryFile => ({
  id: file.id,
  name: file.name,
  contentType: file.contentType,
  bytes: file.bytes,
  url: signMedia(mediaSecret, {
    customerId: ctx.customer.id,
    memberId: file.memberId,
    productId: null,
    lessonId: null,
    playId: newId<PlayId>(),
    asset: `inquiry/${file.id}`,
    expiresAt: ctx.clock.now().getTime() / 1000 + fileMinutes * 60,
  }),
})

/** The whole inquiry, as its member reads it. */
const viewInquiry = async (ctx: Ctx, row: InquiryRow, mediaSecret: string): Promise<Inquiry> => {
  const { db, customer } = ctx
  const messages = await inquiryMessagesOf(db, customer.id, row.id)
  const { product, orderCode } = await subjectsOf(db, customer.id, row)
  const replies = messages.filter(({ message }) => message.author === 'ADMIN').length
  const isAnswered = messages.at(-1)?.message.author === 'ADMIN'
  return {
    ...viewSummary({ inquiry: row, replies, isAnswered }, await inquiryTypesOf(ctx)),
    messages: messages.map(({ message, files }) => ({
      author: message.author,
      body: message.body,
      files: files.map((file) => viewFile(ctx, file, mediaSecret)),
      createdAt: message.createdAt,
    })),
    product: product && { ...translateRow(ctx, product, ['title']), id: product.id },
    orderCode,
    timeSeconds: row.timeSeconds,
  }
}

/** The maximum number of files without a message. Unused files are removed after a day. */
export const maxLooseFiles = 20

/** Returns the storage key of a file of an inquiry. */
export const inquiryFileKey = (customerId: CustomerId, id: InquiryFileId) => mediaKey(`inquiry/${customerId}/${id}`)

const ownerOf = ({ actor }: MemberCtx): FileOwner => ({ memberId: actor.memberId, senderId: null })

export interface StoredFile {
  id: InquiryFileId
  name: string
  contentType: string
  bytes: number
}

/** Returns the row of a stored file that no message has yet. */
export const inquiryFileRow = ({ customer, clock }: Ctx, owner: FileOwner, file: StoredFile): InquiryFileRow => ({
  ...file,
  ...owner,
  customerId: customer.id,
  messageId: null,
  asset: inquiryFileKey(customer.id, file.id),
  createdAt: clock.now().toISOString(),
})

/** Records a stored file, which does not belong to a message yet. */
export const saveFile = async (ctx: MemberCtx, file: StoredFile, mediaSecret: string) => {
  const { db, customer } = ctx
  if (!customer.settings.order.useInquiry) return failure('INQUIRY_DISABLED')
  const owner = ownerOf(ctx)
  if ((await countLooseFiles(db, customer.id, owner)) >= maxLooseFiles)
    return failure('RATE_LIMITED', { retryAfterSeconds: 3600 })
  const row = inquiryFileRow(ctx, owner, file)
  await insertInquiryFile(db, row)
  return viewFile(ctx, row, mediaSecret)
}

/** Deletes files that no message used for a day. Returns their keys, for removal from storage. */
export const deleteUnattachedFiles = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  limit: number,
) => await deleteLooseFileRows(db, customer.id, new Date(clock.now().getTime() - dayMilliseconds), limit)

/**
 * Returns the files of an owner for a message, each once. A file of somebody else, or one already
 * used, is refused.
 */
export const claimFiles = async ({ db, customer, locale }: Ctx, owner: FileOwner, ids: readonly InquiryFileId[]) => {
  if (ids.length === 0) return []
  const fileIds = [...new Set(ids)]
  const files = await lockLooseFiles(db, customer.id, owner, fileIds)
  const i18n = messagesOf(locale)
  if (files.length < fileIds.length)
    return invalidField('files', i18n._('This file is no longer available. Upload it again.'))
  return fileIds
}

/** Inserts a member's message and attaches the files. */
const addMessage = async (
  { db, customer, clock }: MemberCtx,
  inquiryId: InquiryId,
  body: string,
  files: readonly InquiryFileId[],
) => {
  const id = newId<InquiryMessageId>()
  const createdAt = clock.now().toISOString()
  await insertInquiryMessage(db, { customerId: customer.id, id, inquiryId, author: 'MEMBER', body, createdAt })
  if (files.length > 0) await attachFiles(db, customer.id, files, id)
}

export interface Question {
  type: InquiryTypeCode
  title: string
  body: string
  files: readonly InquiryFileId[]
  productId?: ProductId | undefined
  orderCode?: OrderCode | undefined
  timeSeconds?: number | undefined
}

/** Creates an inquiry and a case that is open until it is answered. */
export const createInquiry = async (ctx: MemberCtx, question: Question, mediaSecret: string) => {
  const { db, customer, actor, clock } = ctx
  if (!customer.settings.order.useInquiry) return failure('INQUIRY_DISABLED')
  const refused = refuseLines(ctx.locale, { title: question.title })
  if (refused) return refused
  const i18n = messagesOf(ctx.locale)
  const types = await inquiryTypesOf(ctx, { isOffered: true })
  if (!types.some(({ code }) => code === question.type))
    return invalidField('type', i18n._('Choose one of the available types.'))
  if (question.productId && !(await visibleProduct(ctx, question.productId)))
    return invalidField('productId', i18n._('Product not found.'))
  const order = question.orderCode && (await findOrder(db, customer.id, actor.memberId, question.orderCode))
  if (question.orderCode && !order) return invalidField('orderCode', i18n._('Order not found.'))
  const files = await claimFiles(ctx, ownerOf(ctx), question.files)
  if (isFailure(files)) return files

  const now = clock.now().toISOString()
  const [id, code] = [newId<InquiryId>(), inquiryCode.parse(`Q-${randomCode(6)}`)]
  const shared = {
    customerId: customer.id,
    memberId: actor.memberId,
    orderId: order ? order.id : null,
    createdAt: now,
  }
  const { memberId, orderId } = shared
  const about = { type: 'INQUIRY', memberId, orderId, subject: question.title } as const
  const caseId = await openCase(ctx, { ...about, data: { inquiry: code } })
  await insertInquiry(db, {
    ...shared,
    id,
    code,
    caseId,
    type: question.type,
    title: question.title,
    productId: question.productId ?? null,
    timeSeconds: question.timeSeconds === undefined ? null : toWholeMilliseconds(question.timeSeconds),
    updatedAt: now,
  })
  await addMessage(ctx, id, question.body, files)
  await emit(ctx, 'inquiryReceived', {
    inquiryCode: code,
    type: question.type,
    memberId,
    productId: question.productId ?? null,
    orderCode: question.orderCode ?? null,
  })
  const written = await findInquiry(db, customer.id, actor.memberId, code)
  return written ? viewInquiry(ctx, written, mediaSecret) : failure('NOT_FOUND')
}

/** Adds a member's message and reopens the inquiry, so that an operator answers. */
export const reply = async (
  ctx: MemberCtx,
  { code, body, files: wanted }: { code: InquiryCode; body: string; files: readonly InquiryFileId[] },
  mediaSecret: string,
) => {
  const { db, customer, actor, clock } = ctx
  const inquiry = await findInquiry(db, customer.id, actor.memberId, code, { lock: true })
  if (!inquiry) return failure('NOT_FOUND')
  const files = await claimFiles(ctx, ownerOf(ctx), wanted)
  if (isFailure(files)) return files
  await addMessage(ctx, inquiry.id, body, files)
  const now = clock.now()
  await setInquiryStatus(db, inquiry, 'WAIT', now)
  return viewInquiry(ctx, { ...inquiry, status: 'WAIT', updatedAt: now.toISOString() }, mediaSecret)
}

/** The member's inquiries, the most recently updated first. */
export const listInquiries = async (
  ctx: MemberCtx,
  query: { status?: InquiryStatus | undefined; page: number; size: number },
) => {
  const types = await inquiryTypesOf(ctx)
  const { rows, total } = await selectInquiries(ctx.db, ctx.customer.id, ctx.actor.memberId, query)
  const items = rows.map((row) => viewSummary({ ...row, replies: Number(row.replies) }, types))
  return { items, total, page: query.page, size: query.size }
}

/**
 * Returns an inquiry of the member with its messages. The addresses of its files are signed with
 * `mediaSecret`. Fails with NOT_FOUND for another member's inquiry.
 */
export const getInquiry = async (ctx: MemberCtx, code: InquiryCode, mediaSecret: string) => {
  const inquiry = await findInquiry(ctx.db, ctx.customer.id, ctx.actor.memberId, code)
  return inquiry ? viewInquiry(ctx, inquiry, mediaSecret) : failure('NOT_FOUND')
}
