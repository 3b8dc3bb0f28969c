import type { ReactNode } from 'react'

/** Case, width and accents do not matter to who looks for a word. Each letter stays one letter, so that places hold. */
const fold = (text: string) =>
  Array.from(text, (letter) => {
    const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    // Hangul falls apart in its parts; it is looked for as it is written.
    return plain.length === letter.length ? plain : letter.toLowerCase()
  }).join('')

const clean = (term: string) => fold(term.normalize('NFC').trim()).replaceAll(/\s+/g, ' ')

/** The places, in order, of the lines that hold `term`. */
export function findLines(lines: readonly { text: string }[], term: string): number[] {
  const wanted = clean(term)
  if (wanted === '') return []
  return lines.flatMap(({ text }, index) => (fold(text).replaceAll('\n', ' ').includes(wanted) ? [index] : []))
}

/** A line with what was looked for marked. */
export function markFound(text: string, term: string): ReactNode {
  const wanted = clean(term)
  const folded = fold(text).replaceAll('\n', ' ')
  const parts: ReactNode[] = []
  let from = 0
  for (let at = folded.indexOf(wanted); at >= 0 && wanted; at = folded.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>)
    from = at + wanted.length
  }
  return [...parts, text.slice(from)]
}
