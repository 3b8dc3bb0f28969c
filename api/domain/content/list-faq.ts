import type { Ctx } from '#api/context.ts'
import { readFaq } from '#api/db/queries/content.ts'
import { translate, translationFor } from '#api/domain/translations.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { FaqEntry } from '#contract/content.ts'

const plain = (text: string) =>
  text
    .replace(/<[^>]*>/g, ' ')
    .normalize('NFKC')
    .toLowerCase()

/** All questions in the tenant's order. */
export const listFaq = async (ctx: Ctx): Promise<FaqEntry[]> => {
  const rows = await readFaq(ctx.db, ctx.customer.id)
  // A group has one name, whichever of its entries it is translated with.
  const groups = new Map(
    rows.flatMap(({ group, translations }) => {
      const name = translationFor(ctx, translations)?.group
      return name ? [[group, name] as const] : []
    }),
  )
  return rows.map(({ translations, ...row }) => {
    const translation = { ...translationFor(ctx, translations), group: groups.get(row.group) ?? '' }
    const entry = translate(ctx, row, translation, ['group', 'question', 'answer'])
    return { ...entry, answer: sanitizeHtml(entry.answer) }
  })
}

/** Those that hold every word asked for, in the question, the answer or the group. */
export const searchFaq = (entries: readonly FaqEntry[], q: string) => {
  const words = plain(q).split(/\s+/).filter(Boolean)
  return entries.filter((entry) => {
    const text = plain(`${entry.group} ${entry.question} ${entry.answer}`)
    return words.every((word) => text.includes(word))
  })
}
