import * as z from 'zod/mini'

const pageNumber = z.catch(z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000))), undefined)

const noticesSearch = z.object({ page: pageNumber })
export type NoticesSearch = { page?: number | undefined }

export function parseNoticesSearch(raw: Record<string, unknown>): NoticesSearch {
  const { page } = z.parse(noticesSearch, raw)
  return { page: page === 1 ? undefined : page }
}

const faqSearch = z.object({
  q: z.catch(z.optional(z.pipe(z.coerce.string(), z.string().check(z.trim(), z.maxLength(100)))), undefined),
})
export type FaqSearch = { q?: string | undefined }

export function parseFaqSearch(raw: Record<string, unknown>): FaqSearch {
  const { q } = z.parse(faqSearch, raw)
  return { q: q || undefined }
}
