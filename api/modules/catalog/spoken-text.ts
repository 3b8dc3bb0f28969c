import { elementAt, firstOf, lastOf } from '#api/platform/elements.ts'
import type { CustomerId } from '#contract/ids.ts'
import type { PassageCue } from './search.schema.ts'
import { fold, lexemesOf, paired, pairsOf } from './tokens.ts'

/**
 * Captions in normalized form: words separated by one space, in lower case and without accents.
 * Korean, Japanese and Chinese are stored without spaces, so that neither the writer's spacing nor
 * the end of a caption affects a match.
 */
export interface SpokenText {
  /** Has a space at both ends. */
  folded: string
  /**
   * For each letter of `folded`: the source piece and the offset in it. For a space, the piece
   * before it.
   */
  pieceOf: number[]
  offsetOf: number[]
}

const letter = /[\p{L}\p{N}\p{M}ー]/u

/**
 * The normalized form of a character: letters written without spaces, letters of a word, or null
 * for a separator.
 */
type FoldedLetter = { letters: string; joins: boolean } | null

/** Cache: folding uses Unicode tables, and texts repeat the same few hundred characters. */
const foldedLetters = new Map<string, FoldedLetter[]>()
const maxCachedLetters = 20_000

const foldCharacter = (character: string): FoldedLetter[] => {
  const before = foldedLetters.get(character)
  if (before) return before
  const made = [...fold(character)].map((letters) =>
    letter.test(letters) ? { letters, joins: paired.test(letters) } : null,
  )
  if (foldedLetters.size >= maxCachedLetters) foldedLetters.clear()
  foldedLetters.set(character, made)
  return made
}

/** Joins texts to one folded text to search in, which knows the place of each letter. */
export const spokenText = (pieces: readonly string[]): SpokenText => {
  let folded = ' '
  const pieceOf = [0]
  const offsetOf = [0]
  let [begun, apart, joined] = [false, false, false]
  for (const [piece, text] of pieces.entries()) {
    let offset = 0
    for (const character of text) {
      for (const each of foldCharacter(character)) {
        if (each === null) {
          apart = true
          continue
        }
        const { letters, joins } = each
        if (begun && (joins !== joined || (apart && !joins))) {
          folded += ' '
          pieceOf.push(lastOf(pieceOf))
          offsetOf.push(lastOf(offsetOf))
        }
        folded += letters
        // A letter beyond the basic plane takes two code units.
        for (let unit = 0; unit < letters.length; unit++) {
          pieceOf.push(piece)
          offsetOf.push(offset)
        }
        begun = true
        apart = false
        joined = joins
      }
      offset += character.length
    }
    apart = true
  }
  return { folded: `${folded} `, pieceOf, offsetOf }
}

const wordsOf = (folded: string) => folded.trim().split(' ').filter(Boolean)
/** Longer words are noise, and index entries are limited in size. */
const longestWord = 40
const isPaired = (word: string) => paired.test(word)
const cut = (word: string) => word.slice(0, longestWord)

/**
 * Returns the tsvector literal of a passage. It has no positions, because adjacency is checked in
 * the text itself.
 */
export const tokensOf = (customerId: CustomerId, folded: string): string => {
  const quoted = lexemesOf(customerId)
  const lexemes = new Set(wordsOf(folded).flatMap((word) => (isPaired(word) ? pairsOf(word) : [cut(word)])))
  return [...lexemes].map(quoted).join(' ')
}

/** A parsed caption search. */
export interface SpokenQuery {
  tsquery: string
  /** As it appears in a folded text. */
  phrase: string
  /** True for a single complete word: a match of the words is then a match of the phrase. */
  single: boolean
  /** The words, each as it appears in a folded text. */
  words: string[]
}

/** Shorter searches match nearly every caption. */
const fewestLetters = 2
/** From this many letters, the last word matches as a prefix. */
const openFrom = 3
const maxSearchWords = 12

/** Returns null if the typed text is too short or contains no letters. */
export const spokenQuery = (customerId: CustomerId, typed: string): SpokenQuery | null => {
  const { folded } = spokenText([typed])
  const runs = typed.split(/\s+/).flatMap((word) => wordsOf(spokenText([word]).folded))
  if (folded.trim().length < fewestLetters || runs.length === 0 || runs.length > maxSearchWords) return null
  const quoted = lexemesOf(customerId)
  const isOpen = (word: string, index: number) => index === runs.length - 1 && word.length >= openFrom
  const terms = runs.flatMap((word, index) => {
    if (!isPaired(word)) return [quoted(cut(word)) + (isOpen(word, index) ? ':*' : '')]
    const pairs = pairsOf(word)
    return pairs.length === 1 ? [`${quoted(word)}:*`] : pairs.slice(0, -1).map(quoted)
  })
  const wordAt = (word: string, index: number) => (isPaired(word) ? word : ` ${word}${isOpen(word, index) ? '' : ' '}`)
  const last = lastOf(runs)
  return {
    tsquery: [...new Set(terms)].join(' & '),
    phrase:
      (isPaired(folded.trim()) ? '' : ' ') +
      folded.trim() +
      (isPaired(last) || isOpen(last, runs.length - 1) ? '' : ' '),
    single: terms.length === 1,
    words: [...new Set(runs.map(wordAt))],
  }
}

/** Start and end offsets in UTF-16 code units. */
type Range = [start: number, end: number]

/** A match in a video. */
export interface SpokenHit {
  startSeconds: number
  endSeconds: number
  /** True if the words match in sequence, false if they only occur close together. */
  whole: boolean
  /** The matching captions and the matched ranges in them. */
  text: string
  hits: Range[]
  /** The text just before and after. */
  before: string
  after: string
}

