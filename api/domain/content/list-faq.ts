import type { Ctx } from '#api/context.ts'
import { readFaq } from '#api/db/queries/content.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { FaqEntry } from '#contract/content.ts'

const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .normalize('NFKC')
    .toLowerCase()

/** All questions in the tenant's order. */
export const listFaq = async ({ customer, db }: Ctx): Promise<FaqEntry[]> => {
  const entries = await readFaq(db, customer.id)
  return entries.map((entry) => ({ ...entry, answer: sanitizeHtml(entry.answer) }))
}

/** Those that hold every word asked for, in the question, the answer or the group. */
export const searchFaq = (entries: readonly FaqEntry[], q: string) => {
  const words = plain(q).split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = plain(`${entry.group} ${entry.question} ${entry.answer}`)
    return words.every((word) => text.includes(word))
  })
}
