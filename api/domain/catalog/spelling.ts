import { disassemble } from 'es-hangul'

/** Syllables as their letters, so that one wrong vowel in 드로잉 is one mistake and not a whole other syllable. */
const lettersOf = (word: string) => disassemble(word)

/** Whether two words differ by one letter at most: one more, one less, one other, or two that changed places. */
const oneApart = (a: string, b: string): boolean => {
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
  /** The known word that is one letter away; undefined when there is none. */
  nearest: (word: string) => string | undefined
}

/** A tenant's words, grouped by length so that a question looks at a part of them. */
export const createVocabulary = (words: readonly string[]): Vocabulary => {
  const known = new Set(words)
  const byLength = new Map<number, { word: string; letters: string }[]>()
  for (const word of words) {
    const letters = lettersOf(word)
    const group = byLength.get(letters.length)
    if (group) group.push({ word, letters })
    else byLength.set(letters.length, [{ word, letters }])
  }
  return {
    has: (word) => known.has(word),
    nearest: (word) => {
      const letters = lettersOf(word)
      // In a very short word every other word is one letter away.
      if (letters.length < 4) return undefined
      for (const length of [letters.length, letters.length + 1, letters.length - 1]) {
        const near = byLength.get(length)?.find((candidate) => oneApart(candidate.letters, letters))
        if (near) return near.word
      }
      return undefined
    },
  }
}
