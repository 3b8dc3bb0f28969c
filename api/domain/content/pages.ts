import type { Ctx } from '#api/context.ts'
import { readPage, readPageLinks } from '#api/db/queries/content.ts'
import { failure } from '#api/domain/failure.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { SitePage } from '#contract/content.ts'

/** Which pages the tenant has, in footer order. */
export const listPages = ({ customer, db }: Ctx) => readPageLinks(db, customer.id)

/** One page of the tenant's own. */
export const getPage = async ({ customer, db }: Ctx, type: string) => {
  const page = await readPage(db, customer.id, type)
  return page ? ({ ...page, body: sanitizeHtml(page.body) } satisfies SitePage) : failure('NOT_FOUND')
}
