import { disassemble, getChoseong } from 'es-hangul'
import type { CustomerId } from '#contract/ids.ts'
import type { Translations } from '#contract/translations.ts'

/**
 * How texts become searchable. Languages with spaces are split into words. Korean, Japanese and
 * Chinese runs are split into overlapping pairs, so that any part of a word is found without a
 * dictionary. Korean initial consonants (ㅂㄷ for 바다) form a separate run.
 */
type Run = { kind: 'word' | 'pairs'; text: string }

const pieces = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[\p{L}\p{N}\p{M}]+/gu
export const paired = /^[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const syllables = /[가-힣]+/g
/** Adjacent Korean words, which people write with or without a space. */
const adjacentWords = /[가-힣]+(?:\s+[가-힣]+)+/g
/** Initial consonants as `fold` writes them: conjoining letters, not those of the keyboard. */
const initials = /^[\u1100-\u1112]+$/
/**
 * Marks the initial consonants of a whole word, so that words that begin with those typed rank
 * first.
 */
const beginning = '^'

/** Removes case, width and Latin accents, so that spellings of a word are equal. */
export const fold = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // Accents are ignored if Unicode separates them. Hangul and kana marks are not accents.
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')

const runsOf = (text: string): Run[] =>
  (fold(text).match(pieces) ?? []).map((piece) => ({ kind: paired.test(piece) ? 'pairs' : 'word', text: piece }))

/** Returns each letter with the one after it, and the last letter alone. */
export const pairsOf = (text: string): string[] => {
  const letters = [...text]
  // The last letter is also a token: it starts no pair and must still be found.
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''))
}

/**
 * Each lexeme starts with its tenant, so that one index serves all tenants and a search reads only
 * its own postings.
 */
export const lexemesOf = (customerId: CustomerId) => {
  const tenant = customerId.slice(-8)
  return (lexeme: string) => `'${tenant}${lexeme.replace(/['\\]/g, '')}'`
}

type Weight = 'A' | 'B' | 'C'

export interface SearchableText {
  title: string
  tags: readonly string[]
  summary: string
  /** Searchable in each of its languages. */
  translations?: Translations
}

/**
 * Returns the tsvector literal of a product and its words for the spelling check. Titles weigh
 * most, then tags, then the summary, in all languages.
 */
export const indexOf = (
  customerId: CustomerId,
  { title, tags, summary, translations = {} }: SearchableText,
): { tokens: string; words: string[] } => {
  const quoted = lexemesOf(customerId)
  const lexemes: string[] = []
  const words = new Set<string>()
  let position = 1
  const add = (text: string, weight: Weight, indexed = true) => {
    for (const run of runsOf(text)) {
      if (indexed) words.add(run.text)
      for (const lexeme of run.kind === 'word' ? [run.text] : pairsOf(run.text)) {
        if (position < 16_000) lexemes.push(`${quoted(lexeme)}:${position++}${weight}`)
      }
      // A gap prevents phrase matches across two adjacent runs.
      position++
    }
    position += 10
  }
  const textsOf = (field: string, original: string | readonly string[]) => [
    ...new Set([original, ...Object.values(translations).map((texts) => texts[field] ?? [])].flat()),
  ]
  for (const text of textsOf('title', title)) {
    add(text, 'A')
    for (const word of text.match(syllables) ?? []) {
      const consonants = getChoseong(word)
      add(consonants, 'B')
      lexemes.push(`${quoted(beginning + fold(consonants))}:${position++}A`)
    }
    for (const joined of text.match(adjacentWords) ?? []) add(joined.replace(/\s+/g, ''), 'B', false)
  }
  for (const tag of textsOf('tags', tags)) add(tag, 'B')
  for (const text of textsOf('summary', summary)) add(text, 'C')
  return { tokens: lexemes.join(' '), words: [...words].filter((word) => word.length >= 2 && word.length <= 40) }
}

/**
 * Returns the tsquery of the typed text, or null if nothing in it is searchable. The last word may
 * be incomplete.
 */
export const queryOf = (customerId: CustomerId, typed: string): string | null => {
  const quoted = lexemesOf(customerId)
  const runs = runsOf(typed)
  if (runs.length === 0) return null
  return runs
    .map((run, index) => {
      const open = index === runs.length - 1 ? ':*' : ''
      if (run.kind === 'word') return quoted(run.text) + open
      const pairs = pairsOf(run.text)
      if (pairs.length === 1) return `${quoted(run.text)}:*`
      // The closing single letter is there for documents only; a phrase is its pairs.
      const phrase = pairs.slice(0, -1).map(quoted).join(' <-> ')
      return initials.test(run.text) ? `((${phrase}) | ${quoted(beginning + run.text)}:*)` : `(${phrase})`
    })
    .join(' & ')
}

/**
 * Returns the words of the typed text for the spelling check. Runs of initial consonants are
 * excluded.
 */
export const queryWords = (typed: string): string[] =>
  runsOf(typed)
    .map((run) => run.text)
    .filter((word) => !initials.test(word))

/**
 * Splits syllables into letters, so that one wrong vowel in 드로잉 is one mistake instead of a
 * different syllable.
 */
const lettersOf = (word: string) => disassemble(word)

/**
 * Whether two words differ by at most one letter: one added, removed, replaced or swapped with its
 * neighbour. The same as `editDistance` of at most 1, and fifty times as fast: a search compares an
 * unknown word with thousands of the store's words.
 */
const isOneEditApart = (a: string, b: string): boolean => {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
}

export interface Vocabulary {
  has: (word: string) => boolean
  /** Returns the known word at a distance of one letter, or undefined. */
  nearest: (word: string) => string | undefined
}

/** Groups a tenant's words by length, so that a look-up compares only a part of them. */
export const createVocabulary = (words: readonly string[]): Vocabulary => {
  const existing = new Set(words)
  const byLength = new Map<number, { word: string; letters: string }[]>()
  for (const word of words) {
    const letters = lettersOf(word)
    const group = byLength.get(letters.length)
    if (group) group.push({ word, letters })
    else byLength.set(letters.length, [{ word, letters }])
  }
  return {
    has: (word) => existing.has(word),
    nearest: (word) => {
      const letters = lettersOf(word)
      // In a very short word, every other word is one letter away.
      if (letters.length < 4) return undefined
      for (const length of [letters.length, letters.length + 1, letters.length - 1]) {
        const near = byLength.get(length)?.find((candidate) => isOneEditApart(candidate.letters, letters))
        if (near) return near.word
      }
      return undefined
    },
  }
}
