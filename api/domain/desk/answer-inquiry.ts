import { and, eq } from 'drizzle-orm'
import type { Ctx } from '#api/context.ts'
import { findInquiry } from '#api/db/queries/inquiries.ts'
import { cases } from '#api/db/schema/accounts.ts'
import { inquiries, inquiryMessages } from '#api/db/schema/inquiries.ts'
import { newId } from '#api/db/uuid.ts'
import { failure } from '#api/domain/failure.ts'
import { queueMemberMail } from '#api/domain/mail/queue-mail.ts'
import { inquiryAnswered } from '#api/mail/templates/inquiry-answered.ts'
import type { MemberId } from '#contract/ids.ts'
import { type AuditActor, audit } from './audit.ts'

/** The desk answers: the inquiry is COMPLETE until its member writes again. */
export const answerInquiry = async (ctx: Ctx, by: AuditActor, { code, body }: { code: string; body: string }) => {
  const { db, customer, clock } = ctx
  const inquiry = await findInquiry(db, customer.id, null, code, { lock: true })
  if (!inquiry) return failure('NOT_FOUND')
  const words = body.trim()
  if (words === '' || words.length > 5000)
    return failure('VALIDATION_FAILED', { errors: { body: ['Write an answer of 1 to 5,000 characters.'] } })
  const now = clock.now().toISOString()
  await db.insert(inquiryMessages).values({
    customerId: customer.id,
    id: newId(),
    inquiryId: inquiry.id,
    author: 'DESK',
    body: words,
    createdAt: now,
  })
  await db
    .update(inquiries)
    .set({ status: 'COMPLETE', updatedAt: now })
    .where(and(eq(inquiries.customerId, customer.id), eq(inquiries.id, inquiry.id)))
  await db
    .update(cases)
    .set({ status: 'COMPLETE', completedAt: now })
    .where(and(eq(cases.customerId, customer.id), eq(cases.id, inquiry.caseId)))
  await audit(ctx, { actor: by, action: 'inquiry.answered', subject: `inquiry:${code}` })
  const data = { code, title: inquiry.title, answer: words }
  await queueMemberMail(ctx, inquiry.memberId as MemberId, { template: inquiryAnswered, data })
  return { code, title: inquiry.title }
}
