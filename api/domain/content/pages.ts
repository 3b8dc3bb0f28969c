import type { Ctx } from '#api/context.ts'
import { readPage, readPageLinks } from '#api/db/queries/content.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { isDraft } from '#api/domain/tenancy/starter-pages.ts'
import { localesOf, translateRow } from '#api/domain/translations.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { SitePage } from '#contract/content.ts'

interface Reader {
  /** Who holds a preview link sees drafts; nobody else does. */
  preview: boolean
}

/** Which pages the tenant has, in footer order. */
export const listPages = async (ctx: Ctx, { preview }: Reader) =>
  (await readPageLinks(ctx.db, ctx.customer.id))
    .filter((page) => preview || !page.isDraft)
    .map(({ isDraft: _, ...row }) => ({
      ...translateRow(ctx, row, ['title']),
      locales: localesOf(ctx.customer, row.translations, 'title'),
    }))

/** One page of the tenant's own. */
export const getPage = async (ctx: Ctx, type: string, { preview }: Reader): Promise<SitePage | Failure> => {
  const row = await readPage(ctx.db, ctx.customer.id, type)
  if (!row) return failure('NOT_FOUND')
  const page = translateRow(ctx, row, ['title', 'body'])
  if (!preview && [row.title, row.body, page.title, page.body].some(isDraft)) return failure('NOT_FOUND')
  return { ...page, body: sanitizeHtml(page.body), locales: localesOf(ctx.customer, row.translations, 'title') }
}
