import type { FaqEntry } from '#contract/content.ts'

const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .normalize('NFKC')
    .toLowerCase()

/** The questions in which, or in whose answers, every typed word stands. */
export function matchingFaq(entries: readonly FaqEntry[], typed: string): readonly FaqEntry[] {
  const words = plain(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter(({ question, answer }) => {
    const text = `${plain(question)} ${plain(answer)}`
    return words.every((word) => text.includes(word))
  })
}
