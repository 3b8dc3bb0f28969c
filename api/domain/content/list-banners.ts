import type { Ctx } from '#api/context.ts'
import { readBanners } from '#api/db/queries/content.ts'
import { translateRow } from '#api/domain/translations.ts'
import { sanitizeHtml } from '#api/html.ts'
import { type Banner, bannerLink } from '#contract/content.ts'

/** All banners within their period, in order. One whose link is none that may be followed leads nowhere. */
export const listBanners = async (ctx: Ctx): Promise<Banner[]> => {
  const { customer, db, clock, log } = ctx
  const rows = await readBanners(db, customer.id, clock.now().toISOString(), customer.settings.order)
  const linkOf = ({ id, link }: (typeof rows)[number]) => {
    const read = bannerLink.safeParse(link)
    if (link && !read.success) log.warn({ bannerId: id, link }, 'A banner has a link that cannot be followed')
    return read.data ?? null
  }
  return rows.map((row) => {
    const banner = translateRow(ctx, row, ['title', 'text', 'label', 'html'])
    return {
      ...banner,
      link: linkOf(row),
      type: row.type as Banner['type'],
      tone: row.tone as Banner['tone'],
      html: banner.html === null ? null : sanitizeHtml(banner.html),
    }
  })
}
