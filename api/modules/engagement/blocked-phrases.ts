import { type AuditActor, audit, changesOf, refuseOldVersion, versionOf } from '#api/platform/audit.ts'
import { type Ctx, type Failure, failure } from '#api/platform/context.ts'
import type { BlockedPhrases } from '#contract/admin/queues.ts'
import { readBlockedPhrases, saveBlockedPhrases } from './comments.queries.ts'

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
  const refused = await refuseOldVersion(ctx, { expected, version: versionOf(before), subject })
  if (refused) return refused
  const empty = given.findIndex((word) => comparableText(word) === '')
  if (empty >= 0)
    return failure('VALIDATION_FAILED', { errors: { [`phrases.${empty}`]: ['Enter a word or a phrase.'] } })
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
