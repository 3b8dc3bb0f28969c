import { queueMemberMail } from '#api/modules/identity/profile.ts'
import { inquiryAnswered } from '#api/modules/support/mails/inquiry-answered.ts'
import { type AuditActor, audit, changesOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, failure, isFailure } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import type { CaseStatus } from '#contract/enumerations.ts'
import type { CaseId, InquiryCode, InquiryFileId } from '#contract/ids.ts'
import {
  completeCase,
  findInquiry,
  type InquiryRow,
  insertCase,
  insertInquiryMessage,
  lockCase,
  messagesOf,
  readCases,
  readWaitingInquiries,
  setInquiryStatus,
} from './support.queries.ts'

const maxInquiries = 200

/** Inquiries that await an answer, the least recently updated first. */
export const listWaitingInquiries = ({ db, customer }: Ctx) => readWaitingInquiries(db, customer.id, maxInquiries)

/** An inquiry of any member with its messages, as operators read it. Failure: NOT_FOUND. */
export const showInquiry = async ({ db, customer }: Ctx, code: InquiryCode) => {
  const inquiry = await findInquiry(db, customer.id, null, code)
  if (!inquiry) return failure('NOT_FOUND')
  return { inquiry, version: versionOfInquiry(inquiry), messages: await messagesOf(db, customer.id, inquiry.id) }
}

/** It changes with each message. */
const versionOfInquiry = ({ status, updatedAt }: InquiryRow) => versionOf([status, updatedAt])

/** Returns a file of an inquiry's messages. Failure: NOT_FOUND. */
export const findStoreInquiryFile = async (ctx: Ctx, { code, id }: { code: InquiryCode; id: InquiryFileId }) => {
  const shown = await showInquiry(ctx, code)
  if (isFailure(shown)) return shown
  return shown.messages.flatMap(({ files }) => files).find((file) => file.id === id) ?? failure('NOT_FOUND')
}

interface InquiryAnswer {
  code: InquiryCode
  body: string
  /** The value of `If-Match`. Left out, the answer is added to whatever the inquiry holds. */
  expected?: string | null
}

/**
 * Adds an operator's answer. The inquiry is COMPLETE until its member writes again. Failures:
 * NOT_FOUND, VALIDATION_FAILED for an empty or too long answer, VERSION_MISSING and
 * VERSION_CONFLICT where somebody else wrote meanwhile.
 */
export const answerInquiry = async (ctx: Ctx, by: AuditActor, { code, body, expected }: InquiryAnswer) => {
  const { db, customer, clock } = ctx
  const inquiry = await findInquiry(db, customer.id, null, code, { lock: true })
  if (!inquiry) return failure('NOT_FOUND')
  if (expected !== undefined) {
    const version = versionOfInquiry(inquiry)
    const refused = await refuseOldVersion(ctx, { expected, version, subject: `inquiry:${code}` })
    if (refused) return refused
  }
  const text = body.trim()
  if (text === '' || text.length > 5000)
    return failure('VALIDATION_FAILED', { errors: { body: ['Write an answer of 1 to 5,000 characters.'] } })
  const now = clock.now()
  await insertInquiryMessage(db, {
    customerId: customer.id,
    id: newId(),
    inquiryId: inquiry.id,
    author: 'ADMIN',
    body: text,
    createdAt: now.toISOString(),
  })
  await setInquiryStatus(db, inquiry, 'COMPLETE', now)
  await audit(ctx, {
    actor: by,
    action: 'inquiry.answered',
    subject: `inquiry:${code}`,
    changes: changesOf<{ status: CaseStatus }>({ status: inquiry.status }, { status: 'COMPLETE' }),
  })
  const data = { code, title: inquiry.title, answer: text }
  await queueMemberMail(ctx, inquiry.memberId, { template: inquiryAnswered, data })
  return { code, title: inquiry.title }
}

/** Opens a case for an operator. Returns its id. */
export const openCase = async (
  { db, customer, clock }: Pick<Ctx, 'db' | 'customer' | 'clock'>,
  opened: Omit<Parameters<typeof insertCase>[1], 'customerId' | 'id' | 'createdAt'>,
) => {
  const id = newId<CaseId>()
  await insertCase(db, { ...opened, customerId: customer.id, id, createdAt: clock.now().toISOString() })
  return id
}

/** Cases, oldest first, with the member's email. */
export const listCases = ({ db, customer }: Ctx, status: CaseStatus | undefined, limit: number) =>
  readCases(db, customer.id, status, limit)

/**
 * Closes a case that was settled elsewhere. Inquiries close by an answer and cancellations by a
 * decision, so this refuses both.
 */
export const closeCase = async (ctx: Ctx, by: AuditActor, { id, note }: { id: CaseId; note: string }) => {
  const { db, customer, clock } = ctx
  const lockedCase = await lockCase(db, customer.id, id)
  if (!lockedCase) return failure('NOT_FOUND')
  if (lockedCase.type === 'INQUIRY')
    return failure('VALIDATION_FAILED', { errors: { id: ['Answer the inquiry to close its case.'] } })
  if (lockedCase.type === 'ORDER_CANCEL' && lockedCase.data.kind === 'CANCEL_REQUEST')
    return failure('VALIDATION_FAILED', { errors: { id: ['Accept or reject the request to close its case.'] } })
  if (lockedCase.status === 'COMPLETE') return failure('CONFLICT')
  // Removes the contact of a withdrawn member, which is no longer needed.
  const { contact: _, ...data } = lockedCase.data
  await completeCase(db, lockedCase, data, clock.now())
  await audit(ctx, { actor: by, action: 'case.closed', subject: `case:${id}`, detail: { type: lockedCase.type, note } })
  return { id, subject: lockedCase.subject }
}
