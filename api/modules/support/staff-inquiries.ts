import { queueMemberMail } from '#api/modules/identity/profile.ts'
import { inquiryAnswered } from '#api/modules/support/mails/inquiries.ts'
import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { dayMilliseconds } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure, type Operator } from '#api/platform/context.ts'
import { codeEndOf, codesFrom } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type {
  InquiryFacets,
  InquiryListing,
  InquiryQuery,
  InquirySelection,
  StoreInquiry,
} from '#contract/admin/inquiries.ts'
import type { CaseStatus } from '#contract/enumerations.ts'
import type { InquiryCode, InquiryFileId, InquiryMessageId, StaffId } from '#contract/ids.ts'
import { rolePermissions, staffRole } from '#contract/permissions.ts'
import { claimFiles, inquiryFileRow, inquiryTypesOf, maxLooseFiles, type StoredFile, shownStatus } from './inquiries.ts'
import {
  deleteDraft,
  type InquiryPageFilter,
  readAnsweringStaff,
  readDrafts,
  readInquiryPage,
  readPeopleOf,
  setAssignee,
} from './staff-inquiries.queries.ts'
import {
  attachFiles,
  countLooseFiles,
  findInquiry,
  type InquiryRow,
  inquiryMessagesOf,
  insertInquiryFile,
  insertInquiryMessage,
  setInquiryStatus,
  subjectsOf,
} from './support.queries.ts'

/** Returns what a list of inquiries is filtered by. */
export const inquiryFilterOf = ({
  status,
  type,
  assignee,
  memberId,
  q,
  words,
}: InquirySelection): Omit<InquiryPageFilter, 'after' | 'size'> => {
  const codes = codesFrom(q.toUpperCase(), 'Q-ZZZZZZ', 'Q-2'.length)
  return {
    status: codes || memberId || status === 'ALL' ? null : status,
    type: type ?? null,
    assignee: assignee ?? null,
    memberId: memberId ?? null,
    codes: codes ?? codeEndOf(q),
    emailStart: codes || q === '' ? null : q.toLowerCase(),
    words: words.toLowerCase(),
  }
}

/** The codes of inquiries that fit filters, in the order of the list, at most `limit`. */
export const findInquiryCodes = async ({ db, customer }: Ctx, selection: InquirySelection, limit: number) => {
  const filter = { ...inquiryFilterOf(selection), after: null, size: limit - 1 }
  return (await readInquiryPage(db, customer.id, filter)).map(({ code }) => code)
}

/**
 * A page of the inquiries of all members: those that await an answer, the longest waiting first, or
 * answered ones, those of one member or all, the latest first. Failure: VALIDATION_FAILED for an
 * invalid cursor.
 */
export const pageInquiries = async (ctx: Ctx, { cursor, size, ...selection }: InquiryQuery) => {
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const rows = await readInquiryPage(ctx.db, ctx.customer.id, { ...inquiryFilterOf(selection), after, size })
  const types = await inquiryTypesOf(ctx)
  const { items, nextCursor } = keysetPageOf(rows, size)
  return {
    items: items.map(
      ({ assigneeId, assigneeName, memberId, email, name, ...row }): InquiryListing => ({
        ...row,
        typeName: types.find((each) => each.code === row.type)?.name ?? null,
        assignee: assigneeId && assigneeName !== null ? { id: assigneeId, name: assigneeName } : null,
        member: { id: memberId, email, name },
      }),
    ),
    nextCursor,
  }
}

const answeringRoles = staffRole.options.filter((role) => rolePermissions[role].includes('inquiries:write'))

/** The people who can be assigned to an inquiry, by name. `lock` keeps their permissions. */
export const answeringStaff = ({ db, customer }: Ctx, { lock = false } = {}) =>
  readAnsweringStaff(db, customer.id, answeringRoles, { lock })

/** The people who can be assigned to an inquiry, by name, and the topics of the store. */
export const listInquiryFacets = async (ctx: Ctx): Promise<InquiryFacets> => ({
  assignees: (await answeringStaff(ctx)).map(({ id, name }) => ({ id, name })),
  types: [...(await inquiryTypesOf(ctx))],
})

/** Returns the subject of an inquiry in the audit log. */
export const inquirySubject = (code: InquiryCode) => `inquiry:${code}`

