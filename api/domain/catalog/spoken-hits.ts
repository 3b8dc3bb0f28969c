import type { PassageCue } from '#api/db/schema/search.ts'
import { type SpokenQuery, type SpokenText, spokenText } from './spoken-text.ts'

/** From, to: places in a text as JavaScript counts them. */
export type Range = [start: number, end: number]

/** Where in a video something is said. */
export interface SpokenHit {
  startSeconds: number
  endSeconds: number
  /** All of the words, one after the other; else each of them, close together. */
  whole: boolean
  /** The captions that hold it, and which letters of them are meant. */
  text: string
  hits: Range[]
  /** What is said just before and after. */
  before: string
  after: string
}

/** Words that stand further apart than this many captions belong to different sentences. */
const closeCues = 3
const mostOfPassage = 3

/** What is found in a passage, in the order of its captions. What begins in the captions it shares is left to the next one. */
export const hitsIn = (cues: readonly PassageCue[], shared: number, query: SpokenQuery): SpokenHit[] => {
  const spoken = spokenText(cues.map(([, , text]) => text))
  const own = cues.length - shared
  const phrases = placesOf(spoken, query.phrase)
  const found = phrases.length > 0 ? phrases.map((place) => [place]) : closest(spoken, query.words)
  const hits: SpokenHit[] = []
  let last = -1
  for (const places of found) {
    const first = spoken.pieceOf[places[0]![0]]!
    // Said twice in one caption it is still one moment.
    if (first >= own || first === last || hits.length === mostOfPassage) continue
    last = first
    hits.push(hitOf(cues, spoken, places, phrases.length > 0))
  }
  return hits
}

/** Every place of a folded text where some words stand, without the spaces around them. */
const placesOf = ({ folded }: SpokenText, words: string): Range[] => {
  const places: Range[] = []
  const open = words.startsWith(' ') ? 1 : 0
  for (let at = folded.indexOf(words); at >= 0; at = folded.indexOf(words, at + 1))
    places.push([at + open, at + words.trimEnd().length])
  return places
}

/** The closest that all the words come together, once for each place of the first. */
const closest = (spoken: SpokenText, words: readonly string[]): Range[][] => {
  const all = words.map((word) => placesOf(spoken, word))
  const cueOf = ([start]: Range) => spoken.pieceOf[start]!
  return (all[0] ?? []).flatMap((place) => {
    const cue = cueOf(place)
    const nearest = all.map((places) =>
      places.reduce<Range | null>((best, other) => {
        const far = Math.abs(cueOf(other) - cue)
        return far < closeCues && (!best || far < Math.abs(cueOf(best) - cue)) ? other : best
      }, null),
    )
    if (nearest.some((found) => found === null)) return []
    const places = (nearest as Range[]).sort(([a], [b]) => a - b)
    return cueOf(places.at(-1)!) - cueOf(places[0]!) < closeCues ? [places] : []
  })
}

const hitOf = (cues: readonly PassageCue[], spoken: SpokenText, places: Range[], whole: boolean): SpokenHit => {
  const first = spoken.pieceOf[places[0]![0]]!
  const last = Math.max(...places.map(([, end]) => spoken.pieceOf[end - 1]!))
  const held = cues.slice(first, last + 1)
  const starts: number[] = []
  let text = ''
  for (const [, , said] of held) {
    if (text !== '') text += ' '
    starts.push(text.length)
    text += said
  }
  const at = (letter: number) => starts[spoken.pieceOf[letter]! - first]! + spoken.offsetOf[letter]!
  return {
    startSeconds: held[0]![0],
    endSeconds: held.at(-1)![1],
    whole,
    text,
    hits: places.map(([start, end]) => {
      const from = at(end - 1)
      return [at(start), from + String.fromCodePoint(text.codePointAt(from)!).length]
    }),
    before: cues[first - 1]?.[2] ?? '',
    after: cues[last + 1]?.[2] ?? '',
  }
}

export interface Snippet {
  snippet: string
  hits: { start: number; end: number }[]
}

/** Letters a reader who may watch sees at most. */
const longestSnippet = 220

const ranges = (hits: readonly Range[], moved: number) =>
  hits.map(([start, end]) => ({ start: start + moved, end: end + moved }))

/** The sentence with what is said around it. */
export const snippetOf = ({ text, hits, before, after }: SpokenHit): Snippet => {
  const around = text.length + before.length + after.length + 2 <= longestSnippet
  const head = around && before ? `${before} ` : ''
  return { snippet: `${head}${text}${around && after ? ` ${after}` : ''}`, hits: ranges(hits, head.length) }
}

/** No more than shows that it is said: so many letters around the first hit, cut at words where there are any. */
export const teaserOf = ({ text, hits }: SpokenHit, longest: number): Snippet => {
  const [start, end] = hits[0]!
  const room = Math.max(0, Math.floor((longest - (end - start)) / 2))
  const from = start <= room ? 0 : wordFrom(text, start - room, start)
  const to = text.length - end <= room ? text.length : wordTo(text, end, end + room)
  const head = from > 0 ? '…' : ''
  const shown = hits.filter((hit) => hit[0] >= from && hit[1] <= to)
  return {
    snippet: head + text.slice(from, to) + (to < text.length ? '…' : ''),
    hits: ranges(shown, head.length - from),
  }
}

const wordFrom = (text: string, least: number, most: number) => {
  const space = text.indexOf(' ', least)
  return space >= 0 && space < most ? space + 1 : whole(text, least)
}
const wordTo = (text: string, least: number, most: number) => {
  const space = text.lastIndexOf(' ', most)
  return space > least ? space : whole(text, most)
}
/** Not between the two halves of a letter beyond the basic plane. */
const whole = (text: string, at: number) => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at)