/** Words that are further apart than this many captions belong to different sentences. */
const closeCues = 3
const maxHitsPerPassage = 3

/**
 * Returns the matches in a passage in caption order. Matches that start in the shared captions are
 * left to the next passage.
 */
export const hitsIn = (cues: readonly PassageCue[], shared: number, query: SpokenQuery): SpokenHit[] => {
  const spoken = spokenText(cues.map(([, , text]) => text))
  const ownCues = cues.length - shared
  const phrases = positionsOf(spoken, query.phrase)
  const ranges = phrases.length > 0 ? phrases.map((place) => [place]) : closest(spoken, query.words)
  const hits: SpokenHit[] = []
  let last = -1
  for (const places of ranges) {
    const first = elementAt(spoken.pieceOf, firstOf(places)[0])
    // Two matches in one caption are reported once.
    if (first >= ownCues || first === last || hits.length === maxHitsPerPassage) continue
    last = first
    hits.push(hitOf(cues, spoken, places, phrases.length > 0))
  }
  return hits
}

/** Returns every range of a folded text that matches the words, without the surrounding spaces. */
const positionsOf = ({ folded }: SpokenText, words: string): Range[] => {
  const places: Range[] = []
  const open = words.startsWith(' ') ? 1 : 0
  for (let at = folded.indexOf(words); at >= 0; at = folded.indexOf(words, at + 1))
    places.push([at + open, at + words.trimEnd().length])
  return places
}

/** Returns the closest group of all words for each occurrence of the first word. */
const closest = (spoken: SpokenText, words: readonly string[]): Range[][] => {
  const all = words.map((word) => positionsOf(spoken, word))
  const cueOf = ([start]: Range) => elementAt(spoken.pieceOf, start)
  return (all[0] ?? []).flatMap((place) => {
    const cue = cueOf(place)
    const nearest = all.flatMap((places) => {
      const nearestRange = places.reduce<Range | null>((best, other) => {
        const far = Math.abs(cueOf(other) - cue)
        return far < closeCues && (!best || far < Math.abs(cueOf(best) - cue)) ? other : best
      }, null)
      return nearestRange ? [nearestRange] : []
    })
    const places = nearest.sort(([a], [b]) => a - b)
    const [first, last] = [places[0], places.at(-1)]
    if (!first || !last || places.length < all.length) return []
    return cueOf(last) - cueOf(first) < closeCues ? [places] : []
  })
}

const hitOf = (cues: readonly PassageCue[], spoken: SpokenText, places: Range[], isWholePhrase: boolean): SpokenHit => {
  const first = elementAt(spoken.pieceOf, firstOf(places)[0])
  const last = Math.max(...places.map(([, end]) => elementAt(spoken.pieceOf, end - 1)))
  const hitCues = cues.slice(first, last + 1)
  const starts: number[] = []
  let text = ''
  for (const [, , cueText] of hitCues) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += cueText
  }
  const at = (letter: number) =>
    elementAt(starts, elementAt(spoken.pieceOf, letter) - first) + elementAt(spoken.offsetOf, letter)
  return {
    startSeconds: firstOf(hitCues)[0],
    endSeconds: lastOf(hitCues)[1],
    whole: isWholePhrase,
    text,
    hits: places.map(([start, end]) => {
      const from = at(end - 1)
      return [at(start), from + String.fromCodePoint(text.codePointAt(from) ?? 0).length]
    }),
    before: cues[first - 1]?.[2] ?? '',
    after: cues[last + 1]?.[2] ?? '',
  }
}

export interface Snippet {
  snippet: string
  hits: { start: number; end: number }[]
}

/** The maximum length of a snippet for a reader who may watch the video. */
const longestSnippet = 220

const ranges = (hits: readonly Range[], moved: number) =>
  hits.map(([start, end]) => ({ start: start + moved, end: end + moved }))

/** Returns the matching sentence with its context. */
export const snippetOf = ({ text, hits, before, after }: SpokenHit): Snippet => {
  const around = text.length + before.length + after.length + 2 <= longestSnippet
  const head = around && before ? `${before} ` : ''
  return { snippet: `${head}${text}${around && after ? ` ${after}` : ''}`, hits: ranges(hits, head.length) }
}

/**
 * Returns a short teaser: the given number of letters around the first match, cut at word
 * boundaries where there are any.
 */
export const shortSnippetOf = ({ text, hits }: SpokenHit, longest: number): Snippet => {
  const [start, end] = firstOf(hits)
  const margin = Math.max(0, Math.floor((longest - (end - start)) / 2))
  const from = start <= margin ? 0 : wordFrom(text, start - margin, start)
  const to = text.length - end <= margin ? text.length : wordTo(text, end, end + margin)
  const head = from > 0 ? '…' : ''
  const shown = hits.filter((hit) => hit[0] >= from && hit[1] <= to)
  return {
    snippet: head + text.slice(from, to) + (to < text.length ? '…' : ''),
    hits: ranges(shown, head.length - from),
  }
}

const wordFrom = (text: string, min: number, max: number) => {
  const space = text.indexOf(' ', min)
  return space >= 0 && space < max ? space + 1 : endOfCharacter(text, min)
}
const wordTo = (text: string, min: number, max: number) => {
  const space = text.lastIndexOf(' ', max)
  return space > min ? space : endOfCharacter(text, max)
}
/** Avoids splitting a surrogate pair. */
const endOfCharacter = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at)
