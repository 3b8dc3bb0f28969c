import type { Ctx } from '#api/context.ts'
import { readPage, readPageLinks } from '#api/db/queries/content.ts'
import { type Failure, failure } from '#api/domain/failure.ts'
import { localesOf, translateRow } from '#api/domain/translations.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { SitePage } from '#contract/content.ts'

/** Which pages the tenant has, in footer order. */
export const listPages = async (ctx: Ctx) =>
  (await readPageLinks(ctx.db, ctx.customer.id)).map((row) => ({
    ...translateRow(ctx, row, ['title']),
    locales: localesOf(ctx.customer, row.translations, 'title'),
  }))

/** One page of the tenant's own. */
export const getPage = async (ctx: Ctx, type: string): Promise<SitePage | Failure> => {
  const row = await readPage(ctx.db, ctx.customer.id, type)
  if (!row) return failure('NOT_FOUND')
  const page = translateRow(ctx, row, ['title', 'body'])
  return { ...page, body: sanitizeHtml(page.body), locales: localesOf(ctx.customer, row.translations, 'title') }
}
