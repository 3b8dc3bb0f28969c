import type * as z from 'zod/mini'
import { changeProductCount } from '#api/modules/catalog/products.ts'
import { type AuditActor, audit, changesOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { timesOfDays } from '#api/platform/clock.ts'
import { type Ctx, type Failure, failure, invalidField, isFailure } from '#api/platform/context.ts'
import { messagesOf } from '#api/platform/i18n/messages.ts'
import { countAuditEntries, keysetPageOf, readCursor } from '#api/platform/platform.queries.ts'
import type {
  BlockedPhrases,
  CommentBefore,
  CommentListQuery,
  CommentSelection,
  CommentsChangeResult,
  commentsChange,
  ModeratedState,
} from '#contract/admin/queues.ts'
import type { CommentId, ProductId } from '#contract/ids.ts'
import {
  type CommentRow,
  countCommentsToReview,
  lockComment,
  lockComments,
  readBlockedPhrases,
  readCommentPage,
  resolveReports,
  saveBlockedPhrases,
  updateComment,
} from './comments.queries.ts'

/** Scripts that write words without spaces, and Korean, whose particles follow the word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u

/** Characters that are not seen: they would hide a word from the comparison. */
const invisible = /[\p{Default_Ignorable_Code_Point}\u00ad]/gu

/** Returns a text as it is compared, without differences of case, spaces and forms of letters. */
export const comparableText = (text: string): string =>
  text.normalize('NFKC').replace(invisible, '').toLowerCase().replace(/\s+/gu, ' ').trim()

const isPartOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}\p{M}]/u.test(character)

const holds = (text: string, word: string): boolean => {
  if (unspaced.test(word)) return text.includes(word)
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length
    // A character has at most two units.
    const [before, after] = [[...text.slice(Math.max(0, at - 2), at)].at(-1), [...text.slice(end, end + 2)][0]]
    if (!isPartOfWord(before) && !isPartOfWord(after)) return true
  }
  return false
}

/**
 * Returns the first of the words and phrases that a text contains, or null. A word counts as a
 * whole word, and in Korean, Japanese, Chinese and Thai also within others.
 */
export const findBlockedPhrase = (phrases: readonly string[], text: string): string | null => {
  const comparable = comparableText(text)
  return phrases.find((word) => holds(comparable, comparableText(word))) ?? null
}

/** Returns the word of the store's list that holds a comment, or null. */
export const blockedPhraseIn = async ({ db, customer }: Ctx, text: string): Promise<string | null> =>
  findBlockedPhrase(await readBlockedPhrases(db, customer.id), text)

/** Returns the words that hold a comment. Only staff see them. */
export const listBlockedPhrases = async ({ db, customer }: Ctx): Promise<BlockedPhrases> => {
  const phrases = await readBlockedPhrases(db, customer.id)
  return { phrases, version: versionOf(phrases) }
}

const subject = 'comments:blocked-phrases'
const orNull = (phrases: string[]) => (phrases.length > 0 ? phrases : null)

/**
 * Replaces the words that hold a comment. Words that are equal in comparison are kept once. It
 * applies to comments that are written or edited later. `expected` is the value of `If-Match`.
 * Failures: VERSION_MISSING, VERSION_CONFLICT, VALIDATION_FAILED (a word without a character).
 */
export const changeBlockedPhrases = async (
  ctx: Ctx,
  by: AuditActor,
  { phrases: given, expected }: { phrases: readonly string[]; expected: string | null },
): Promise<BlockedPhrases | Failure> => {
  const { db, customer } = ctx
  const before = await readBlockedPhrases(db, customer.id, { lock: true })
  const i18n = messagesOf(ctx.locale)
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(before), subject })
  if (refused) return refused
  const empty = given.findIndex((word) => comparableText(word) === '')
  if (empty >= 0) return invalidField(`phrases.${empty}`, i18n._('Enter a word or a phrase.'))
  const phrases = [...new Map(given.toReversed().map((word) => [comparableText(word), word])).values()].reverse()
  await saveBlockedPhrases(db, customer.id, phrases)
  await audit(ctx, {
    actor: by,
    action: 'comment.blocked-phrases-changed',
    subject,
    changes: changesOf<{ added: string[] | null; removed: string[] | null }>(
      { removed: orNull(before.filter((word) => !phrases.includes(word))), added: null },
      { removed: null, added: orNull(phrases.filter((word) => !before.includes(word))) },
    ),
  })
  return { phrases, version: versionOf(phrases) }
}

