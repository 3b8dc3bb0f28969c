import { randomInt } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { MemberCtx } from '#api/context.ts'
import { findInquiry } from '#api/db/queries/inquiries.ts'
import { findOrder } from '#api/db/queries/orders.ts'
import { cases } from '#api/db/schema/accounts.ts'
import { inquiries } from '#api/db/schema/inquiries.ts'
import { newId } from '#api/db/uuid.ts'
import { visibleProduct } from '#api/domain/catalog/visible-product.ts'
import { failure, isFailure } from '#api/domain/failure.ts'
import type { InquiryCode, InquiryFileId, OrderCode, ProductId } from '#contract/ids.ts'
import { addMessage, takeFiles } from './add-message.ts'
import { inquiryTypesOf } from './types.ts'
import { viewInquiry } from './view-inquiry.ts'

export interface Question {
  type: string
  title: string
  body: string
  files: readonly InquiryFileId[]
  productId?: ProductId | undefined
  orderCode?: OrderCode | undefined
  timeSeconds?: number | undefined
}

/** Crockford's alphabet: no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const newCode = () =>
  `Q-${Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('')}` as InquiryCode

/** Sends an inquiry to the desk: it waits there as a case of its own until it is answered. */
export const ask = async (ctx: MemberCtx, question: Question, mediaSecret: string) => {
  const { db, customer, actor, clock } = ctx
  if (!customer.settings.order.useInquiry) return failure('INQUIRY_DISABLED')
  const types = await inquiryTypesOf(ctx)
  if (!types.some(({ code }) => code === question.type))
    return failure('VALIDATION_FAILED', { errors: { type: ['Choose one of the available types.'] } })
  if (question.productId && !(await visibleProduct(ctx, question.productId)))
    return failure('VALIDATION_FAILED', { errors: { productId: ['Product not found.'] } })
  const order = question.orderCode && (await findOrder(db, customer.id, actor.memberId, question.orderCode))
  if (question.orderCode && !order) return failure('VALIDATION_FAILED', { errors: { orderCode: ['Order not found.'] } })
  const files = await takeFiles(ctx, question.files)
  if (isFailure(files)) return files

  const now = clock.now().toISOString()
  const [id, caseId, code] = [newId(), newId(), newCode()]
  await db.insert(cases).values({
    ...{ customerId: customer.id, id: caseId, type: 'INQUIRY', memberId: actor.memberId, createdAt: now },
    orderId: order ? order.id : null,
    subject: question.title,
    data: { inquiry: code },
  })
  await db.insert(inquiries).values({
    ...{ customerId: customer.id, id, code, memberId: actor.memberId, caseId, createdAt: now, updatedAt: now },
    ...{ type: question.type, title: question.title, timeSeconds: question.timeSeconds ?? null },
    productId: question.productId ?? null,
    orderId: order ? order.id : null,
  })
  await addMessage(ctx, id, question.body, files)
  const written = await findInquiry(db, customer.id, actor.memberId, code)
  return written ? viewInquiry(ctx, written, mediaSecret) : failure('NOT_FOUND')
}

/** The member writes again: whatever was said before, the desk owes an answer. */
export const reply = async (
  ctx: MemberCtx,
  { code, body, files: wanted }: { code: InquiryCode; body: string; files: readonly InquiryFileId[] },
  mediaSecret: string,
) => {
  const { db, customer, actor, clock } = ctx
  const inquiry = await findInquiry(db, customer.id, actor.memberId, code, { lock: true })
  if (!inquiry) return failure('NOT_FOUND')
  const files = await takeFiles(ctx, wanted)
  if (isFailure(files)) return files
  await addMessage(ctx, inquiry.id, body, files)
  const updatedAt = clock.now().toISOString()
  await db
    .update(inquiries)
    .set({ status: 'WAIT', updatedAt })
    .where(and(eq(inquiries.customerId, customer.id), eq(inquiries.id, inquiry.id)))
  await db
    .update(cases)
    .set({ status: 'WAIT', completedAt: null })
    .where(and(eq(cases.customerId, customer.id), eq(cases.id, inquiry.caseId)))
  return viewInquiry(ctx, { ...inquiry, status: 'WAIT', updatedAt }, mediaSecret)
}
