import type { Ctx } from '#api/context.ts'
import { type InquiryFileRow, type InquiryRow, messagesOf, subjectsOf } from '#api/db/queries/inquiries.ts'
import { newId } from '#api/db/uuid.ts'
import { translateRow } from '#api/domain/translations.ts'
import { signMedia } from '#api/media/sign.ts'
import type { CaseStatus } from '#contract/enumerations.ts'
import type { InquiryCode, InquiryFileId, MemberId, OrderCode, PlayId, ProductId } from '#contract/ids.ts'
import type { Inquiry, InquiryFile, InquirySummary, InquiryType } from '#contract/inquiries.ts'
import { inquiryTypesOf } from './types.ts'

const fileMinutes = 30

/** A type by its code; one the tenant has taken off its list keeps its code. */
export const typeByCode = (types: readonly InquiryType[], code: string): InquiryType =>
  types.find((type) => type.code === code) ?? { code, name: null }

export const viewSummary = (row: InquiryRow, replies: number, types: readonly InquiryType[]): InquirySummary => ({
  code: row.code as InquiryCode,
  type: typeByCode(types, row.type),
  title: row.title,
  status: row.status as CaseStatus,
  countOfReplies: replies,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** A file with an address that opens for its sender alone, for half an hour. */
export const viewFile = (ctx: Ctx, file: InquiryFileRow, mediaSecret: string): InquiryFile => ({
  id: file.id as InquiryFileId,
  name: file.name,
  contentType: file.contentType,
  bytes: file.bytes,
  url: signMedia(mediaSecret, {
    customerId: ctx.customer.id,
    memberId: file.memberId as MemberId,
    productId: null,
    lessonId: null,
    playId: newId<PlayId>(),
    asset: `inquiry/${file.id}`,
    expiresAt: ctx.clock.now().getTime() / 1000 + fileMinutes * 60,
  }),
})

/** The whole inquiry, as its member reads it. */
export const viewInquiry = async (ctx: Ctx, row: InquiryRow, mediaSecret: string): Promise<Inquiry> => {
  const { db, customer } = ctx
  const messages = await messagesOf(db, customer.id, row.id)
  const { product, orderCode } = await subjectsOf(db, customer.id, row)
  const replies = messages.filter(({ message }) => message.author === 'DESK').length
  return {
    ...viewSummary(row, replies, await inquiryTypesOf(ctx)),
    messages: messages.map(({ message, files }) => ({
      author: message.author as 'MEMBER' | 'DESK',
      body: message.body,
      files: files.map((file) => viewFile(ctx, file, mediaSecret)),
      createdAt: message.createdAt,
    })),
    product: product && { ...translateRow(ctx, product, ['title']), id: product.id as ProductId },
    orderCode: orderCode as OrderCode | null,
    timeSeconds: row.timeSeconds,
  }
}