/** It changes with each message and with the assignee. */
const versionOfInquiry = ({ status, updatedAt, assigneeId }: InquiryRow) => versionOf([status, updatedAt, assigneeId])

/** Others see for this time that a person writes an answer. */
const draftMilliseconds = 7 * dayMilliseconds

/** An inquiry of any member with its messages. Failure: NOT_FOUND. */
export const showInquiry = async ({ db, customer }: Ctx, code: InquiryCode) => {
  const inquiry = await findInquiry(db, customer.id, null, code)
  if (!inquiry) return failure('NOT_FOUND')
  return { inquiry, messages: await inquiryMessagesOf(db, customer.id, inquiry.id) }
}

const hasAnswer = (messages: Awaited<ReturnType<typeof inquiryMessagesOf>>) =>
  messages.at(-1)?.message.author === 'ADMIN'

/** An inquiry as `operator` reads it, with the answers that are begun. Failure: NOT_FOUND. */
export const viewInquiryForStaff = async (
  ctx: Ctx,
  operator: Operator | null,
  code: InquiryCode,
): Promise<StoreInquiry | Failure> => {
  const { db, customer, clock } = ctx
  const shown = await showInquiry(ctx, code)
  if (isFailure(shown)) return shown
  const { inquiry, messages } = shown
  const found = await readPeopleOf(db, customer.id, inquiry.id)
  if (!found) return failure('NOT_FOUND')
  const { locale, ...people } = found
  const { product, orderCode } = await subjectsOf(db, customer.id, inquiry)
  const drafts = await readDrafts(db, customer.id, inquiry.id, new Date(clock.now().getTime() - draftMilliseconds))
  const isOwn = ({ staffId }: { staffId: StaffId }) => operator?.kind === 'STAFF' && operator.id === staffId
  const { type, title, timeSeconds, createdAt, updatedAt } = inquiry
  return {
    code,
    type,
    typeName: (await inquiryTypesOf(ctx)).find((each) => each.code === type)?.name ?? null,
    title,
    status: shownStatus(inquiry.status, hasAnswer(messages)),
    ...people,
    language: locale ?? customer.settings.base.locale,
    createdAt,
    updatedAt,
    version: versionOfInquiry(inquiry),
    messages: messages.map(({ message: { author, body, createdAt: at }, files }) => ({
      author,
      body,
      createdAt: at,
      files: files.map(({ id, name, contentType, bytes }) => ({ id, name, contentType, bytes })),
    })),
    product: product && { code: product.code, title: product.title },
    orderCode,
    timeSeconds,
    draft: drafts.find(isOwn)?.body ?? null,
    writers: drafts.filter((draft) => !isOwn(draft)).map(({ name, updatedAt: at }) => ({ name, updatedAt: at })),
    history: await historyOf(ctx, inquirySubject(code)),
  }
}

/** Returns a file of an inquiry's messages. Failure: NOT_FOUND. */
export const findStoreInquiryFile = async (ctx: Ctx, { code, id }: { code: InquiryCode; id: InquiryFileId }) => {
  const shown = await showInquiry(ctx, code)
  if (isFailure(shown)) return shown
  return shown.messages.flatMap(({ files }) => files).find((file) => file.id === id) ?? failure('NOT_FOUND')
}

/**
 * Records a stored file that an answer of `operator` will name. Failures: NOT_FOUND, RATE_LIMITED
 * where too many files of the inquiry wait for an answer.
 */
export const saveOperatorFile = async (
  ctx: Ctx,
  operator: Operator,
  { code, ...file }: StoredFile & { code: InquiryCode },
) => {
  const { db, customer } = ctx
  const inquiry = await findInquiry(db, customer.id, null, code)
  if (!inquiry) return failure('NOT_FOUND')
  const owner = { memberId: inquiry.memberId, senderId: operator.id }
  if ((await countLooseFiles(db, customer.id, owner)) >= maxLooseFiles)
    return failure('RATE_LIMITED', { retryAfterSeconds: 3600 })
  await insertInquiryFile(db, inquiryFileRow(ctx, owner, file))
  return file
}

/** Finds an inquiry as the caller saw it, and locks it. `expected` is the value of `If-Match`. */
export const lockAsSeen = async (ctx: Ctx, code: InquiryCode, expected: string | null | undefined) => {
  const inquiry = await findInquiry(ctx.db, ctx.customer.id, null, code, { lock: true })
  if (!inquiry) return failure('NOT_FOUND')
  if (expected === undefined) return inquiry
  const version = versionOfInquiry(inquiry)
  return (await refuseOldVersion(ctx, { expected, version, subject: inquirySubject(code) })) ?? inquiry
}

