import type { Ctx } from '#api/context.ts'
import { readPage } from '#api/db/queries/content.ts'

/** The version of a page that is agreed to: when it was last written. A store without the page has none. */
export const pageVersion = async ({ db, customer }: Pick<Ctx, 'db' | 'customer'>, type: 'terms' | 'privacy') =>
  (await readPage(db, customer.id, type))?.updatedAt ?? 'none'
