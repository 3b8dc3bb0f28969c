import { type AuditActor, audit, changesOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, isFailure, type StaffOperator } from '#api/platform/context.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { translationErrors } from '#api/platform/i18n/translations.ts'
import { replyPlaceholders, type SavedReply, type SavedReplyForm } from '#contract/admin/inquiries.ts'
import { locale } from '#contract/enumerations.ts'
import type { InquiryCode, SavedReplyId } from '#contract/ids.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import {
  deleteDraft,
  deleteReply,
  insertReply,
  lockReply,
  readReplies,
  type SavedReplyRow,
  updateReply,
  upsertDraft,
} from './staff-inquiries.queries.ts'
import { findInquiry } from './support.queries.ts'

/** Keeps the answer that a person has begun; an empty text ends it. Failure: NOT_FOUND. */
export const saveDraft = async (
  ctx: Ctx,
  operator: StaffOperator,
  { code, body }: { code: InquiryCode; body: string },
): Promise<Failure | undefined> => {
  const { db, customer, clock } = ctx
  const inquiry = await findInquiry(db, customer.id, null, code)
  if (!inquiry) return failure('NOT_FOUND')
  const key = { customerId: customer.id, inquiryId: inquiry.id, staffId: operator.id }
  if (body.trim() === '') await deleteDraft(db, customer.id, inquiry.id, operator.id)
  else await upsertDraft(db, { ...key, body, updatedAt: clock.now().toISOString() })
  return undefined
}

const maxReplies = 200

/** The languages are in one order, so that the version of equal texts is the same. */
const factsOf = ({ title, body, translations }: SavedReplyForm): SavedReplyForm => ({
  title,
  body,
  translations: Object.fromEntries(
    locale.options.flatMap((language) => {
      const texts = translations[language]
      return texts ? [[language, { body: texts.body }]] : []
    }),
  ),
})
/** The facts as the audit log has them: `body.ko`. */
const recordedFactsOf = ({ title, body, translations }: SavedReplyForm) => ({
  title,
  body,
  ...Object.fromEntries(Object.entries(translations).map(([language, texts]) => [`body.${language}`, texts.body])),
})
const versionOfReply = (row: SavedReplyRow) => versionOf(factsOf(row))
const viewReply = (row: SavedReplyRow): SavedReply => ({ id: row.id, ...factsOf(row), version: versionOfReply(row) })
const subjectOf = (id: SavedReplyId) => `saved-reply:${id}`

const refuseTitle = (why: string) => failure('VALIDATION_FAILED', { errors: { title: [why] } })
const isTitled = ({ title }: SavedReplyForm, row: SavedReplyRow) => row.title.toLowerCase() === title.toLowerCase()
const titleTaken = ({ locale }: Ctx) => {
  const i18n = messagesOf(locale)
  return refuseTitle(i18n._('There is a saved reply with this title. Choose another title.'))
}

/** The first placeholder of a text that nothing replaces: the member would read it. */
const unknownPlaceholder = (text: string): string | undefined =>
  text.match(/\{ *\p{L}[\p{L}\p{N}_. -]{0,39}\}/gu)?.find((each) => !replyPlaceholders.some((known) => known === each))

/**
 * Errors by field: a text with an unknown placeholder, or in a language that is not one of the
 * store.
 */
const errorsOf = (ctx: Ctx, { body = '', translations = {} }: Partial<SavedReplyForm>): Record<string, string[]> => {
  const i18n = messagesOf(ctx.locale)
  const texts = [
    ['body', body] as const,
    ...Object.entries(translations).map(([language, text]) => [`translations.${language}.body`, text.body] as const),
  ]
  return {
    ...translationErrors(ctx, translations),
    ...Object.fromEntries(
      texts.flatMap(([field, text]) => {
        const unknown = unknownPlaceholder(text)
        if (unknown === undefined) return []
        const values = { unknown, known: replyPlaceholders.join(', ') }
        return [[field, [i18n._('{unknown} is not a placeholder. Use only {known}.', values)]]]
      }),
    ),
  }
}