/** The number of held comments, and of shown ones with unresolved reports. */
export const commentsToReview = ({ db, customer }: Ctx) => countCommentsToReview(db, customer.id)

/** Returns what a list of comments is filtered by. */
export const commentFilterOf = (
  { customer }: Pick<Ctx, 'customer'>,
  { state, reported, product, memberId, q, ...days }: CommentSelection,
) => ({
  state: state ?? null,
  reported: reported ?? null,
  product: product ?? null,
  memberId: memberId ?? null,
  words: q.split(/\s+/u).filter((word) => word !== ''),
  ...timesOfDays(days, customer.settings.base.timeZone),
})

/**
 * A page of all comments, the latest first. `q` are words that the text has, in any order. A
 * deleted comment has no text, and no words find it. Failure: VALIDATION_FAILED for an invalid
 * cursor.
 */
export const pageComments = async (ctx: Ctx, { cursor, size, ...selection }: CommentListQuery) => {
  const { db, customer } = ctx
  const after = readCursor(cursor)
  if (isFailure(after)) return after
  const filter = { ...commentFilterOf(ctx, selection), after, size }
  return keysetPageOf(await readCommentPage(db, customer.id, filter), size)
}

/** What a moderator decides. SHOWN and HIDDEN also resolve the reports. */
interface Decision {
  state: ModeratedState
  note?: string | null
}

const actions = {
  SHOWN: 'comment.approved',
  HELD: 'comment.held',
  HIDDEN: 'comment.hidden',
} as const satisfies Record<ModeratedState, string>

const subjectOf = (id: CommentId) => `comment:${id}`

interface DecidedComment extends Decision {
  /** Locked, and not deleted by its author. */
  comment: Pick<CommentRow, 'id' | 'productId' | 'state'>
}