interface InquiryAnswer {
  code: InquiryCode
  body: string
  files?: readonly InquiryFileId[]
  /** The value of `If-Match`. Left out, the answer is added to whatever the inquiry holds. */
  expected?: string | null
}

/**
 * Adds an answer. The inquiry is COMPLETE until its member writes again. Without an assignee, it
 * is assigned to the person who answers. Failures: NOT_FOUND, VALIDATION_FAILED for an empty or
 * too long answer or a missing file, VERSION_MISSING and VERSION_CONFLICT where somebody else
 * wrote or assigned it meanwhile.
 */
export const answerInquiry = async (
  ctx: Ctx,
  { by, operator }: { by: AuditActor; operator: Operator | null },
  { code, body, files = [], expected }: InquiryAnswer,
) => {
  const { db, customer, clock } = ctx
  const inquiry = await lockAsSeen(ctx, code, expected)
  if (isFailure(inquiry)) return inquiry
  const i18n = messagesOf(ctx.locale)
  const text = body.trim()
  if (text === '' || text.length > 5000)
    return invalidField('body', i18n._('Write an answer of 1 to 5,000 characters.'))
  const owner = operator && { memberId: inquiry.memberId, senderId: operator.id }
  const claimed = owner ? await claimFiles(ctx, owner, files) : []
  if (isFailure(claimed)) return claimed
  const now = clock.now()
  const id = newId<InquiryMessageId>()
  const message = { customerId: customer.id, id, inquiryId: inquiry.id, createdAt: now.toISOString() }
  await insertInquiryMessage(db, { ...message, author: 'ADMIN', body: text })
  if (claimed.length > 0) await attachFiles(db, customer.id, claimed, id)
  await setInquiryStatus(db, inquiry, 'COMPLETE', now)
  const person = operator?.kind === 'STAFF' ? operator : null
  const newAssignee = inquiry.assigneeId === null ? person : null
  if (newAssignee) await setAssignee(db, customer.id, [inquiry.id], newAssignee.id)
  if (person) await deleteDraft(db, customer.id, inquiry.id, person.id)
  await audit(ctx, {
    actor: by,
    action: 'inquiry.answered',
    subject: inquirySubject(code),
    changes: changesOf<{ status: CaseStatus; assignee: string | null }>(
      { status: inquiry.status, assignee: null },
      { status: 'COMPLETE', assignee: newAssignee?.name ?? null },
    ),
  })
  const data = { code, title: inquiry.title, answer: text, files: claimed.length }
  await queueMemberMail(ctx, inquiry.memberId, { template: inquiryAnswered, data })
  return { code, title: inquiry.title }
}

/**
 * Closes an inquiry without an answer, or lets an answered or closed one await an answer again.
 * Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, CONFLICT (it is so already).
 */
export const setOpen = async (
  ctx: Ctx,
  by: AuditActor,
  { code, isOpen, reason, expected }: { code: InquiryCode; isOpen: boolean; reason?: string; expected: string | null },
): Promise<Failure | undefined> => {
  const inquiry = await lockAsSeen(ctx, code, expected)
  if (isFailure(inquiry)) return inquiry
  const status: CaseStatus = isOpen ? 'WAIT' : 'COMPLETE'
  const i18n = messagesOf(ctx.locale)
  const already = isOpen
    ? i18n._('This inquiry awaits an answer already.')
    : i18n._('This inquiry awaits no answer any more.')
  if (inquiry.status === status) return failure('CONFLICT', { errors: { code: [already] } })
  await setInquiryStatus(ctx.db, inquiry, status, ctx.clock.now())
  const messages = await inquiryMessagesOf(ctx.db, ctx.customer.id, inquiry.id)
  const shown = (each: CaseStatus) => ({ status: shownStatus(each, hasAnswer(messages)) })
  await audit(ctx, {
    actor: by,
    action: isOpen ? 'inquiry.reopened' : 'inquiry.closed',
    subject: inquirySubject(code),
    changes: changesOf(shown(inquiry.status), shown(status)),
    ...(reason !== undefined && { detail: { reason } }),
  })
  return undefined
}