/** The saved replies of the store by title. */
export const listReplies = async ({ db, customer }: Ctx) => ({
  items: (await readReplies(db, customer.id)).map(viewReply),
})

/**
 * Saves a reply for all staff of the store. Failure: VALIDATION_FAILED (the title is taken, a
 * placeholder is unknown, or there are too many).
 */
export const createReply = async (ctx: Ctx, by: AuditActor, form: SavedReplyForm): Promise<SavedReply | Failure> => {
  const { db, customer, clock } = ctx
  const errors = errorsOf(ctx, form)
  if (Object.keys(errors).length > 0) return failure('VALIDATION_FAILED', { errors })
  const i18n = messagesOf(ctx.locale)
  if ((await readReplies(db, customer.id)).length >= maxReplies)
    return refuseTitle(i18n._('There are {count} saved replies. Delete one first.', { count: maxReplies }))
  const id = newId<SavedReplyId>()
  const row = { ...factsOf(form), customerId: customer.id, id, createdAt: clock.now().toISOString() }
  if (!(await insertReply(db, row))) return titleTaken(ctx)
  await audit(ctx, {
    actor: by,
    action: 'saved-reply.created',
    subject: subjectOf(id),
    changes: changesOf({}, recordedFactsOf(row)),
  })
  return viewReply(row)
}

/** Finds a saved reply as the caller saw it, and locks it. `expected` is that of `If-Match`. */
const lockAsSeen = async (ctx: Ctx, id: SavedReplyId, expected: string | null): Promise<SavedReplyRow | Failure> => {
  const row = await lockReply(ctx.db, ctx.customer.id, id)
  if (!row) return failure('NOT_FOUND')
  return (await refuseOldVersion(ctx, { expected, version: versionOfReply(row), subject: subjectOf(id) })) ?? row
}

interface ReplyChange {
  id: SavedReplyId
  title?: string | undefined
  body?: string | undefined
  translations?: SavedReplyForm['translations'] | undefined
  expected: string | null
}

/**
 * Changes a saved reply. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED
 * (the title is taken, a placeholder is unknown).
 */
export const changeReply = async (
  ctx: Ctx,
  by: AuditActor,
  { id, expected, ...change }: ReplyChange,
): Promise<SavedReply | Failure> => {
  const { db, customer } = ctx
  const row = await lockAsSeen(ctx, id, expected)
  if (isFailure(row)) return row
  // Texts in languages that the store has switched off stay as they are.
  const translated = Object.entries(change.translations ?? {}).filter(
    ([language, texts]) => texts?.body !== row.translations[locale.parse(language)]?.body,
  )
  const errors = errorsOf(ctx, { ...withoutUndefined(change), translations: Object.fromEntries(translated) })
  if (Object.keys(errors).length > 0) return failure('VALIDATION_FAILED', { errors })
  const changed = { ...row, ...withoutUndefined(change) }
  const isTaken = (await readReplies(db, customer.id)).some((other) => other.id !== id && isTitled(changed, other))
  if (isTaken) return titleTaken(ctx)
  const changes = changesOf<Record<string, unknown>>(recordedFactsOf(row), recordedFactsOf(changed))
  if (Object.keys(changes).length === 0) return viewReply(row)
  await updateReply(db, changed)
  await audit(ctx, { actor: by, action: 'saved-reply.changed', subject: subjectOf(id), changes })
  return viewReply(changed)
}

/** Deletes a saved reply. Failures: NOT_FOUND, VERSION_MISSING, VERSION_CONFLICT. */
export const removeReply = async (
  ctx: Ctx,
  by: AuditActor,
  { id, expected }: { id: SavedReplyId; expected: string | null },
): Promise<Failure | undefined> => {
  const row = await lockAsSeen(ctx, id, expected)
  if (isFailure(row)) return row
  await deleteReply(ctx.db, ctx.customer.id, id)
  await audit(ctx, {
    actor: by,
    action: 'saved-reply.deleted',
    subject: subjectOf(id),
    changes: changesOf(recordedFactsOf(row), {}),
  })
  return undefined
}
