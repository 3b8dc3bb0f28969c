import { queueMail } from '#api/modules/mail/mails.ts'
import { inquiriesAssigned } from '#api/modules/support/mails/inquiries.ts'
import { type AuditActor, audit, changesOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, invalidField, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import type { InquiryAssignmentResult, InquiryAssignments } from '#contract/admin/inquiries.ts'
import type { InquiryCode, StaffId } from '#contract/ids.ts'
import { type AnsweringPerson, lockInquiries, releaseAssignee, setAssignee } from './staff-inquiries.queries.ts'
import { answeringStaff, inquirySubject, lockAsSeen } from './staff-inquiries.ts'
import type { InquiryRow } from './support.queries.ts'

/** Assigns locked inquiries that are somebody else's, or nobody's. Returns which those were. */
const reassign = async (
  ctx: Ctx,
  by: AuditActor,
  locked: readonly Pick<InquiryRow, 'id' | 'code' | 'assigneeId'>[],
  {
    assigneeId,
    people,
    mails = true,
  }: { assigneeId: StaffId | null; people: readonly AnsweringPerson[]; mails?: boolean },
): Promise<Set<InquiryCode>> => {
  const changed = locked.filter((inquiry) => inquiry.assigneeId !== assigneeId)
  if (changed.length === 0) return new Set()
  const ids = changed.map(({ id }) => id)
  await setAssignee(ctx.db, ctx.customer.id, ids, assigneeId)
  const nameOf = (staffId: StaffId | null) => people.find((person) => person.id === staffId)?.name ?? staffId
  for (const { code, assigneeId: former } of changed) {
    const changes = changesOf({ assignee: nameOf(former) }, { assignee: nameOf(assigneeId) })
    await audit(ctx, { actor: by, action: 'inquiry.assigned', subject: inquirySubject(code), changes })
  }
  const codes = changed.map(({ code }) => code)
  const person = people.find(({ id }) => id === assigneeId)
  if (mails && person && by !== `staff:${person.email}`) await queueAssigned(ctx, person, codes.length, codes[0])
  return new Set(codes)
}

/** Tells a person what somebody else has assigned to them. `code` is that of a single one. */
const queueAssigned = async (ctx: Ctx, person: AnsweringPerson, count: number, first: InquiryCode | undefined) => {
  const { id, email, locale } = person
  const code = count === 1 && first ? first : null
  const path = code ? `/admin/inquiries/${code}` : `/admin/inquiries?assignee=${id}`
  await queueMail(ctx, { template: inquiriesAssigned, to: email, memberId: null, locale, data: { code, count, path } })
}

/** Tells a person how many inquiries somebody else has assigned to them, unless they have left. */
export const mailAssigned = async (
  ctx: Ctx,
  by: AuditActor,
  { assigneeId, count }: { assigneeId: StaffId | null; count: number },
): Promise<void> => {
  const person = (await answeringStaff(ctx)).find(({ id }) => id === assigneeId)
  if (person && by !== `staff:${person.email}`) await queueAssigned(ctx, person, count, undefined)
}

/** Whether a person may get inquiries. Failure: VALIDATION_FAILED (they do not answer any). */
export const checkAssignee = async (ctx: Ctx, assigneeId: StaffId | null): Promise<Failure | null> =>
  refuseAssignee(ctx, await answeringStaff(ctx), assigneeId)

/** Refuses a person who does not answer inquiries of the store. */
const refuseAssignee = (
  { locale }: Ctx,
  people: readonly AnsweringPerson[],
  assigneeId: StaffId | null,
): Failure | null => {
  if (assigneeId === null || people.some(({ id }) => id === assigneeId)) return null
  const i18n = messagesOf(locale)
  return invalidField('assigneeId', i18n._('Choose a person who answers inquiries.'))
}

/**
 * Assigns an inquiry to a person, or to nobody. Failures: NOT_FOUND, VERSION_MISSING,
 * VERSION_CONFLICT, VALIDATION_FAILED (the person does not answer inquiries).
 */
export const assignInquiry = async (
  ctx: Ctx,
  by: AuditActor,
  { code, assigneeId, expected }: { code: InquiryCode; assigneeId: StaffId | null; expected: string | null },
): Promise<Failure | undefined> => {
  const people = await answeringStaff(ctx, { lock: true })
  const inquiry = refuseAssignee(ctx, people, assigneeId) ?? (await lockAsSeen(ctx, code, expected))
  if (isFailure(inquiry)) return inquiry
  await reassign(ctx, by, [inquiry], { assigneeId, people })
  return undefined
}

/**
 * Assigns inquiries to a person, or to nobody. Returns what became of each, in their order. With
 * `onlyFrom`, those that somebody else has stay as they are. Without `mails`, the person gets no
 * email.
 * Failure: VALIDATION_FAILED (the person does not answer inquiries).
 */
export const assignInquiries = async (
  ctx: Ctx,
  by: AuditActor,
  { codes, assigneeId, onlyFrom, mails = true }: InquiryAssignments & { mails?: boolean },
): Promise<InquiryAssignmentResult | Failure> => {
  const people = await answeringStaff(ctx, { lock: true })
  const refused = refuseAssignee(ctx, people, assigneeId)
  if (refused) return refused
  const locked = await lockInquiries(ctx.db, ctx.customer.id, codes)
  const isOfOthers = (inquiry: Pick<InquiryRow, 'assigneeId'>) =>
    onlyFrom !== undefined && inquiry.assigneeId !== onlyFrom && inquiry.assigneeId !== assigneeId
  const free = locked.filter((inquiry) => !isOfOthers(inquiry))
  const changed = await reassign(ctx, by, free, { assigneeId, people, mails })
  const resultOf = (code: InquiryCode) => {
    if (changed.has(code)) return 'CHANGED'
    const inquiry = locked.find((each) => each.code === code)
    if (!inquiry) return 'NOT_FOUND'
    return isOfOthers(inquiry) ? 'VERSION_CONFLICT' : 'UNCHANGED'
  }
  const formerId = (code: InquiryCode) => locked.find((inquiry) => inquiry.code === code)?.assigneeId ?? null
  return { items: codes.map((code) => ({ code, result: resultOf(code), formerId: formerId(code) })) }
}

/** Takes the inquiries and drafts from a person who has left the store. */
export const releaseInquiries = ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, staffId: StaffId) =>
  releaseAssignee(db, customer.id, staffId)
