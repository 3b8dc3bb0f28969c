import type { Ctx } from '#api/context.ts'
import { readBanners } from '#api/db/queries/content.ts'
import { sanitizeHtml } from '#api/html.ts'
import type { Banner } from '#contract/content.ts'

/** All banners within their period, in order. */
export const listBanners = async ({ customer, db, clock }: Ctx): Promise<Banner[]> => {
  const rows = await readBanners(db, customer.id, clock.now().toISOString())
  return rows.map((row) => ({
    ...row,
    type: row.type as Banner['type'],
    tone: row.tone as Banner['tone'],
    html: row.html === null ? null : sanitizeHtml(row.html),
  }))
}