/** Applies decisions about locked comments, which their authors have not deleted. */
const decide = async (ctx: Ctx, by: AuditActor, decisions: readonly DecidedComment[]): Promise<void> => {
  const { customer, db, clock } = ctx
  const counts = new Map<ProductId, number>()
  for (const { comment, state, note } of decisions) {
    const { id, productId, state: from } = comment
    await updateComment(db, customer.id, id, { state })
    if (state !== 'HELD') await resolveReports(db, customer.id, id, clock.now())
    const changes = changesOf<Pick<CommentRow, 'state'>>({ state: from }, { state })
    const detail = note === undefined ? {} : { note }
    await audit(ctx, { actor: by, action: actions[state], subject: subjectOf(id), changes, detail })
    const change = Number(state === 'SHOWN') - Number(from === 'SHOWN')
    counts.set(productId, (counts.get(productId) ?? 0) + change)
  }
  // Two decisions about many comments lock products in one order.
  for (const [productId, change] of [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
    if (change !== 0) await changeProductCount(ctx, productId, 'comments', change)
}

type Moderated = Pick<CommentRow, 'id' | 'state'>

/** The text of a comment that a moderator has read, by its last change. Left out, it may be any. */
export interface ReadText {
  editedAt?: string | null | undefined
}

const timeOf = (time: string | null) => time && Date.parse(time)

const decideOne = async (
  ctx: Ctx,
  by: AuditActor,
  id: CommentId,
  { editedAt, ...decision }: Decision & ReadText,
): Promise<Moderated | Failure> => {
  const i18n = messagesOf(ctx.locale)
  const comment = await lockComment(ctx.db, ctx.customer.id, id)
  if (!comment) return failure('NOT_FOUND')
  const refuse = (why: string) => failure('CONFLICT', { errors: { id: [why] } })
  if (comment.state === 'DELETED') return refuse(i18n._('Its author has deleted this comment.'))
  if (editedAt !== undefined && timeOf(editedAt) !== timeOf(comment.editedAt))
    return refuse(i18n._('Its author has changed this comment since you read it. Read it again.'))
  await decide(ctx, by, [{ comment, ...decision }])
  return { id, state: decision.state }
}

/**
 * Shows a held, hidden or reported comment and resolves its reports. Failures: NOT_FOUND, CONFLICT
 * if its author deleted it, or has changed it since it was read.
 */
export const approveComment = (
  ctx: Ctx,
  by: AuditActor,
  { id, editedAt }: { id: CommentId } & ReadText,
): Promise<Moderated | Failure> => decideOne(ctx, by, id, { state: 'SHOWN', editedAt })

/**
 * Hides a comment: only its author sees it, marked as hidden. Resolves its reports. Failures:
 * NOT_FOUND, CONFLICT if its author deleted it.
 */
export const hideComment = (
  ctx: Ctx,
  by: AuditActor,
  { id, note }: { id: CommentId; note: string | null },
): Promise<Moderated | Failure> => decideOne(ctx, by, id, { state: 'HIDDEN', note })

type LockedComment = Awaited<ReturnType<typeof lockComments>>[number]

/** Returns the versions of locked comments: each moves with a decision, an answer and an edit. */
const versionsOf = async ({ db, customer }: Ctx, comments: readonly LockedComment[]) => {
  const entries = await countAuditEntries(
    db,
    customer.id,
    comments.map(({ id }) => subjectOf(id)),
  )
  return new Map(
    comments.map(({ id, state, editedAt }) => [id, versionOf([state, editedAt, entries.get(subjectOf(id)) ?? 0])]),
  )
}

/**
 * Shows, hides or holds many comments. Returns what became of each, in their order, with what
 * restores it. One that is so already and has no unresolved report is left as it is, and so is one
 * whose text is no longer the one that was read.
 */
export const changeComments = async (
  ctx: Ctx,
  by: AuditActor,
  { ids, editedAt = {}, ...decision }: Decision & Pick<z.output<typeof commentsChange>, 'ids' | 'editedAt'>,
): Promise<CommentsChangeResult> => {
  const locked = await lockComments(ctx.db, ctx.customer.id, ids)
  const isRead = ({ id, editedAt: last }: LockedComment) => {
    const read = editedAt[id]
    return read === undefined || timeOf(read) === timeOf(last)
  }
  const isOpen = ({ state, isReported }: LockedComment) =>
    state !== 'DELETED' && (state !== decision.state || (isReported && decision.state !== 'HELD'))
  const changed = locked.filter((comment) => isOpen(comment) && isRead(comment))
  await decide(
    ctx,
    by,
    changed.map((comment) => ({ comment, ...decision })),
  )
  const versions = await versionsOf(
    ctx,
    changed.map((comment) => ({ ...comment, state: decision.state })),
  )
  const found = new Map(locked.map((comment) => [comment.id, comment]))
  const items = ids.map((id): CommentsChangeResult['items'][number] => {
    const comment = found.get(id)
    if (!comment) return { id, result: 'NOT_FOUND', before: null }
    if (comment.state === 'DELETED') return { id, result: 'DELETED', before: null }
    const version = versions.get(id)
    if (version === undefined) return { id, result: isRead(comment) ? 'UNCHANGED' : 'VERSION_CONFLICT', before: null }
    return { id, result: 'CHANGED', before: { id, state: comment.state, version } }
  })
  return { items }
}

/**
 * Gives many comments the state that they had before a change. One that was changed since is left
 * as it is. Returns what became of each, in their order. Closed reports stay closed.
 */
export const restoreComments = async (
  ctx: Ctx,
  by: AuditActor,
  befores: readonly CommentBefore[],
): Promise<CommentsChangeResult> => {
  const wanted = new Map(befores.map((before) => [before.id, before]))
  const locked = await lockComments(ctx.db, ctx.customer.id, [...wanted.keys()])
  const versions = await versionsOf(ctx, locked)
  const found = new Map(locked.map((comment) => [comment.id, comment]))
  const resultOf = ({ id, state, version }: CommentBefore): CommentsChangeResult['items'][number]['result'] => {
    const comment = found.get(id)
    if (!comment) return 'NOT_FOUND'
    if (comment.state === 'DELETED') return 'DELETED'
    if (versions.get(id) !== version) return 'VERSION_CONFLICT'
    return comment.state === state ? 'UNCHANGED' : 'CHANGED'
  }
  const results = new Map([...wanted.values()].map((before) => [before.id, resultOf(before)]))
  const restored = locked.flatMap((comment) => {
    const before = results.get(comment.id) === 'CHANGED' ? wanted.get(comment.id) : undefined
    return before ? [{ comment, state: before.state }] : []
  })
  await decide(ctx, by, restored)
  return { items: befores.map(({ id }) => ({ id, result: results.get(id) ?? 'NOT_FOUND', before: null })) }
}
