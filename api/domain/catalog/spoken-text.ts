import type { CustomerId } from '#contract/ids.ts'
import { fold, lexemesOf, paired, pairsOf } from './tokens.ts'

/**
 * The form captions are compared in: words with one space between them, in small letters and without accents. Korean, Japanese and
 * Chinese are written without any space, so that it does not matter how somebody spaces them, nor that a caption ends there.
 */
export interface SpokenText {
  /** With a space at both ends. */
  folded: string
  /** For each letter of `folded`: the piece it comes from, and where in it; the piece before a space. */
  pieceOf: number[]
  offsetOf: number[]
}

const letter = /[\p{L}\p{N}\p{M}ー]/u

/** What a character comes to: letters that are written together, letters of a word, or null where it parts words. */
type Said = { said: string; together: boolean } | null

/** Folding asks Unicode's tables; texts repeat the same few hundred characters. */
const known = new Map<string, Said[]>()
const mostKnown = 20_000

const saidBy = (character: string): Said[] => {
  const before = known.get(character)
  if (before) return before
  const made = [...fold(character)].map((said) => (letter.test(said) ? { said, together: paired.test(said) } : null))
  if (known.size >= mostKnown) known.clear()
  known.set(character, made)
  return made
}

export const spokenText = (pieces: readonly string[]): SpokenText => {
  let folded = ' '
  const pieceOf = [0]
  const offsetOf = [0]
  let [begun, apart, wasTogether] = [false, false, false]
  for (let piece = 0; piece < pieces.length; piece++) {
    let offset = 0
    for (const character of pieces[piece]!) {
      for (const each of saidBy(character)) {
        if (each === null) {
          apart = true
          continue
        }
        const { said, together } = each
        if (begun && (together !== wasTogether || (apart && !together))) {
          folded += ' '
          pieceOf.push(pieceOf.at(-1)!)
          offsetOf.push(offsetOf.at(-1)!)
        }
        folded += said
        // A letter beyond the basic plane takes two places.
        for (let unit = 0; unit < said.length; unit++) {
          pieceOf.push(piece)
          offsetOf.push(offset)
        }
        begun = true
        apart = false
        wasTogether = together
      }
      offset += character.length
    }
    apart = true
  }
  return { folded: `${folded} `, pieceOf, offsetOf }
}

const wordsOf = (folded: string) => folded.trim().split(' ').filter(Boolean)
/** Longer words are noise, and an index entry has its limit. */
const longestWord = 40
const isPaired = (word: string) => paired.test(word)
const cut = (word: string) => word.slice(0, longestWord)

/** The tsvector literal of a passage. Without positions: whether words stand side by side is read from the text itself. */
export const tokensOf = (customerId: CustomerId, folded: string): string => {
  const quoted = lexemesOf(customerId)
  const lexemes = new Set(wordsOf(folded).flatMap((word) => (isPaired(word) ? pairsOf(word) : [cut(word)])))
  return [...lexemes].map(quoted).join(' ')
}

/** What somebody typed, as captions are asked for it. */
export interface SpokenQuery {
  tsquery: string
  /** As it would stand in a folded text. */
  phrase: string
  /** One word alone, and no part of one: whatever holds the words holds the phrase. */
  single: boolean
  /** Its words one by one, each as it would stand there. */
  words: string[]
}

/** Fewer letters are in every caption. */
const fewestLetters = 2
/** The last word may be unfinished once it has this many letters. */
const openFrom = 3
const mostWords = 12

/** Null when what was typed is too short to be looked for, or nothing that is spoken. */
export const spokenQuery = (customerId: CustomerId, typed: string): SpokenQuery | null => {
  const { folded } = spokenText([typed])
  const runs = typed.split(/\s+/).flatMap((word) => wordsOf(spokenText([word]).folded))
  if (folded.trim().length < fewestLetters || runs.length === 0 || runs.length > mostWords) return null
  const quoted = lexemesOf(customerId)
  const isOpen = (word: string, index: number) => index === runs.length - 1 && word.length >= openFrom
  const asked = runs.flatMap((word, index) => {
    if (!isPaired(word)) return [quoted(cut(word)) + (isOpen(word, index) ? ':*' : '')]
    const pairs = pairsOf(word)
    return pairs.length === 1 ? [`${quoted(word)}:*`] : pairs.slice(0, -1).map(quoted)
  })
  const standing = (word: string, index: number) =>
    isPaired(word) ? word : ` ${word}${isOpen(word, index) ? '' : ' '}`
  const last = runs.at(-1)!
  return {
    tsquery: [...new Set(asked)].join(' & '),
    phrase:
      (isPaired(folded.trim()) ? '' : ' ') +
      folded.trim() +
      (isPaired(last) || isOpen(last, runs.length - 1) ? '' : ' '),
    single: asked.length === 1,
    words: [...new Set(runs.map(standing))],
  }
}
