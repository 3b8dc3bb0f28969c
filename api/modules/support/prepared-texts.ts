import { lockSettings } from '#api/modules/tenancy/tenancy.queries.ts'
import { type AuditActor, audit, changesOf, historyOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure, type StaffOperator } from '#api/platform/context.ts'
import { randomCode } from '#api/platform/crypto.ts'
import { newId } from '#api/platform/db/columns.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { translationErrors } from '#api/platform/i18n/translations.ts'
import {
  type InquiryTopics,
  type InquiryTopicsChange,
  replyPlaceholders,
  type SavedReply,
  type SavedReplyForm,
} from '#contract/admin/inquiries.ts'
import { type Locale, locale } from '#contract/enumerations.ts'
import { type InquiryCode, inquiryTypeCode, type SavedReplyId } from '#contract/ids.ts'
import type { Translations } from '#contract/translations.ts'
import { withoutUndefined } from '#contract/without-undefined.ts'
import { defaultTypes, type StoredType, storedTypesOf } from './inquiries.ts'
import {
  countByTopic,
  deleteDraft,
  deleteReply,
  insertReply,
  lockReply,
  readReplies,
  replaceTopics,
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

/** Without what is stored: texts in languages that the store has switched off stay as they are. */
const newTexts = <Texts extends object>(texts: Partial<Record<Locale, Texts>>, stored: Translations) =>
  Object.fromEntries(
    Object.entries(texts).filter(
      ([language, each]) => JSON.stringify(each) !== JSON.stringify(stored[locale.parse(language)]),
    ),
  )

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
  const translations = newTexts(change.translations ?? {}, row.translations)
  const errors = errorsOf(ctx, { ...withoutUndefined(change), translations })
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

const topicsSubject = 'inquiry-topics'

/** The topics that members choose from, in their order, with those that are hidden. */
export const viewTopics = async (ctx: Ctx): Promise<InquiryTopics> => {
  const topics = await storedTypesOf(ctx)
  const counts = await countByTopic(ctx.db, ctx.customer.id)
  return {
    version: versionOf(topics),
    items: topics.map(({ code, name, translations, hidden }) => ({
      code,
      name,
      translations: nameTranslations(translations),
      isHidden: hidden,
      inquiries: counts.get(code) ?? 0,
    })),
    history: await historyOf(ctx, topicsSubject),
  }
}

const nameTranslations = (translations: Translations): InquiryTopics['items'][number]['translations'] =>
  Object.fromEntries(
    Object.entries(translations).flatMap(([language, { name } = {}]) =>
      typeof name === 'string' ? [[language, { name }]] : [],
    ),
  )

/** The facts of topics as the audit log has them. */
const recordedTopics = (topics: readonly StoredType[]) => ({
  topics: topics.map(({ code, name }) => name ?? code),
  hidden: topics.filter(({ hidden }) => hidden).map(({ code, name }) => name ?? code),
  translations: Object.fromEntries(topics.map(({ code, name, translations }) => [name ?? code, translations])),
})

/** Errors by field of topics that are to replace `before`. */
const topicErrors = (ctx: Ctx, before: readonly StoredType[], items: InquiryTopicsChange['items']) => {
  const i18n = messagesOf(ctx.locale)
  const isDefault = (code: string | undefined) => defaultTypes.some((each) => each.code === code)
  const errors: Record<string, string[]> = {}
  for (const [at, { code, name, translations }] of items.entries()) {
    const sameName = (each: (typeof items)[number]) => each.name?.toLowerCase() === name?.toLowerCase()
    const others = items.slice(0, at)
    if (name !== null && others.some(sameName))
      errors[`items[${at}].name`] = [i18n._('There is a topic with this name. Choose another name.')]
    if (name === null && !isDefault(code)) errors[`items[${at}].name`] = [i18n._('Enter a name.')]
    const stored = before.find((each) => each.code === code)
    const isKnown = stored && !others.some((each) => each.code === code)
    if (code !== undefined && !isKnown) errors[`items[${at}].code`] = [i18n._('The store has no such topic.')]
    const untranslatable = translationErrors(ctx, newTexts(translations, stored?.translations ?? {})).translations
    if (untranslatable) errors[`items[${at}].translations`] = untranslatable
  }
  if (items.every(({ isHidden }) => isHidden))
    errors.items = [i18n._('Members must have a topic to choose. Show at least one.')]
  return errors
}

/**
 * Replaces the topics as the caller saw them. Failures: VERSION_MISSING, VERSION_CONFLICT,
 * VALIDATION_FAILED (also for a topic that inquiries have and that is left out).
 */
export const changeTopics = async (
  ctx: Ctx,
  by: AuditActor,
  { items, expected }: InquiryTopicsChange & { expected: string | null },
): Promise<InquiryTopics | Failure> => {
  const { db, customer } = ctx
  await lockSettings(db, customer.id)
  const before = await storedTypesOf(ctx)
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(before), subject: topicsSubject })
  if (refused) return refused
  const errors = topicErrors(ctx, before, items)
  if (Object.keys(errors).length > 0) return failure('VALIDATION_FAILED', { errors })
  const counts = await countByTopic(db, customer.id)
  const isLost = ({ code }: StoredType) => counts.has(code) && !items.some((item) => item.code === code)
  const i18n = messagesOf(ctx.locale)
  if (before.some(isLost)) return invalidField('items', i18n._('Inquiries have this topic, so it can only be hidden.'))
  const rows = items.map(({ code, name, translations, isHidden }, sort) => ({
    customerId: customer.id,
    code: code ?? inquiryTypeCode.parse(`T-${randomCode(6)}`),
    name,
    translations: name === null ? {} : translations,
    hidden: isHidden,
    sort,
  }))
  await replaceTopics(db, customer.id, rows)
  const changes = changesOf(recordedTopics(before), recordedTopics(rows))
  await audit(ctx, { actor: by, action: 'inquiry.topics-changed', subject: topicsSubject, changes })
  return viewTopics(ctx)
}
